#include "midi/performance/harmonic.hpp"

#include "midi/performance/playback_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace fermata::midi {

namespace {

const mark* harmonic_of(const note& n) {
  auto found = std::find_if(n.marks.begin(), n.marks.end(),
                            [](auto& m) { return m.kind == mark_kind::harmonic; });
  return found == n.marks.end() ? nullptr : &*found;
}

bool says(const note& n, std::string_view element) {
  auto mark = harmonic_of(n);
  return mark && !child_of(mark->extra, element).empty();
}

/// The note of the chord whose harmonic has this child; null: there is none.
const note* note_saying(const chord_rest& chord, std::string_view element) {
  auto found = std::find_if(chord.notes.begin(), chord.notes.end(),
                            [&](auto& n) { return says(n, element); });
  return found == chord.notes.end() ? nullptr : &*found;
}

struct node {
  int touched, sounds;  ///< semitones above the base
};
constexpr std::array<node, 6> nodes = {{{12, 12}, {7, 19}, {5, 24}, {9, 28}, {4, 28}, {3, 31}}};

}  // namespace

std::optional<int> harmonic_shift(const chord_rest& chord, const note& n) {
  if (!harmonic_of(n)) return 0;
  auto is_part = says(n, "base-pitch") || says(n, "touching-pitch");
  if (!is_part) return 0;
  if (note_saying(chord, "sounding-pitch")) return std::nullopt;
  auto base = note_saying(chord, "base-pitch"), touching = note_saying(chord, "touching-pitch");
  if (!base || !touching) return 0;
  auto low = std::get_if<pitch>(&base->tone), high = std::get_if<pitch>(&touching->tone);
  if (!low || !high) return 0;
  auto cents = midi_cents(*high) - midi_cents(*low);
  auto found = std::find_if(nodes.begin(), nodes.end(),
                            [&](auto& node) { return node.touched * 100 == cents; });
  if (found == nodes.end()) return 0;
  if (&n != base) return std::nullopt;
  return found->sounds * 100;
}

}  // namespace fermata::midi
