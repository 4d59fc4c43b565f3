#include "core/music/key.hpp"

#include <cstddef>

namespace fermata {

namespace {

struct mode_row {
  std::string_view name;
  int fifths_offset;
};
constexpr mode_row mode_table[] = {
    {"none", 0},      {"major", 0},  {"minor", -3},      {"ionian", 0},   {"dorian", -2},
    {"phrygian", -4}, {"lydian", 1}, {"mixolydian", -1}, {"aeolian", -3}, {"locrian", -5},
};

constexpr int max_signature_fifths = 7;

}  // namespace

std::vector<std::string_view> mode_names() {
  std::vector<std::string_view> names;
  for (auto& row : mode_table)
    if (row.name != to_string(mode::none)) names.push_back(row.name);
  return names;
}

std::string_view to_string(mode m) { return mode_table[static_cast<std::size_t>(m)].name; }

std::optional<mode> parse_mode(std::string_view text) {
  for (std::size_t i = 0; i < std::size(mode_table); ++i)
    if (mode_table[i].name == text) return static_cast<mode>(i);
  return std::nullopt;
}

int fifths_offset(mode m) { return mode_table[static_cast<std::size_t>(m)].fifths_offset; }

std::optional<key_signature> key_on(pitch_name tonic, mode m) {
  auto position = line_of_fifths(tonic);
  if (!position) return std::nullopt;
  auto fifths = *position + fifths_offset(m);
  if (fifths < -max_signature_fifths || fifths > max_signature_fifths) return std::nullopt;
  key_signature k;
  k.fifths = fifths;
  k.mode = m;
  return k;
}

pitch_name tonic(const key_signature& k) {
  return from_line_of_fifths(k.fifths - fifths_offset(k.mode));
}

int alteration(const key_signature& k, step s) {
  if (!k.alterations.empty()) {
    int cents = 0;
    for (const auto& a : k.alterations)
      if (a.name.letter == s) cents = a.name.cents;
    return cents;
  }
  // Sharps come in the order F C G D A E B, flats from the other end.
  constexpr int order[] = {1, 3, 5, 0, 2, 4, 6};
  auto place = order[static_cast<std::size_t>(s)];
  auto fifths = k.fifths;
  if (fifths > place) return 100 * ((fifths - place - 1) / 7 + 1);
  auto from_end = 6 - place;
  if (-fifths > from_end) return -100 * ((-fifths - from_end - 1) / 7 + 1);
  return 0;
}

}  // namespace fermata
