#include "core/music/accidental.hpp"

#include <utility>

namespace fermata {

namespace {

/// MusicXML accidental-value by alteration; further names of the same follow their first.
constexpr std::pair<int, std::string_view> accidental_alterations[] = {
    {-200, "flat-flat"},    {-200, "double-flat"},         {-150, "three-quarters-flat"},
    {-100, "flat"},         {-100, "natural-flat"},        {-50, "quarter-flat"},
    {0, "natural"},         {50, "quarter-sharp"},         {100, "sharp"},
    {100, "natural-sharp"}, {150, "three-quarters-sharp"}, {200, "double-sharp"},
    {200, "sharp-sharp"},
};

}  // namespace

std::optional<int> cents_of_accidental(std::string_view name) {
  for (auto [cents, text] : accidental_alterations)
    if (text == name) return cents;
  return std::nullopt;
}

std::string_view accidental_of(int cents) {
  for (auto [value, text] : accidental_alterations)
    if (value == cents) return text;
  return {};
}

}  // namespace fermata
