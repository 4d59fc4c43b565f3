#pragma once

#include <algorithm>
#include <iterator>

namespace fermata {

/// Whether a character is invisible in a name: Unicode's Default_Ignorable_Code_Point
/// (DerivedCoreProperties.txt 15.0: zero-width and bidirectional controls, joiners, fillers,
/// variation selectors, tags), and the line and paragraph separators.
constexpr bool is_invisible(char32_t c) {
  struct range {
    char32_t first, last;
  };
  constexpr range ranges[] = {
      {0x00AD, 0x00AD},   {0x034F, 0x034F},  {0x061C, 0x061C}, {0x115F, 0x1160}, {0x17B4, 0x17B5},
      {0x180B, 0x180F},   {0x200B, 0x200F},  {0x2028, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164},
      {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},  {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFF8}, {0x1BCA0, 0x1BCA3},
      {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [c](const range& r) { return c >= r.first && c <= r.last; });
}

/// Whether an invisible character affects how its neighbours are displayed: the joiners of Arabic,
/// Indic scripts and emoji, and the variation selectors. In running text these are part of words.
constexpr bool shapes_its_neighbours(char32_t c) {
  return c == 0x200C || c == 0x200D || (c >= 0x180B && c <= 0x180F) ||
         (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF) || c == 0x034F;
}

}  // namespace fermata
