#include "io/musicxml/division_values.hpp"

#include <cmath>
#include <cstdio>

namespace fermata::io::musicxml::detail {

bool mentions_divisions(std::string_view xml) {
  // In one go: every fragment of a score is asked, and nearly all of them say no.
  for (std::size_t i = 0; i < xml.size(); ++i) {
    if (xml[i] != '<' && xml[i] != ' ') continue;
    auto here = xml.substr(i);
    for (std::string_view beginning :
         {"<offset", "<release ", " divisions=", " attack=", " release=", " make-time="})
      if (here.starts_with(beginning)) return true;
  }
  return false;
}

namespace {

/// A finite decimal exactly, anything else to nine places.
std::string decimal(rational x) {
  if (x.is_integer()) return std::to_string(x.numerator());
  auto d = x.denominator();
  std::int64_t scale = 1;
  int places = 0;
  while (scale % d != 0 && places < 9) {
    scale *= 10;
    ++places;
  }
  __extension__ using wide = __int128;
  auto n = wide{x.numerator()} * scale;
  auto scaled = static_cast<std::int64_t>((2 * n + (n < 0 ? -d : d)) / (2 * wide{d}));
  auto digits = std::to_string(scaled < 0 ? -scaled : scaled);
  if (digits.size() <= static_cast<std::size_t>(places))
    digits.insert(0, static_cast<std::size_t>(places) + 1 - digits.size(), '0');
  digits.insert(digits.size() - static_cast<std::size_t>(places), 1, '.');
  while (digits.back() == '0')
    digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  if (digits == "0") return digits;
  return (scaled < 0 ? "-" : "") + digits;
}

}  // namespace

std::string in_divisions(std::string_view quarters, rational divisions) {
  if (auto x = parse_rational(quarters)) {
    try {
      return decimal(*x * divisions);
    } catch (const rational_overflow&) {
      // beyond 64 bits: as it stands
    }
  }
  return std::string{quarters};
}

std::string fragment_in_divisions(const std::string& xml, rational divisions) {
  if (!mentions_divisions(xml)) return xml;
  return converted_fragment(xml,
                            [&](std::string_view text) { return in_divisions(text, divisions); });
}

std::string in_quarters(std::string_view text, rational divisions) {
  if (auto x = parse_rational(text)) {
    try {
      if (divisions != rational{0}) return to_string(*x / divisions);
    } catch (const rational_overflow&) {
    }
  }
  return std::string{text};
}

}  // namespace fermata::io::musicxml::detail
