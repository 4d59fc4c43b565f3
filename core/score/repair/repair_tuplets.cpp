#include "core/score/repair/repair_tuplets.hpp"

#include "core/score/model/spanners.hpp"
#include "core/score/repair/repair.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace fermata {

namespace {

/// The brackets of some measures, and ends that have no other end.
struct brackets {
  std::vector<std::pair<spanner_end_place, spanner_end_place>> pairs;  ///< start, stop
  std::vector<spanner_end_place> unpaired;
};

using bracket = std::pair<spanner_end_place, spanner_end_place>;

brackets brackets_in(const part& p, std::size_t first, std::size_t end) {
  auto ends = spanner_ends(p, first, end);
  std::erase_if(ends, [](auto& e) { return e.kind != spanner_kind::tuplet; });
  auto found = pair_spanners(ends);
  std::erase_if(found.pairs, [](auto& b) { return b.first.voice != b.second.voice; });
  return {std::move(found.pairs), std::move(found.unpaired)};
}

using bracket_place = std::pair<std::size_t, measure_position>;
bracket_place place_of(const spanner_end_place& e) { return {e.measure, e.at}; }

bool same_bracket(const bracket& a, const bracket& b) {
  return same_end(a.first, b.first) && same_end(a.second, b.second);
}
template <class List>
bool has_end(const List& ends, const spanner_end_place& e) {
  return std::any_of(ends.begin(), ends.end(), [&](auto& x) { return same_end(x, e); });
}
bool has_bracket(const brackets& in, const bracket& b) {
  return std::any_of(in.pairs.begin(), in.pairs.end(), [&](auto& x) { return same_bracket(x, b); });
}

bool holds(const bracket& outer, const bracket& inner) {
  return outer.first.voice == inner.first.voice && place_of(outer.first) <= place_of(inner.first) &&
         place_of(inner.second) <= place_of(outer.second);
}
bool overlap(const bracket& a, const bracket& b) {
  return a.first.voice == b.first.voice && place_of(a.first) <= place_of(b.second) &&
         place_of(b.first) <= place_of(a.second);
}

const chord_rest* timed(const measure_item& item, const std::string& voice) {
  auto* x = std::get_if<chord_rest>(&item.content);
  return x && !x->grace && x->voice == voice && x->length > quarters{} ? x : nullptr;
}
chord_rest& chord_of(score_draft& draft, std::size_t p, const spanner_end_place& e) {
  return std::get<chord_rest>(draft.open(p, e.measure).items.own()[e.item].content);
}
spanner& spanner_of(score_draft& draft, std::size_t p, const spanner_end_place& e) {
  return chord_of(draft, p, e).notes[e.note].spanners[e.index];
}

using ratio = std::pair<int, int>;
std::optional<ratio> ratio_of(const chord_rest& x) {
  if (!x.tuplet) return std::nullopt;
  return ratio{x.tuplet->actual, x.tuplet->normal};
}

/// The ratio of what stands in a bracket and in none within it.
std::optional<ratio> ratio_in(const part& p, const brackets& all, const bracket& b) {
  for (auto m = b.first.measure; m <= b.second.measure; ++m)
    for (auto& item : p.measures[m]->items) {
      auto* x = timed(item, b.first.voice);
      bracket_place at{m, item.at};
      if (!x || at < place_of(b.first) || place_of(b.second) < at) continue;
      auto deeper = std::any_of(all.pairs.begin(), all.pairs.end(), [&](auto& o) {
        return !same_bracket(o, b) && o.first.voice == b.first.voice && holds(b, o) &&
               place_of(o.first) <= at && at <= place_of(o.second);
      });
      if (!deeper) return ratio_of(*x);
    }
  return std::nullopt;
}

/// What stands now where the note with this end of a bracket stood, if it divides time as that did.
std::optional<std::size_t> heir(const part& before, const part& now, const spanner_end_place& e) {
  auto& was = before.measures[e.measure]->items[e.item];
  auto& old = std::get<chord_rest>(was.content);
  auto& items = now.measures[e.measure]->items;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (auto* x = timed(items[i], e.voice); x && ratio_of(*x) == ratio_of(old))
      if (e.start ? items[i].at == was.at : items[i].at + x->length == was.at + old.length)
        return i;
  return std::nullopt;
}

/// Brackets as they stand now; ends of two that were there do not make one.
brackets brackets_now(const score_draft& draft, std::size_t p, const brackets& were,
                      std::size_t first, std::size_t end) {
  auto now = brackets_in(draft.view(p), first, end);
  auto whose = [&](const spanner_end_place& e) {
    return std::find_if(were.pairs.begin(), were.pairs.end(),
                        [&](auto& b) { return same_end(e.start ? b.first : b.second, e); });
  };
  auto halves = std::stable_partition(now.pairs.begin(), now.pairs.end(), [&](auto& b) {
    auto one = whose(b.first), two = whose(b.second);
    return one == were.pairs.end() || two == were.pairs.end() || one == two;
  });
  for (auto b = halves; b != now.pairs.end(); ++b)
    now.unpaired.insert(now.unpaired.end(), {b->first, b->second});
  now.pairs.erase(halves, now.pairs.end());
  return now;
}

/// Gives the ends of brackets that were lost to what stands there now.
void hand_on(score_draft& draft, std::size_t p, const part& before, const brackets& were,
             std::size_t first, std::size_t end) {
  auto now = brackets_now(draft, p, were, first, end);
  for (auto& b : were.pairs) {
    auto lost_start = has_end(now.unpaired, b.second), lost_stop = has_end(now.unpaired, b.first);
    if (lost_start == lost_stop) continue;
    auto& lost = lost_start ? b.first : b.second;
    auto item = heir(before, draft.view(p), lost);
    if (!item) continue;
    auto made = b;
    (lost_start ? made.first : made.second).at = draft.view(p, lost.measure).items[*item].at;
    // Not across a bracket that came with the new music.
    if (std::any_of(now.pairs.begin(), now.pairs.end(), [&](auto& o) {
          return overlap(o, made) && !holds(o, made) && !holds(made, o);
        }))
      continue;
    auto& x = std::get<chord_rest>(draft.open(p, lost.measure).items.own()[*item].content);
    auto& spanners = x.notes.front().spanners;
    // Outer brackets open before inner ones, and close after them.
    auto at = std::find_if(spanners.begin(), spanners.end(), [&](auto& s) {
      return lost_start && s.kind == spanner_kind::tuplet && s.end == span_end::start &&
             s.number >= lost.number;
    });
    auto& old = std::get<chord_rest>(before.measures[lost.measure]->items[lost.item].content);
    spanners.insert(at, old.notes[lost.note].spanners[lost.index]);
    now = brackets_now(draft, p, were, first, end);
  }
}

/// One bracket that was not there before and stands in one that was, or has the number of another
/// around it, goes or gets a number of its own, if there is one.
bool renest(score_draft& draft, std::size_t p, const part& before, const brackets& were,
            std::size_t first, std::size_t end) {
  auto now = brackets_now(draft, p, were, first, end);
  for (auto& inner : now.pairs) {
    if (has_bracket(were, inner)) continue;
    // The innermost one around it.
    const bracket* outer = nullptr;
    auto was_there = false;
    for (auto& o : now.pairs) {
      auto old = has_bracket(were, o);
      if (o == inner || !holds(o, inner) || (holds(inner, o) && !old)) continue;
      if (!old && o.first.number != inner.first.number) continue;
      if (outer && holds(o, *outer)) continue;
      outer = &o;
      was_there = old;
    }
    if (!outer) continue;
    auto around = was_there ? ratio_in(before, were, *outer) : ratio_in(draft.view(p), now, *outer);
    auto own = ratio_in(draft.view(p), now, inner);
    if (!around || !own || around == own) {
      for (auto& e : {inner.second, inner.first}) {
        auto& spanners = chord_of(draft, p, e).notes[e.note].spanners;
        spanners.erase(spanners.begin() + static_cast<std::ptrdiff_t>(e.index));
      }
      return true;
    }
    if (std::none_of(now.pairs.begin(), now.pairs.end(), [&](auto& o) {
          return o != inner && o.first.number == inner.first.number && overlap(o, inner);
        }))
      continue;
    std::set<int> taken;
    for (auto& o : now.pairs)
      if (overlap(o, inner)) taken.insert(o.first.number);
    std::uint8_t number = 1;
    while (taken.contains(number))
      ++number;
    spanner_of(draft, p, inner.first).number = number;
    spanner_of(draft, p, inner.second).number = number;
    return true;
  }
  return false;
}

bool is_other_measure(const part& a, const part& b, std::size_t m) {
  return m >= a.measures.size() || m >= b.measures.size() || a.measures[m] != b.measures[m];
}

/// Runs of measures that no bracket reaches out of, before or now: mostly each measure is one. What
/// is done in one does not depend on the others, so a long edit costs no more than its measures.
std::vector<std::pair<std::size_t, std::size_t>> bracketed_runs(const part& before, const part& now,
                                                                std::size_t first,
                                                                std::size_t end) {
  // Nobody writes a tuplet over more barlines.
  constexpr std::size_t reach = 4;
  auto from = first > reach ? first - reach : 0;
  auto to = std::min(end + reach, std::max(before.measures.size(), now.measures.size()));
  std::vector<bool> crossed(to);  // the barline in front of a measure
  for (auto* p : {&before, &now})
    for (auto& [start, stop] : brackets_in(*p, from, to).pairs)
      for (auto m = start.measure; m < stop.measure; ++m)
        crossed[m + 1] = true;
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  for (auto m = from; m < to; ++m)
    if (crossed[m] && !runs.empty())
      runs.back().second = m + 1;
    else
      runs.emplace_back(m, m + 1);
  return runs;
}

}  // namespace

void repair_tuplets(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                    std::size_t end) {
  for (auto [from, to] : bracketed_runs(before, draft.view(p), first, end)) {
    auto is_written = false;
    for (auto m = from; m < to; ++m)
      is_written = is_written || is_other_measure(before, draft.view(p), m);
    if (!is_written) continue;
    auto were = brackets_in(before, from, to);
    if (were.pairs.empty()) continue;
    hand_on(draft, p, before, were, from, to);
    while (renest(draft, p, before, were, from, to))
      ;
  }
  repair_lines(draft, p, before, first, end);
}

}  // namespace fermata
