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

measure_origin origin_of(const session_state& s, const part& p, std::size_t measure) {
  auto& m = *p.measures[measure];
  measure_origin origin;
  origin.notes = unexplained(m);
  auto identities = notes_in(m);
  auto open = origin.notes.size();
  auto index = std::optional{measure};
  for (auto& stretch : lineage(s)) {
    for (auto i = stretch.last; i >= stretch.first && index; --i) {
      auto entry = s.history.at(i);
      auto delta = delta_of(*entry);
      if (!delta || delta->empty()) continue;
      auto effect = effect_of(*delta, p.id, *index);
      if (effect.touched) origin.entries.push_back(i);
      // Of the current branch it is known which steps still hold.
      auto taken_back = stretch.branch == s.branch &&
                        std::holds_alternative<eval_entry>(entry->kind) && !s.undo.empty() &&
                        i >= s.undo[0] && !contains(s.undo, i);
      taken_back = taken_back || (stretch.branch == s.branch && contains_step(s.redo, i));
      if (open > 0 && effect.touched && !taken_back && !moves_steps(*entry))
        for (std::size_t n = 0; n < identities.size(); ++n)
          if (origin.notes[n].entry == 0 && contains(effect.after, identities[n]) &&
              !contains(effect.before, identities[n])) {
            origin.notes[n].entry = i;
            --open;
          }
      index = effect.made_part ? std::nullopt : effect.index_before;
    }
    if (!index) break;
  }
  return origin;
}

}  // namespace fermata
