#include "core/theory/chord_type.hpp"

#include "core/music/name_match.hpp"
#include "core/theory/table_cells.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fermata {

namespace {

bool lower_in_sound(pitch a, pitch b) {
  auto ca = midi_cents(a), cb = midi_cents(b);
  return ca != cb ? ca < cb : a.diatonic_index() < b.diatonic_index();
}

std::vector<interval> sorted(std::vector<interval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](interval a, interval b) {
    return std::pair{a.steps, a.semitones} < std::pair{b.steps, b.semitones};
  });
  return intervals;
}

}  // namespace

const std::vector<chord_type>& chord_table() {
  static const std::vector<chord_type> table{
#define CHORD(symbol, name, intervals, aliases, words, kind) \
  {symbol,                                                   \
   name,                                                     \
   detail::interval_list(intervals),                         \
   detail::name_list(aliases),                               \
   detail::name_list(words),                                 \
   kind},
#include "core/theory/chord_table.inc"
#undef CHORD
  };
  return table;
}

const chord_type* find_chord(std::string_view name) {
  auto is = [name](std::string_view other) { return other == name; };
  for (const auto& c : chord_table())
    if (c.symbol == name || std::any_of(c.aliases.begin(), c.aliases.end(), is)) return &c;
  if (name.empty()) return nullptr;
  auto is_word = [name](std::string_view other) { return same_name(other, name); };
  for (const auto& c : chord_table())
    if (same_name(c.name, name) || std::any_of(c.words.begin(), c.words.end(), is_word)) return &c;
  return nullptr;
}

const chord_type* find_musicxml_kind(std::string_view kind) {
  if (kind.empty()) return nullptr;
  for (const auto& c : chord_table())
    if (c.musicxml_kind == kind) return &c;
  return nullptr;
}

const chord_type* find_chord(const std::vector<interval>& intervals) {
  auto wanted = sorted(intervals);
  for (const auto& c : chord_table())
    if (sorted(c.intervals) == wanted) return &c;
  return nullptr;
}

int rarity(const chord_type& c) {
  constexpr std::pair<std::string_view, int> known[] = {
      {"M", 0},     {"m", 0},    {"dim", 1},  {"aug", 1},    {"7", 1},  {"maj7", 2},
      {"m7", 2},    {"m7b5", 2}, {"dim7", 2}, {"sus4", 3},   {"6", 3},  {"m6", 3},
      {"m/ma7", 4}, {"7#5", 4},  {"sus2", 4}, {"9", 4},      {"m9", 4}, {"maj9", 4},
      {"7sus4", 4}, {"5", 5},    {"7b9", 5},  {"maj7#5", 5},
  };
  for (auto [symbol, value] : known)
    if (c.symbol == symbol) return value;
  return c.musicxml_kind.empty() && c.name.empty() ? 10 : 7;
}

std::vector<pitch_name> chord_names(pitch_name root, const std::vector<interval>& intervals) {
  std::vector<pitch_name> names;
  for (auto i : intervals)
    names.push_back(transposed(root, i));
  return names;
}

std::vector<pitch> chord_pitches(pitch root, const std::vector<interval>& intervals) {
  std::vector<pitch> pitches;
  for (auto i : intervals)
    pitches.push_back(transposed(root, i));
  return pitches;
}

std::vector<pitch> chord_inversion(std::vector<pitch> pitches, int n) {
  if (pitches.size() < 2) return pitches;
  // Twenty turns lead out of every instrument's range; a number from outside must not loop.
  n = std::clamp(n, -60, 60);
  std::sort(pitches.begin(), pitches.end(), lower_in_sound);
  for (; n > 0; --n) {
    auto lifted = pitches.front();
    while (!lower_in_sound(pitches.back(), lifted))
      ++lifted.octave;
    std::rotate(pitches.begin(), pitches.begin() + 1, pitches.end());
    pitches.back() = lifted;
  }
  for (; n < 0; ++n) {
    auto dropped = pitches.back();
    while (!lower_in_sound(dropped, pitches.front()))
      --dropped.octave;
    std::rotate(pitches.begin(), pitches.end() - 1, pitches.end());
    pitches.front() = dropped;
  }
  return pitches;
}

}  // namespace fermata
