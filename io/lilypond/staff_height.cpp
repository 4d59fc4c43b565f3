#include "io/lilypond/staff_height.hpp"

namespace fermata::io::lilypond {

namespace {

/// Steps above c0.
int index_of(step s, int octave) { return octave * 7 + static_cast<int>(s); }

pitch pitch_at(int index, const key_signature& k) {
  auto octave = index >= 0 ? index / 7 : (index - 6) / 7;
  auto letter = static_cast<step>(index - octave * 7);
  return {letter, static_cast<std::int16_t>(alteration(k, letter)),
          static_cast<std::int16_t>(octave)};
}

/// A clef without a pitch on a line: LilyPond has c' in the middle of its staff.
bool is_without_pitch(const clef& c) { return c.sign == "percussion" || c.sign == "TAB"; }

int middle_line(const clef& c) {
  struct row {
    std::string_view sign;
    int index, usual_line;
  };
  static constexpr row rows[] = {{"G", 4 * 7 + 4, 2}, {"F", 3 * 7 + 3, 4}, {"C", 4 * 7, 3}};
  for (auto& r : rows)
    if (r.sign == c.sign)
      return r.index + (3 - (c.line > 0 ? c.line : r.usual_line)) * 2 + 7 * c.octave_change;
  return index_of(step::b, 4);  // as in the treble clef, which other signs are drawn as
}

}  // namespace

std::optional<pitch> staff_height(const note& n, const clef& c, const key_signature& k) {
  std::optional<int> shown;
  if (auto* u = std::get_if<unpitched>(&n.tone)) {
    if (u->display_step) shown = index_of(*u->display_step, u->display_octave);
  } else if (auto* r = std::get_if<rest>(&n.tone); r && r->display_step) {
    shown = index_of(*r->display_step, r->display_octave);
  } else {
    return std::nullopt;
  }
  if (!is_without_pitch(c)) return pitch_at(shown.value_or(middle_line(c)), k);
  return pitch_at(
      shown ? *shown - index_of(step::b, 4) + index_of(step::c, 4) : index_of(step::c, 4), k);
}

}  // namespace fermata::io::lilypond
