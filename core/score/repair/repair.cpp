#include "core/score/repair/repair.hpp"

#include "core/score/model/kept_elements.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/spanners.hpp"
#include "core/score/model/ties.hpp"
#include "core/score/repair/overlapping_spanners.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace fermata {

namespace {

/// The drawn half of a tie goes with its sounding half.
void erase_tied(note& n, span_end end) {
  std::erase_if(n.spanners, [&](auto& s) { return s.kind == spanner_kind::tied && s.end == end; });
}

const chord_rest* chord_at(const part& p, std::size_t m, std::size_t item) {
  if (m >= p.measures.size() || item >= p.measures[m]->items.size()) return nullptr;
  return std::get_if<chord_rest>(&p.measures[m]->items[item].content);
}
bool has_note(const part& p, const note_place& at) {
  auto x = chord_at(p, at.measure, at.item);
  return x && at.note < x->notes.size();
}

/// Takes the start or stop of a tie away when it leads nowhere in the draft.
void cut_if_loose(score_draft& draft, std::size_t p, const note_place& at, span_end end) {
  const auto& now = draft.view(p);
  if (!has_note(now, at)) return;
  const auto& tie = note_at(now, at).tie;
  auto loose =
      end == span_end::start ? tie.start && !tied_to(now, at) : tie.stop && !tied_from(now, at);
  if (loose) untie(draft, p, at, end);
}

/// Calls `f` with each note of a measure.
template <class F>
void each_note(const part& p, std::size_t m, F f) {
  if (m >= p.measures.size()) return;
  for (std::size_t i = 0; i < p.measures[m]->items.size(); ++i)
    if (auto x = chord_at(p, m, i))
      for (std::size_t n = 0; n < x->notes.size(); ++n)
        f(note_place{m, i, n});
}

/// Some order of ends in which those are alike that are the same end.
struct earlier_end {
  static auto key(const spanner_end_place& e) {
    return std::tie(e.measure, e.at, e.kind, e.number, e.start, e.staff, e.voice);
  }
  bool operator()(const spanner_end_place& a, const spanner_end_place& b) const {
    return key(a) < key(b);
  }
};

void erase_type(direction& d, std::size_t index) {
  d.types.erase(d.types.begin() + static_cast<std::ptrdiff_t>(index));
  for (std::size_t i = 0, end = 0; i < d.grouping.size(); ++i) {
    end += d.grouping[i];
    if (index < end) {
      if (--d.grouping[i] == 0)
        d.grouping.erase(d.grouping.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }
}

void erase_end(score_draft& draft, std::size_t p, const spanner_end_place& e) {
  auto& item = draft.open(p, e.measure).items[e.item];
  if (auto* x = std::get_if<chord_rest>(&item.content)) {
    auto& spanners = x->notes[e.note].spanners;
    spanners.erase(spanners.begin() + static_cast<std::ptrdiff_t>(e.index));
  } else if (auto* d = std::get_if<direction>(&item.content)) {
    erase_type(*d, e.index);
  }
}

/// The lines of the ends in measures [first, end) that are `wanted`. Most lines are short, so it
/// looks nearby first, and further until each wanted end is sure to have its other end, or the
/// whole part was looked through: only then a line may run from staff to staff or from voice to
/// voice, and only then there are unpaired ends.
template <class Wanted>
paired_spanners lines_around(const part& p, std::size_t first, std::size_t end, Wanted wanted) {
  for (std::size_t reach = 0;; reach = reach == 0 ? 4 : reach * 4) {
    auto from = first > reach ? first - reach : 0;
    auto to = std::min(p.measures.size(), end + reach);
    auto ends = spanner_ends(p, from, to);
    auto open = std::count_if(ends.begin(), ends.end(), wanted);
    if (open == 0) return {};
    if (from == 0 && to == p.measures.size()) return pair_spanners(ends);
    paired_spanners found{certain_pairs(ends), {}};
    for (auto& [start, stop] : found.pairs)
      open -= (wanted(start) ? 1 : 0) + (wanted(stop) ? 1 : 0);
    if (open == 0) return found;
  }
}

/// Lines of the measures that were put there, under lines that reach over them.
void number_what_came(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                      std::size_t lost, std::size_t put) {
  auto came = pair_spanners(spanner_ends(draft.view(p), first, first + put)).pairs;
  if (came.empty()) return;
  std::vector<standing_line> around;
  for (auto [start, stop] : pair_spanners(spanner_ends(before, 0, before.measures.size())).pairs) {
    if (start.measure >= first || stop.measure < first + lost) continue;
    stop.measure = stop.measure - lost + put;
    around.emplace_back(std::move(start), std::move(stop));
  }
  std::vector<spanner_end_place> orphans;
  for (auto& [start, stop] : renumber_overlapping_spanners(draft, p, around, std::move(came)))
    orphans.insert(orphans.end(), {start, stop});
  erase_ends(draft, p, std::move(orphans));
}

template <class T>
void want(std::vector<for_staff<T>>& changes, int staff, const std::optional<T>& now,
          const std::optional<T>& wanted) {
  if (wanted && now != wanted) changes.push_back({static_cast<std::uint8_t>(staff), *wanted, {}});
}

/// A change that is the same for all staves is written once.
template <class T>
void unite(std::vector<for_staff<T>>& changes, int staves) {
  if (static_cast<int>(changes.size()) != staves ||
      !std::all_of(changes.begin(), changes.end(),
                   [&](auto& c) { return c.value == changes.front().value; }))
    return;
  changes.resize(1);
  changes.front().staff.reset();
}

template <class T>
void drop_what_is_set(std::vector<for_staff<T>>& changes, const std::vector<for_staff<T>>& own) {
  std::erase_if(changes, [&](auto& c) {
    return std::any_of(own.begin(), own.end(),
                       [&](auto& o) { return !o.staff || o.staff == c.staff; });
  });
}

}  // namespace

void untie(score_draft& draft, std::size_t p, const note_place& at, span_end end) {
  auto& n = std::get<chord_rest>(draft.open(p, at.measure).items[at.item].content).notes[at.note];
  if (end == span_end::start)
    n.tie.start = n.tie.start_undrawn = false;
  else
    n.tie.stop = n.tie.stop_undrawn = false;
  erase_tied(n, end);
}

void erase_ends(score_draft& draft, std::size_t p, std::vector<spanner_end_place> ends) {
  // From behind, so that indices within a note or direction stay right.
  std::sort(ends.begin(), ends.end(), [](auto& a, auto& b) { return a.index > b.index; });
  for (auto& e : ends)
    erase_end(draft, p, e);
}

void cut_lines(score_draft& draft, std::size_t p, const part& before, std::size_t first,
               std::size_t end, const std::function<bool(std::size_t, std::size_t)>& removed,
               tuplet_brackets tuplets) {
  auto gone = [&](std::size_t m, std::size_t i) { return m >= first && m < end && removed(m, i); };
  for (auto m = first; m < end; ++m)
    for (std::size_t i = 0; i < before.measures[m]->items.size(); ++i) {
      auto* x = std::get_if<chord_rest>(&before.measures[m]->items[i].content);
      if (!x || !gone(m, i)) continue;
      for (std::size_t n = 0; n < x->notes.size(); ++n) {
        note_place at{m, i, n};
        auto stays = [&](const note_place& other) { return !gone(other.measure, other.item); };
        for (auto& next : all_tied_to(before, at))
          if (stays(next)) untie(draft, p, next, span_end::stop);
        // Another ending of the repeat may still need the start.
        if (auto last = tied_from(before, at); last && stays(*last)) {
          auto all = all_tied_to(before, *last);
          if (std::none_of(all.begin(), all.end(), stays)) untie(draft, p, *last, span_end::start);
        }
      }
    }

  auto end_gone = [&](const spanner_end_place& e) {
    if (e.kind == spanner_kind::tuplet && tuplets == tuplet_brackets::keep) return false;
    return gone(e.measure, e.item);
  };
  std::vector<spanner_end_place> orphans;
  for (auto& [start, stop] : lines_around(before, first, end, end_gone).pairs)
    if (end_gone(start) != end_gone(stop)) orphans.push_back(end_gone(start) ? stop : start);
  erase_ends(draft, p, std::move(orphans));
}

void repair_edges(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                  std::size_t lost, std::size_t put) {
  const auto end = first + lost;
  auto moved = [&](std::size_t m) { return m < first ? m : m - lost + put; };

  std::vector<note_place> starts, stops;  // outside, as they stand now
  if (first > 0)
    each_note(before, first - 1, [&](const note_place& at) {
      if (auto next = tied_to(before, at); next && next->measure >= first) starts.push_back(at);
    });
  auto find_stops = [&](std::size_t m) {
    each_note(before, m, [&](const note_place& at) {
      auto previous = tied_from(before, at);
      if (!previous || previous->measure >= end) return;
      stops.push_back({moved(at.measure), at.item, at.note});
    });
  };
  // A tie may have led over the edge into another ending than the next.
  for (auto m = first; m < end; ++m)
    if (starts_ending(*before.measures[m]))
      each_note(before, m, [&](const note_place& at) {
        if (auto previous = tied_from(before, at); previous && previous->measure < first)
          starts.push_back(*previous);
      });
  find_stops(end);
  // A tie into a second ending comes from before the first one, however long that is.
  auto& all = before.measures;
  for (auto m = all.next_ending(end + 1); m < all.size(); m = all.next_ending(m + 1))
    if (starts_ending(all.music_at(m))) find_stops(m);
  for (auto& at : starts)
    cut_if_loose(draft, p, at, span_end::start);
  for (auto& at : stops)
    cut_if_loose(draft, p, at, span_end::stop);
  // What was put there may have its ends from the music that crossed the edge.
  std::vector<note_place> inside;
  if (put > 0 && lost > 0) {
    if (!starts.empty())
      each_note(draft.view(p), first, [&](const note_place& at) { inside.push_back(at); });
    for (auto& at : inside)
      cut_if_loose(draft, p, at, span_end::stop);
    inside.clear();
    if (!stops.empty())
      each_note(draft.view(p), first + put - 1,
                [&](const note_place& at) { inside.push_back(at); });
    for (auto& at : inside)
      cut_if_loose(draft, p, at, span_end::start);
  }
  number_what_came(draft, p, before, first, lost, put);
  if (lost == 0) return;

  auto in_lost = [&](const spanner_end_place& e) { return e.measure >= first && e.measure < end; };
  std::vector<spanner_end_place> outer;
  auto from = first, to = first + put;
  for (auto& [start, stop] : lines_around(before, first, end, in_lost).pairs) {
    if (in_lost(start) == in_lost(stop)) continue;
    auto& e = outer.emplace_back(in_lost(start) ? stop : start);
    e.measure = moved(e.measure);
    from = std::min(from, e.measure);
    to = std::max(to, e.measure + 1);
  }
  auto is_outer = [&](const spanner_end_place& e) {
    return std::find(outer.begin(), outer.end(), e) != outer.end();
  };
  auto now = lines_around(draft.view(p), from, to, is_outer);
  std::vector<spanner_end_place> orphans;
  // Two halves of different lines do not make one.
  for (auto& [start, stop] : now.pairs)
    if (is_outer(start) && is_outer(stop)) orphans.insert(orphans.end(), {start, stop});
  for (auto& e : now.unpaired) {
    auto was_partner_of = [&](const spanner_end_place& o) {
      return e.kind == o.kind && e.number == o.number && e.start != o.start;
    };
    auto put_there = e.measure >= first && e.measure < first + put;
    if (is_outer(e) || (put_there && std::any_of(outer.begin(), outer.end(), was_partner_of)))
      orphans.push_back(e);
  }
  erase_ends(draft, p, std::move(orphans));
}

void repair_ties(score_draft& draft, std::size_t p, const part& before, std::size_t measure,
                 std::size_t item) {
  auto x = chord_at(before, measure, item);
  if (!x) return;
  for (std::size_t n = 0; n < x->notes.size(); ++n) {
    note_place at{measure, item, n};
    if (auto all = all_tied_to(before, at); !all.empty()) {
      cut_if_loose(draft, p, at, span_end::start);
      for (auto& next : all)
        cut_if_loose(draft, p, next, span_end::stop);
    }
    if (auto previous = tied_from(before, at)) {
      cut_if_loose(draft, p, at, span_end::stop);
      cut_if_loose(draft, p, *previous, span_end::start);
    }
  }
}

void repair_lines(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                  std::size_t end) {
  const auto& part_now = draft.view(p);
  std::vector<spanner_end_place> touched;
  for (auto& e : spanner_ends(before, first, end)) {
    auto& item = before.measures[e.measure]->items[e.item];
    auto& now = part_now.measures[e.measure]->items;
    if (std::find(now.begin(), now.end(), item) == now.end()) touched.push_back(e);
  }
  std::set<spanner_end_place, earlier_end> touched_ends(touched.begin(), touched.end());
  auto is_touched = [&](const spanner_end_place& e) { return touched_ends.contains(e); };
  // Which line has the end.
  std::map<spanner_end_place, std::size_t, earlier_end> starts, stops;
  auto from = first, to = end;
  for (auto& [start, stop] : lines_around(before, first, end, is_touched).pairs) {
    if (!is_touched(start) && !is_touched(stop)) continue;
    from = std::min(from, start.measure);
    to = std::max(to, stop.measure + 1);
    auto line = starts.size() + stops.size();
    starts.emplace(start, line);
    stops.emplace(stop, line);
  }
  auto was_whole = [&](const spanner_end_place& e) {
    return (e.start ? starts : stops).contains(e);
  };
  auto now = lines_around(part_now, from, to, was_whole);
  std::vector<spanner_end_place> orphans;
  for (auto& e : now.unpaired)
    if (was_whole(e)) orphans.push_back(e);
  // Two halves of different lines do not make one.
  for (auto& [start, stop] : now.pairs)
    if (was_whole(start) && was_whole(stop) && starts.at(start) != stops.at(stop))
      orphans.insert(orphans.end(), {start, stop});
  erase_ends(draft, p, std::move(orphans));
}

void drop_empty_directions(measure& m) {
  erase_if(m.items, [](auto& item) {
    auto* d = std::get_if<direction>(&item.content);
    return d && d->types.empty() && !d->sound && !d->extra;
  });
}

bool changes_context(const measure& m) {
  return std::any_of(m.items.begin(), m.items.end(),
                     [](auto& item) { return std::holds_alternative<attributes>(item.content); });
}

attributes without_what_holds(attributes a, const part_state& now, const attributes& kept) {
  // A clef without a number is the clef of the first staff, all else without one is of all staves.
  auto drop = [&](auto list, auto member, bool of_all) {
    std::erase_if(a.*list, [&](auto& c) {
      auto& stays = kept.*list;
      if (std::find(stays.begin(), stays.end(), c) != stays.end()) return false;
      auto last = c.staff.value_or(of_all ? now.staves() : 1);
      for (int s = c.staff.value_or(1); s <= last; ++s)
        if (now.staff(s).*member != c.value) return false;
      return true;
    });
  };
  drop(&attributes::keys, &staff_state::key, true);
  drop(&attributes::times, &staff_state::time, true);
  drop(&attributes::transpositions, &staff_state::transpose, true);
  drop(&attributes::clefs, &staff_state::clef, false);
  if (a.staves == now.staves() && kept.staves != a.staves) a.staves.reset();
  return a;
}

void keep_context(score_draft& draft, std::size_t p, std::size_t index, const part_state& wanted) {
  if (index >= draft.view(p).measures.size()) return;
  auto now = state_before(draft.view(p), index);
  attributes a;
  if (now.staves() < wanted.staves()) a.staves = wanted.staves();
  for (int s = 1; s <= wanted.staves(); ++s) {
    auto& n = now.staff(s);
    auto& w = wanted.staff(s);
    want(a.keys, s, n.key, w.key);
    want(a.times, s, n.time, w.time);
    want(a.clefs, s, n.clef, w.clef);
    want(a.transpositions, s, n.transpose, w.transpose);
  }
  for (auto& f : wanted.standing())
    if (std::find(now.standing().begin(), now.standing().end(), f) == now.standing().end())
      a.others.push_back(f);
  for (auto& item : draft.view(p, index).items)
    if (auto* own = std::get_if<attributes>(&item.content); own && item.at == measure_position{}) {
      drop_what_is_set(a.keys, own->keys);
      drop_what_is_set(a.times, own->times);
      drop_what_is_set(a.transpositions, own->transpositions);
      std::erase_if(a.clefs, [&](auto& c) {
        return std::any_of(own->clefs.begin(), own->clefs.end(),
                           [&](auto& o) { return o.staff.value_or(1) == c.staff; });
      });
      if (own->staves) a.staves.reset();
      std::erase_if(a.others, [&](auto& f) {
        return std::any_of(own->others.begin(), own->others.end(),
                           [&](auto& o) { return standing_key(o) == standing_key(f); });
      });
    }
  unite(a.keys, wanted.staves());
  unite(a.times, wanted.staves());
  unite(a.transpositions, wanted.staves());
  if (wanted.staves() == 1) unite(a.clefs, 1);
  if (a == attributes{}) return;
  place_attributes(draft.open(p, index), measure_position{}, "1", a);
}

}  // namespace fermata
