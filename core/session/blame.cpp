#include "core/session/blame.hpp"

#include "core/music/duration.hpp"
#include "core/score/wording.hpp"
#include "core/session/branches.hpp"
#include "core/session/touches.hpp"

#include <algorithm>
#include <optional>

namespace fermata {

namespace {

/// What makes a note this one.
struct note_identity {
  measure_position at;
  std::string voice;
  quarters length;
  fermata::tone tone;
  bool operator==(const note_identity&) const = default;
};

std::string tone_text(const tone& t) {
  if (auto p = std::get_if<pitch>(&t)) return to_string(*p);
  return "percussion";
}

std::vector<note_identity> notes_in(const measure& m) {
  std::vector<note_identity> all;
  for (auto& item : m.items)
    if (auto x = std::get_if<chord_rest>(&item.content))
      for (auto& n : x->notes)
        if (!std::holds_alternative<rest>(n.tone))
          all.push_back({item.at, x->voice, x->length, n.tone});
  return all;
}

std::vector<note_origin> unexplained(const measure& m) {
  std::vector<note_origin> all;
  for (auto& item : m.items)
    if (auto x = std::get_if<chord_rest>(&item.content))
      for (auto& n : x->notes)
        if (!std::holds_alternative<rest>(n.tone))
          all.push_back({item.at, x->voice,
                         tone_text(n.tone) + (x->written ? " :" + to_string(*x->written) : ""), 0});
  return all;
}

bool contains(const std::vector<note_identity>& notes, const note_identity& n) {
  return std::find(notes.begin(), notes.end(), n) != notes.end();
}

bool contains(const undo_steps& steps, std::int64_t entry) {
  // Steps are in ascending order.
  std::size_t low = 0, high = steps.size();
  while (low < high) {
    auto middle = (low + high) / 2;
    if (steps[middle] < entry)
      low = middle + 1;
    else
      high = middle;
  }
  return low < steps.size() && steps[low] == entry;
}

/// Steps that can be made again are few and in descending order.
bool contains_step(const undo_steps& steps, std::int64_t entry) {
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i] == entry) return true;
  return false;
}

/// What one entry did to the measure.
struct effect_on_measure {
  bool touched = false;
  bool made_part = false;
  std::vector<note_identity> before, after;
  std::optional<std::size_t> index_before;
};

effect_on_measure effect_of(const score_delta& d, const std::string& part_id, std::size_t index) {
  effect_on_measure effect;
  effect.index_before = index;
  for (auto& added : d.added)
    if (added.value->id == part_id && index < added.value->measures.size()) {
      effect.touched = effect.made_part = true;
      effect.after = notes_in(*added.value->measures[index]);
    }
  for (auto& change : d.changed) {
    if (change.id != part_id) continue;
    std::ptrdiff_t shift = 0;
    for (auto& r : change.measures) {
      auto first = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(r.first) + shift);
      if (index >= first && index < first + r.after.size()) {
        effect.touched = true;
        effect.after = notes_in(*r.after[index - first]);
        for (std::size_t i = 0; i < r.before.size(); ++i)
          if (r.before.size() != r.after.size() || i == index - first) {
            auto notes = notes_in(*r.before[i]);
            effect.before.insert(effect.before.end(), notes.begin(), notes.end());
          }
      }
      shift += static_cast<std::ptrdiff_t>(r.after.size()) -
               static_cast<std::ptrdiff_t>(r.before.size());
    }
    effect.index_before = index_before(change, index);
  }
  return effect;
}

/// `:undo` and `:redo` write nothing of their own.
bool moves_steps(const history_entry& e) {
  auto command = std::get_if<command_entry>(&e.kind);
  if (!command) return false;
  auto word = command->text.substr(0, command->text.find_first_of(" \t"));
  return word == ":undo" || word == ":u" || word == ":redo";
}

}  // namespace

namespace {

/// Whether an evaluation was taken back on its branch, and not made again.
bool was_taken_back(const session_state& s, const std::string& branch_name,
                    const history_entry& entry) {
  auto b = find_branch(s, branch_name);
  auto& undo = branch_name == s.branch || !b ? s.undo : b->undo;
  auto& redo = branch_name == s.branch || !b ? s.redo : b->redo;
  if (contains_step(redo, entry.index)) return true;
  // Steps older than those that are kept hold.
  return std::holds_alternative<eval_entry>(entry.kind) && !undo.empty() &&
         entry.index >= undo[0] && !contains(undo, entry.index);
}

/// Follows the measure back and gives notes that have no writer yet to the newest entry that
/// brought them. `all`: also to what was taken back later, on the branch that this one left before.
void find_writers(const session_state& s, const part& p, std::size_t measure, bool all,
                  measure_origin& origin) {
  auto identities = notes_in(*p.measures[measure]);
  auto index = std::optional{measure};
  for (auto& stretch : lineage(s)) {
    for (auto i = stretch.last; i >= stretch.first && index; --i) {
      auto entry = s.history.at(i);
      auto delta = delta_of(*entry);
      if (!delta || delta->empty()) continue;
      auto effect = effect_of(*delta, p.id, *index);
      if (effect.touched && !all) origin.entries.push_back(i);
      if (effect.touched && !moves_steps(*entry) &&
          (all || !was_taken_back(s, stretch.branch, *entry)))
        for (std::size_t n = 0; n < identities.size(); ++n)
          if (origin.notes[n].entry == 0 && contains(effect.after, identities[n]) &&
              !contains(effect.before, identities[n]))
            origin.notes[n].entry = i;
      // A part that `:undo` or `:redo` brought back had been made before.
      if (!moves_steps(*entry))
        index = effect.made_part ? std::nullopt : effect.index_before;
      else if (!effect.made_part)
        index = effect.index_before;
    }
    if (!index) return;
  }
}

}  // namespace

measure_origin origin_of(const session_state& s, const part& p, std::size_t measure) {
  measure_origin origin;
  origin.notes = unexplained(*p.measures[measure]);
  find_writers(s, p, measure, false, origin);
  if (std::any_of(origin.notes.begin(), origin.notes.end(), [](auto& n) { return n.entry == 0; }))
    find_writers(s, p, measure, true, origin);
  return origin;
}

}  // namespace fermata
