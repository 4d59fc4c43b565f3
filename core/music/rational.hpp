#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fermata {

/// Thrown by the operators of `rational` when an exact result does not fit 64 bits. Musical data
/// never comes near; numbers from outside do, so the evaluator and the importers catch it in one
/// place each and answer `errc::number_too_large`.
struct rational_overflow : std::overflow_error {
  rational_overflow() : std::overflow_error("exact number too large") {}
};

/// An exact fraction, always in lowest terms with a positive denominator. All rhythm is counted in
/// it. Plays the part of boost::rational, which overflows silently; here every operation is checked
/// with 128-bit intermediates.
class rational {
public:
  constexpr rational() = default;
  constexpr rational(std::int64_t n) : num_(n) {}
  /// n/d in lowest terms. Throws std::domain_error when d is 0.
  constexpr rational(std::int64_t n, std::int64_t d) { *this = reduced(n, d); }

  constexpr std::int64_t numerator() const { return num_; }
  constexpr std::int64_t denominator() const { return den_; }
  constexpr bool is_integer() const { return den_ == 1; }
  constexpr double to_double() const {
    return static_cast<double>(num_) / static_cast<double>(den_);
  }

  friend constexpr rational operator+(rational a, rational b) {
    if (a.den_ == 1 && b.den_ == 1) return narrow(wide{a.num_} + b.num_, 1);
    return reduced(wide{a.num_} * b.den_ + wide{b.num_} * a.den_, wide{a.den_} * b.den_);
  }
  friend constexpr rational operator-(rational a, rational b) {
    if (a.den_ == 1 && b.den_ == 1) return narrow(wide{a.num_} - b.num_, 1);
    return reduced(wide{a.num_} * b.den_ - wide{b.num_} * a.den_, wide{a.den_} * b.den_);
  }
  friend constexpr rational operator*(rational a, rational b) {
    return reduced(wide{a.num_} * b.num_, wide{a.den_} * b.den_);
  }
  friend constexpr rational operator/(rational a, rational b) {
    return reduced(wide{a.num_} * b.den_, wide{a.den_} * b.num_);
  }
  constexpr rational operator-() const { return narrow(-wide{num_}, den_); }
  constexpr rational& operator+=(rational b) { return *this = *this + b; }
  constexpr rational& operator-=(rational b) { return *this = *this - b; }
  constexpr rational& operator*=(rational b) { return *this = *this * b; }
  constexpr rational& operator/=(rational b) { return *this = *this / b; }

  friend constexpr bool operator==(rational a, rational b) {
    return a.num_ == b.num_ && a.den_ == b.den_;
  }
  friend constexpr std::strong_ordering operator<=>(rational a, rational b) {
    auto l = wide{a.num_} * b.den_, r = wide{b.num_} * a.den_;
    return l < r   ? std::strong_ordering::less
           : l > r ? std::strong_ordering::greater
                   : std::strong_ordering::equal;
  }

private:
  __extension__ using wide = __int128;

  static constexpr rational narrow(wide n, wide d) {
    constexpr wide max = INT64_MAX;
    if (n > max || n < -max || d > max) throw rational_overflow{};
    rational r;
    r.num_ = static_cast<std::int64_t>(n);
    r.den_ = static_cast<std::int64_t>(d);
    return r;
  }
  static constexpr rational reduced(wide n, wide d) {
    if (d == 0) throw std::domain_error("division by zero");
    if (d < 0) {
      n = -n;
      d = -d;
    }
    if (d == 1) return narrow(n, 1);
    constexpr wide max = INT64_MAX;
    if (n <= max && n >= -max && d <= max)
      return reduced_in_64_bits(static_cast<std::int64_t>(n), static_cast<std::int64_t>(d));
    wide a = n < 0 ? -n : n, b = d;
    while (b != 0) {
      wide t = a % b;
      a = b;
      b = t;
    }
    return a > 1 ? narrow(n / a, d / a) : narrow(n, d);
  }

  /// The usual case, several times as fast: nearly all denominators of rhythm are powers of two.
  static constexpr rational reduced_in_64_bits(std::int64_t n, std::int64_t d) {
    rational r;
    if (n == 0) return r;
    if (std::has_single_bit(static_cast<std::uint64_t>(d))) {
      auto common = std::min(std::countr_zero(static_cast<std::uint64_t>(n)),
                             std::countr_zero(static_cast<std::uint64_t>(d)));
      r.num_ = n >> common;  // exact, also below zero
      r.den_ = d >> common;
    } else {
      auto common = std::gcd(n, d);
      r.num_ = n / common;
      r.den_ = d / common;
    }
    return r;
  }

  std::int64_t num_ = 0;
  std::int64_t den_ = 1;
};

/// Greatest integer not above x.
constexpr std::int64_t floor(rational x) {
  auto q = x.numerator() / x.denominator();
  return x.numerator() < 0 && x.numerator() % x.denominator() != 0 ? q - 1 : q;
}

constexpr rational abs(rational x) { return x < rational{0} ? -x : x; }

/// "3", "-3/2".
std::string to_string(rational x);

/// Reads "3", "-3/2", "+2", and decimals "0.375" exactly; nothing for anything else or out of
/// range.
std::optional<rational> parse_rational(std::string_view text);

}  // namespace fermata
