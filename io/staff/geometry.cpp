#include "io/staff/geometry.hpp"

#include <algorithm>

namespace fermata::io::staff {

namespace {

/// Where sharps and flats stand under the treble clef: F C G D A E B, B E A D G C F.
constexpr int sharps[] = {8, 5, 9, 6, 3, 7, 4};
constexpr int flats[] = {4, 7, 3, 6, 2, 5, 1};

/// How far a clef has the letters from where treble has them, by the nearest octave: -3 to 3.
int shift_of(const clef& c) {
  auto shift = (30 - bottom_line_of(c)) % 7;
  if (shift > 3) shift -= 7;
  if (shift < -3) shift += 7;
  return shift;
}

}  // namespace

int bottom_line_of(const clef& c) {
  int clef_pitch = 32, usual_line = 2;  // g4
  if (c.sign == "F") {
    clef_pitch = 24;  // f3
    usual_line = 4;
  } else if (c.sign == "C") {
    clef_pitch = 28;  // c4
    usual_line = 3;
  } else if (c.sign != "G") {
    return 30;
  }
  auto line = c.line > 0 ? c.line : usual_line;
  return clef_pitch - 2 * (line - 1) + 7 * c.octave_change;
}

int place_of(pitch p, const clef& c) { return p.diatonic_index() - bottom_line_of(c); }

std::vector<int> ledger_lines(int place) {
  std::vector<int> lines;
  for (int p = top_line + 2; p <= place; p += 2)
    lines.push_back(p);
  for (int p = -2; p >= place; p -= 2)
    lines.push_back(p);
  return lines;
}

std::vector<key_sign> key_signs(const key_signature& k, const clef& c) {
  std::vector<key_sign> signs;
  auto shift = shift_of(c);
  if (!k.alterations.empty()) {
    for (auto& a : k.alterations) {
      // The octave that the signature would use for a sharp on this letter, unless it says one.
      auto place = (static_cast<int>(a.name.letter) + 28 - 30 + 14) % 7 + shift;
      if (a.octave)
        place = *a.octave * 7 + static_cast<int>(a.name.letter) - bottom_line_of(c);
      else if (place < 1)
        place += 7;
      auto value = a.accidental;
      if (value.empty())
        value = a.name.cents == 100    ? "sharp"
                : a.name.cents == -100 ? "flat"
                : a.name.cents == 200  ? "double-sharp"
                : a.name.cents == -200 ? "flat-flat"
                : a.name.cents == 50   ? "quarter-sharp"
                : a.name.cents == -50  ? "quarter-flat"
                                       : "natural";
      signs.push_back({place, value});
    }
    return signs;
  }
  auto count = static_cast<std::size_t>(std::min(std::abs(k.fifths), 7));
  for (std::size_t i = 0; i < count; ++i) {
    if (k.fifths > 0) {
      auto place = sharps[i] + shift;
      signs.push_back({place > 9 || (shift == 1 && i == 0) ? place - 7 : place, "sharp"});
    } else {
      signs.push_back({flats[i] + shift, "flat"});
    }
  }
  return signs;
}

}  // namespace fermata::io::staff
