#include "core/score/mend.hpp"

#include "core/score/lines.hpp"
#include "core/score/placing.hpp"
#include "core/score/ties.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// The drawn half of a tie goes with its sounding half.
void erase_tied(note& n, span_end end) {
  std::erase_if(n.spanners, [&](auto& s) { return s.kind == span_kind::tied && s.end == end; });
}

note& open_note(score_draft& draft, std::size_t p, const note_place& at) {
  return std::get<chord_rest>(draft.open(p, at.measure).items[at.item].content).notes[at.note];
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
  if (end == span_end::start && tie.start && !tied_to(now, at)) {
    auto& n = open_note(draft, p, at);
    n.tie.start = n.tie.start_undrawn = false;
    erase_tied(n, end);
  } else if (end == span_end::stop && tie.stop && !tied_from(now, at)) {
    auto& n = open_note(draft, p, at);
    n.tie.stop = n.tie.stop_undrawn = false;
    erase_tied(n, end);
  }
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

/// A line that is not yet closed at the edge is looked for this far at first, then further.
constexpr std::size_t nearest_reach = 4;
/// A tie into a second ending comes from before the first one.
constexpr std::size_t longest_ending = 16;

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

void erase_end(score_draft& draft, std::size_t p, const line_end_place& e) {
  auto& item = draft.open(p, e.measure).items[e.item];
  if (auto* x = std::get_if<chord_rest>(&item.content)) {
    auto& spanners = x->notes[e.note].spanners;
    spanners.erase(spanners.begin() + static_cast<std::ptrdiff_t>(e.index));
  } else if (auto* d = std::get_if<direction>(&item.content)) {
    erase_type(*d, e.index);
  }
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

void cut_lines(score_draft& draft, std::size_t p, const part& before, std::size_t first,
               std::size_t end, const std::function<bool(std::size_t, std::size_t)>& removed) {
  auto gone = [&](std::size_t m, std::size_t i) { return m >= first && m < end && removed(m, i); };
  for (auto m = first; m < end; ++m)
    for (std::size_t i = 0; i < before.measures[m]->items.size(); ++i) {
      auto* x = std::get_if<chord_rest>(&before.measures[m]->items[i].content);
      if (!x || !gone(m, i)) continue;
      for (std::size_t n = 0; n < x->notes.size(); ++n) {
        note_place at{m, i, n};
        if (auto next = tied_to(before, at); next && !gone(next->measure, next->item)) {
          auto& partner = open_note(draft, p, *next);
          partner.tie.stop = partner.tie.stop_undrawn = false;
          erase_tied(partner, span_end::stop);
        }
        if (auto previous = tied_from(before, at);
            previous && !gone(previous->measure, previous->item)) {
          auto& partner = open_note(draft, p, *previous);
          partner.tie.start = partner.tie.start_undrawn = false;
          erase_tied(partner, span_end::start);
        }
      }
    }

  // Most lines are short: look further only while a removed end has found no partner.
  auto from = first, to = end;
  paired_lines lines;
  for (std::size_t reach = 0;; reach = reach == 0 ? 4 : reach * 4) {
    from = first > reach ? first - reach : 0;
    to = std::min(before.measures.size(), end + reach);
    lines = pair_lines(line_ends(before, from, to));
    bool searching = std::any_of(lines.lonely.begin(), lines.lonely.end(),
                                 [&](auto& e) { return gone(e.measure, e.item); });
    if (!searching || (from == 0 && to == before.measures.size())) break;
  }
  std::vector<line_end_place> orphans;
  for (auto& [start, stop] : lines.pairs) {
    auto start_gone = gone(start.measure, start.item), stop_gone = gone(stop.measure, stop.item);
    if (start_gone != stop_gone) orphans.push_back(start_gone ? stop : start);
  }
  // From behind, so that indices within a note or direction stay right.
  std::sort(orphans.begin(), orphans.end(), [](auto& a, auto& b) { return a.index > b.index; });
  for (auto& e : orphans)
    erase_end(draft, p, e);
}

void mend_edges(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                std::size_t lost, std::size_t put) {
  const auto end = first + lost;
  auto moved = [&](std::size_t m) { return m < first ? m : m - lost + put; };

  std::vector<note_place> starts, stops;  // outside, as they stand now
  if (first > 0)
    each_note(before, first - 1, [&](const note_place& at) {
      if (auto next = tied_to(before, at); next && next->measure >= first) starts.push_back(at);
    });
  for (auto m = end; m < std::min(before.measures.size(), end + longest_ending); ++m)
    each_note(before, m, [&](const note_place& at) {
      if (auto previous = tied_from(before, at); previous && previous->measure < end)
        stops.push_back({moved(at.measure), at.item, at.note});
    });
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
  if (lost == 0) return;

  auto in_lost = [&](const line_end_place& e) { return e.measure >= first && e.measure < end; };
  auto from = first, to = end;
  paired_lines lines;
  for (std::size_t reach = 0;; reach = reach == 0 ? nearest_reach : reach * 4) {
    from = first > reach ? first - reach : 0;
    to = std::min(before.measures.size(), end + reach);
    lines = pair_lines(line_ends(before, from, to));
    bool searching = std::any_of(lines.lonely.begin(), lines.lonely.end(), in_lost);
    if (!searching || (from == 0 && to == before.measures.size())) break;
  }
  auto lonely_now = pair_lines(line_ends(draft.view(p), from, to - lost + put)).lonely;
  std::vector<line_end_place> orphans;
  for (auto& [start, stop] : lines.pairs) {
    if (in_lost(start) == in_lost(stop)) continue;
    auto outer = in_lost(start) ? stop : start;
    outer.measure = moved(outer.measure);
    for (auto& e : lonely_now) {
      auto it_is = e == outer;
      auto was_its_partner = e.kind == outer.kind && e.number == outer.number &&
                             e.start != outer.start && e.measure >= first &&
                             e.measure < first + put;
      if ((it_is || was_its_partner) &&
          std::find(orphans.begin(), orphans.end(), e) == orphans.end())
        orphans.push_back(e);
    }
  }
  std::sort(orphans.begin(), orphans.end(), [](auto& a, auto& b) { return a.index > b.index; });
  for (auto& e : orphans)
    erase_end(draft, p, e);
}

void mend_ties(score_draft& draft, std::size_t p, const part& before, std::size_t measure,
               std::size_t item) {
  auto x = chord_at(before, measure, item);
  if (!x) return;
  for (std::size_t n = 0; n < x->notes.size(); ++n) {
    note_place at{measure, item, n};
    if (auto next = tied_to(before, at)) {
      cut_if_loose(draft, p, at, span_end::start);
      cut_if_loose(draft, p, *next, span_end::stop);
    }
    if (auto previous = tied_from(before, at)) {
      cut_if_loose(draft, p, at, span_end::stop);
      cut_if_loose(draft, p, *previous, span_end::start);
    }
  }
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
    }
  unite(a.keys, wanted.staves());
  unite(a.times, wanted.staves());
  unite(a.transpositions, wanted.staves());
  if (wanted.staves() == 1) unite(a.clefs, 1);
  if (a == attributes{}) return;
  place_attributes(draft.open(p, index), measure_position{}, "1", a);
}

}  // namespace fermata
