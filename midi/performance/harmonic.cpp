#include "midi/performance/harmonic.hpp"

#include "midi/performance/playback_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

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

bool has_note_saying(const chord_rest& chord, std::string_view element) {
  return std::any_of(chord.notes.begin(), chord.notes.end(),
                     [&](auto& n) { return says(n, element); });
}

struct pitched_note {
  int cents;  ///< as written
  const note* head;
};

void add_pitched(std::vector<pitched_note>& to, const note& n) {
  if (auto* p = std::get_if<pitch>(&n.tone)) to.push_back({midi_cents(*p), &n});
}

/// The stopped notes of a chord and those where the strings are touched, upwards: of double stops
/// the lowest of each belong together.
struct stopped_strings {
  std::vector<pitched_note> bases, touching;
};

stopped_strings strings_of(const chord_rest& chord) {
  stopped_strings found;
  for (auto& n : chord.notes) {
    if (says(n, "base-pitch")) add_pitched(found.bases, n);
    if (says(n, "touching-pitch")) add_pitched(found.touching, n);
  }
  auto upwards = [](auto& a, auto& b) { return a.cents < b.cents; };
  // Two notes that only say that they are artificial.
  if (chord.notes.size() == 2 && has_note_saying(chord, "artificial") &&
      (found.bases.empty() || found.touching.empty())) {
    std::vector<pitched_note> both;
    for (auto& n : chord.notes)
      add_pitched(both, n);
    std::sort(both.begin(), both.end(), upwards);
    if (both.size() == 2) found = {{both[0]}, {both[1]}};
  }
  std::sort(found.bases.begin(), found.bases.end(), upwards);
  std::sort(found.touching.begin(), found.touching.end(), upwards);
  return found;
}

struct string_node {
  int touched, sounds;  ///< semitones above the base
};
constexpr std::array<string_node, 6> string_nodes = {
    {{12, 12}, {7, 19}, {5, 24}, {9, 28}, {4, 28}, {3, 31}}};

}  // namespace

played_harmonic harmonic_in(const chord_rest& chord, const note& n) {
  bool has_role = says(n, "base-pitch") || says(n, "touching-pitch");
  if (!has_role && !has_note_saying(chord, "artificial")) return {};
  if (has_note_saying(chord, "sounding-pitch")) return {0, has_role, false};
  auto strings = strings_of(chord);
  if (strings.bases.size() == strings.touching.size())
    for (std::size_t i = 0; i < strings.bases.size(); ++i) {
      auto &base = strings.bases[i], &touching = strings.touching[i];
      if (base.head != &n && touching.head != &n) continue;
      auto cents = touching.cents - base.cents;
      auto found = std::find_if(string_nodes.begin(), string_nodes.end(),
                                [&](auto& node) { return node.touched * 100 == cents; });
      if (found == string_nodes.end()) break;
      if (base.head == &n) return {found->sounds * 100, false, false};
      return {0, true, false};
    }
  return {0, false, has_role};
}

}  // namespace fermata::midi
