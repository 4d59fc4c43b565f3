#pragma once

#include "core/lang/layout/layers.hpp"
#include "core/lang/transform/copying.hpp"
#include "core/lang/value/make.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// The voice of a note, by name and staff or by its position among simultaneous music. The first
/// one is the voice of what comes before and after.
using voice_line = std::string;

/// Calls `visit(note, line)` for the notes, chords and rests with a duration, each with its line;
/// it returns the replacement, or nothing to keep the note.
template <class Visit>
music_ptr each_in_time(const music_ptr& m, const voice_line& line, copying& walk,
                       const Visit& visit) {
  if (!walk.goes_on() || as_node<grace_music>(*m)) return m;
  if (auto c = leaf<chord_rest>(*m)) {
    if (c->grace || c->notes.empty()) return m;
    auto own = c->voice.empty() || c->voice == "1" ? line : line + " voice " + c->voice;
    auto changed = visit(*c, own);
    return changed ? make_music(measure_content{std::move(*changed)}, m->span) : m;
  }
  auto items = items_of(*m);
  if (!items) return m;
  auto inside = line;
  if (auto v = as_node<voice_music>(*m)) {
    if (v->voice != "1") inside += " voice " + v->voice;
  } else if (auto s = as_node<staff_music>(*m)) {
    if (s->staff > 1) inside += " staff " + std::to_string(s->staff);
  }
  auto together =
      as_node<par_music>(*m) || as_node<score_music>(*m) || as_node<part_group_music>(*m);
  std::vector<music_ptr> out;
  out.reserve(items->size());
  auto before = 0;  // marks next to the notes of a voice are not a voice
  for (const auto& x : *items) {
    out.push_back(each_in_time(
        x, together && before > 0 ? inside + " " + std::to_string(before) : inside, walk, visit));
    before += holds_notes(*x) ? 1 : 0;
  }
  return with_items(*m, std::move(out));
}

}  // namespace fermata
