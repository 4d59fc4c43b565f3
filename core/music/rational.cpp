#include "core/music/rational.hpp"

#include <cstddef>

namespace fermata {

namespace {

/// Wide enough for 38 decimal digits: every decimal that reduces to a 64-bit fraction with a
/// power-of-two denominator up to 2^38 is read exactly.
__extension__ using wide_decimal = unsigned __int128;
constexpr wide_decimal wide_decimal_limit = (~wide_decimal{0} - 9) / 10;
constexpr wide_decimal int64_limit = INT64_MAX;

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads digits from the front of `text` into `value`; false when there is none or too many.
bool take_digits(std::string_view& text, wide_decimal& value) {
  std::size_t n = 0;
  for (; n < text.size() && is_decimal_digit(text[n]); ++n) {
    if (value > wide_decimal_limit) return false;
    value = value * 10 + static_cast<wide_decimal>(text[n] - '0');
  }
  text.remove_prefix(n);
  return n > 0;
}

}  // namespace

std::string to_string(rational x) {
  auto out = std::to_string(x.numerator());
  return x.is_integer() ? out : out + "/" + std::to_string(x.denominator());
}

std::optional<rational> parse_rational(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  wide_decimal num = 0, den = 1;
  if (!take_digits(text, num)) return std::nullopt;
  if (!text.empty() && text.front() == '/') {
    text.remove_prefix(1);
    den = 0;
    if (!take_digits(text, den) || den == 0) return std::nullopt;
  } else if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    if (text.empty() || !is_decimal_digit(text.front())) return std::nullopt;
    // Zeros at the end say nothing and must not push the denominator out of range.
    auto digits = text;
    while (!digits.empty() && digits.back() == '0')
      digits.remove_suffix(1);
    if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    for (char c : digits) {
      if (num > wide_decimal_limit || den > wide_decimal_limit) return std::nullopt;
      num = num * 10 + static_cast<wide_decimal>(c - '0');
      den *= 10;
    }
    text = {};
  }
  if (!text.empty()) return std::nullopt;
  wide_decimal a = num, b = den;
  while (b != 0) {
    wide_decimal t = a % b;
    a = b;
    b = t;
  }
  num /= a;
  den /= a;
  if (num > int64_limit || den > int64_limit) return std::nullopt;
  auto n = static_cast<std::int64_t>(num);
  return rational{negative ? -n : n, static_cast<std::int64_t>(den)};
}

}  // namespace fermata
