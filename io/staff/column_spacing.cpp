#include "io/staff/column_spacing.hpp"

#include "io/staff/signature.hpp"
#include "io/text/wrap.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace fermata::io::staff {

namespace {

/// Free cells behind a column, by the time until the next one: longer notes get more room, but far
/// from proportionally.
int gap_for(quarters time) {
  if (time < quarters{rational{1, 2}}) return 1;
  if (time < quarters{rational{1}}) return 2;
  if (time < quarters{rational{2}}) return 3;
  if (time < quarters{rational{4}}) return 5;
  return 7;
}

/// A recitation sung on one note can be longer than the terminal is wide. True: it was cut.
bool shorten(std::string& text, std::size_t most, const glyphs& g) {
  if (display_width(text) <= most) return false;
  constexpr std::string_view ellipsis = "\u2026";
  text = clipped(text, most - 3);
  if (!g.unicode) text.replace(text.size() - ellipsis.size(), ellipsis.size(), "...");
  return true;
}

}  // namespace

void place_columns(measure_block& b, quarters end, const glyphs& g, std::size_t columns,
                   left_out_counts& left_out) {
  std::map<slice_key, slice> slices;
  for (auto& d : b.chords) {
    auto& s = slices[d.at];
    s.at = d.at;
    int left = 0, displaced_left = 0, right = 0;
    for (auto& h : d.heads) {
      auto sign = g.unicode ? (h.accidental.empty()      ? 0
                               : h.accidental.size() > 4 ? 2
                                                         : 1)
                            : static_cast<int>(h.accidental.size());
      left = std::max(left, sign);
      displaced_left = std::max(displaced_left, -h.displaced);
      right = std::max(right, h.displaced);
      if (h.shape == head_shape::breve) {
        displaced_left = 1;
        right = std::max(right, 1);
      }
    }
    right += d.dots;
    if (d.flags > 0 && d.stem != 0 && d.beams[0] == '\0') right = std::max(right, 1);
    // A syllable and the hyphen behind it.
    for (auto& syllable : d.syllables) {
      if (shorten(syllable.text, std::max<std::size_t>(columns / 2, 10), g))
        ++left_out["end of a long syllable"];
      right = std::max(right, static_cast<int>(display_width(syllable.text)) - 1 +
                                  (syllable.hyphen ? 1 : 0));
    }
    s.left = std::max(s.left, left + displaced_left - d.shift);
    s.right = std::max(s.right, right + d.shift);
  }
  for (auto& c : b.changes) {
    auto& s = slices[c.at];
    s.at = c.at;
    auto width = width_of(c.signs.clef) + width_of(c.signs.key) + width_of(c.signs.time) + 1;
    s.right = std::max(s.right, width);
  }
  for (auto& [key, s] : slices)
    b.slices.push_back(s);
  int x = 1;  // a cell behind the barline
  for (std::size_t i = 0; i < b.slices.size(); ++i) {
    auto& s = b.slices[i];
    auto next = i + 1 < b.slices.size() ? b.slices[i + 1].at.at : measure_position{} + end;
    auto time = next - s.at.at;
    s.gap = s.at.order != 0 ? 1 : gap_for(time);
    x += s.left;
    s.column = x;
    x += 1 + s.right + s.gap;
  }
  b.width = std::max(x, 4);
}

}  // namespace fermata::io::staff
