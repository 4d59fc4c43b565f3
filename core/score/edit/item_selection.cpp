#include "core/score/edit/item_selection.hpp"

#include "core/score/analysis/overfull_voices.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"
#include "core/score/repair/hairpin_numbers.hpp"
#include "core/score/repair/overlapping_spanners.hpp"
#include "core/score/repair/repair.hpp"

#include <algorithm>
#include <optional>

namespace fermata {

result<std::map<std::size_t, items_by_measure>> grouped_by_part(
    const score& s, const std::vector<item_location>& which) {
  std::map<std::size_t, items_by_measure> found;
  for (auto& at : which) {
    if (at.part >= s.parts.size() || at.measure >= s.parts[at.part]->measures.size() ||
        at.item >= s.parts[at.part]->measures[at.measure]->items.size())
      return fail({errc::no_such_target,
                   "the selection was made for an earlier version of the score",
                   {},
                   "select again"});
    found[at.part][at.measure].insert(at.item);
  }
  return found;
}

time_signature time_or_default(const part& p, std::size_t m) {
  return time_in_force(p, m).value_or(time_signature{});
}

void forget_beams(measure& m, const std::string& voice) {
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && x->voice == voice)
      for (auto& n : x->notes)
        n.beams.clear();
}

void renumber_new_spanners(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                           std::size_t end) {
  number_new_hairpins(draft);
  // Brackets of tuplets are repaired by themselves.
  auto lines_in = [](const part& of, std::size_t from, std::size_t to) {
    auto ends = spanner_ends(of, from, to);
    std::erase_if(ends, [](const spanner_end_place& e) { return e.kind == spanner_kind::tuplet; });
    return ends;
  };
  auto fresh = lines_in(draft.view(p), first, end);
  // What is put at the same place comes after what stands there.
  for (auto& old : lines_in(before, first, end)) {
    auto same = std::find_if(fresh.begin(), fresh.end(),
                             [&](const spanner_end_place& e) { return same_end(e, old); });
    if (same != fresh.end()) fresh.erase(same);
  }
  auto came = pair_spanners(fresh).pairs;
  if (came.empty()) return;
  auto stayed = pair_spanners(lines_in(before, 0, before.measures.size())).pairs;
  std::vector<spanner_end_place> orphans;
  for (auto& [start, stop] : renumber_overlapping_spanners(draft, p, stayed, std::move(came)))
    orphans.insert(orphans.end(), {start, stop});
  erase_ends(draft, p, std::move(orphans));
}

result<void> check_voice_lengths(const score& s, std::size_t p, std::size_t m,
                                 const measure& before) {
  auto t = time_or_default(*s.parts[p], m);
  auto& now = *s.parts[p]->measures[m];
  auto old_faults = overfull_voices(before, measure_length(t));
  std::optional<error> faults;
  for (auto& f : overfull_voices(now, measure_length(t))) {
    bool was_there = std::any_of(old_faults.begin(), old_faults.end(), [&](auto& o) {
      return o.kind == f.kind && o.voice == f.voice && o.amount >= f.amount;
    });
    if (was_there) continue;
    if (!faults) faults.emplace();
    faults->diagnostics.push_back({errc::overfull_measure,
                                   place_name(s, p, m) + ": " + to_text(f, now, t),
                                   {},
                                   "shorten something, or move it to the next measure"});
  }
  if (faults) return fail(*faults);
  return {};
}

}  // namespace fermata
