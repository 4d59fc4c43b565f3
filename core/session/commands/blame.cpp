#include "core/session/commands/blame.hpp"

#include "core/music/duration.hpp"
#include "core/score/merge/alignment.hpp"
#include "core/session/commands/measure_history.hpp"
#include "core/session/timeline/branches.hpp"

#include <algorithm>
#include <compare>
#include <optional>

namespace fermata {

namespace {

std::string tone_text(const tone& t) {
  if (auto p = std::get_if<pitch>(&t)) return to_string(*p);
  return "percussion";
}

std::vector<note_origin> unexplained(const measure& m) {
  std::vector<note_origin> all;
  for (auto& item : m.items)
    if (auto x = std::get_if<chord_rest>(&item.content))
      for (auto& n : x->notes)
        if (!std::holds_alternative<rest>(n.tone))
          all.push_back({item.at, x->voice, std::max<int>(x->staff, 1),
                         tone_text(n.tone) + (x->written ? " :" + to_string(*x->written) : ""), 0});
  return all;
}

/// What one entry did to the measure.
struct effect_on_measure {
  bool touched = false;  ///< in more than its number
  std::vector<note_identity> before, after;
  std::optional<std::size_t> index_before;  ///< nothing: the entry made it
};

effect_on_measure effect_of(const score_delta& d, const std::string& part_id, std::size_t index) {
  effect_on_measure effect;
  effect.index_before = index;
  for (auto& added : d.added)
    if (added.value->id == part_id && index < added.value->measures.size()) {
      effect.touched = true;
      effect.index_before.reset();
      effect.after = notes_in(*added.value->measures[index]);
    }
  for (auto& change : d.changed) {
    if (change.id != part_id) continue;
    auto before = index;  // so far as the replacements passed have moved it
    for (auto& r : change.measures) {
      if (before < r.first) break;
      if (before < r.first + r.after.size()) {
        auto in_stretch = before - r.first;
        effect.touched = true;
        effect.after = notes_in(*r.after[in_stretch]);
        auto was = predecessors(r)[in_stretch];
        if (was && same_music_in(*r.before[*was], *r.after[in_stretch])) effect.touched = false;
        effect.index_before = was ? std::optional{r.first + *was} : std::nullopt;
        if (was) effect.before = notes_in(*r.before[*was]);
        return effect;
      }
      before = before - r.after.size() + r.before.size();
    }
    effect.index_before = before;
  }
  return effect;
}

/// Follows a measure back through the entries of a branch.
class tracker {
public:
  tracker(const session_state& s, std::vector<note_identity> notes)
    : s_(s), notes_(std::move(notes)), writers_(notes_.size()) {}

  /// The entry that wrote each note, as things stood on the branch after entry `last`; 0: none.
  std::vector<std::int64_t> writers(const std::string& branch, std::int64_t last,
                                    const std::string& part_id, std::size_t measure) {
    auto index = std::optional{measure};
    for (auto& stretch : lineage(s_, branch, last)) {
      for (auto i = std::min(stretch.last, last); i >= stretch.first && index && is_looking();) {
        auto entry = s_.history.at_if(i, score_change_query());
        if (!entry) {
          --i;
          continue;
        }
        if (auto same = same_state_as(*entry)) {
          // What lies between was taken back, and the measure stood then where it stands now.
          i = last = *same;
          continue;
        }
        --i;
        auto delta = delta_of(*entry);
        if (!delta || delta->empty()) continue;
        auto effect = effect_of(*delta, part_id, *index);
        if (effect.touched) wrote(*entry, effect, part_id, *index);
        index = effect.index_before;
      }
      if (!index || !is_looking()) break;
    }
    return writers_;
  }

private:
  bool is_looking() const {
    return std::find(writers_.begin(), writers_.end(), 0) != writers_.end();
  }

  void wrote(const history_entry& entry, const effect_on_measure& effect,
             const std::string& part_id, std::size_t index) {
    std::vector<std::size_t> brought;
    for (std::size_t n = 0; n < notes_.size(); ++n)
      if (writers_[n] == 0 && contains(effect.after, notes_[n]) &&
          !contains(effect.before, notes_[n]))
        brought.push_back(n);
    auto merge = std::find_if(s_.merges.begin(), s_.merges.end(),
                              [&](auto& m) { return m.entry == entry.index; });
    auto origins = merge != s_.merges.end() ? written_elsewhere(*merge, brought, part_id, index)
                                            : std::vector<std::int64_t>(brought.size());
    for (std::size_t k = 0; k < brought.size(); ++k)
      writers_[brought[k]] = origins[k] != 0 ? origins[k] : entry.index;
  }

  /// Who wrote notes on the branch that a merge took them from; 0: not found there.
  std::vector<std::int64_t> written_elsewhere(const branch_merge& merge,
                                              const std::vector<std::size_t>& brought,
                                              const std::string& part_id, std::size_t index) const {
    std::vector<note_identity> notes;
    for (auto n : brought)
      notes.push_back(notes_[n]);
    // The measure there that has most of them; of several the one that is the same place.
    struct likeness {
      std::ptrdiff_t notes = 0, place = 0;
      auto operator<=>(const likeness&) const = default;
    } best;
    const part* there = nullptr;
    std::size_t measure = 0;
    std::optional<std::optional<std::size_t>> place;  // looked up when it matters
    auto nearness = [&](std::size_t m) -> std::ptrdiff_t {
      if (!place) place = place_before(merge, index);
      if (*place == m) return 1;
      auto distance = static_cast<std::ptrdiff_t>(m) - static_cast<std::ptrdiff_t>(index);
      return distance < 0 ? distance : -distance;
    };
    for (auto& p : merge.head->parts) {
      for (std::size_t m = 0; m < p->measures.size(); ++m) {
        auto known = notes_in(*p->measures[m]);
        auto common =
            std::count_if(notes.begin(), notes.end(), [&](auto& n) { return contains(known, n); });
        likeness found{2 * common + (p->id == part_id ? 1 : 0)};
        if (common == 0 || found.notes < best.notes) continue;
        if (found.notes == best.notes) {
          best.place = nearness(measure);
          found.place = nearness(m);
        }
        if (!there || found > best) {
          best = found;
          there = p.get();
          measure = m;
        }
      }
    }
    if (!there) return std::vector<std::int64_t>(notes.size());
    return tracker{s_, std::move(notes)}.writers(merge.from, merge.entry - 1, there->id, measure);
  }

  /// The measure of the other branch that stands at this index after the merge; nothing: it is not
  /// known.
  std::optional<std::size_t> place_before(const branch_merge& merge, std::size_t index) const {
    auto after = state_after(s_, merge.entry);
    if (!after) return std::nullopt;
    auto& head = *merge.head;
    for (auto& [there, here] : align_columns(head, *after->score, align_parts(head, *after->score)))
      if (here == index) return there;
    return std::nullopt;
  }

  const session_state& s_;
  std::vector<note_identity> notes_;
  std::vector<std::int64_t> writers_;
};

}  // namespace

measure_origin origin_of(const session_state& s, const part& p, std::size_t measure) {
  measure_origin origin;
  origin.notes = unexplained(*p.measures[measure]);
  tracker track{s, notes_in(*p.measures[measure])};
  auto writers = track.writers(s.branch, s.history.size(), p.id, measure);
  for (std::size_t n = 0; n < writers.size(); ++n)
    origin.notes[n].entry = writers[n];
  origin.entries = entries_of(s, p, measure);
  std::reverse(origin.entries.begin(), origin.entries.end());
  return origin;
}

}  // namespace fermata
