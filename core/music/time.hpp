#pragma once

#include "core/music/rational.hpp"

#include <compare>

namespace fermata {

/// A length of musical time in quarter notes, exact. (The language also speaks of fractions of a
/// whole note; the reader converts once.)
struct quarters {
  rational value;
  constexpr quarters() = default;
  constexpr explicit quarters(rational v) : value(v) {}

  friend constexpr quarters operator+(quarters a, quarters b) {
    return quarters{a.value + b.value};
  }
  friend constexpr quarters operator-(quarters a, quarters b) {
    return quarters{a.value - b.value};
  }
  friend constexpr quarters operator*(quarters a, rational k) { return quarters{a.value * k}; }
  friend constexpr quarters operator*(rational k, quarters a) { return quarters{a.value * k}; }
  friend constexpr quarters operator/(quarters a, rational k) { return quarters{a.value / k}; }
  friend constexpr rational operator/(quarters a, quarters b) { return a.value / b.value; }
  constexpr quarters& operator+=(quarters b) { return *this = *this + b; }
  constexpr quarters& operator-=(quarters b) { return *this = *this - b; }
  constexpr auto operator<=>(const quarters&) const = default;
};

/// A point inside a measure: quarter notes after its start. Position minus position is a length;
/// positions do not add.
struct measure_position {
  rational value;
  constexpr measure_position() = default;
  constexpr explicit measure_position(rational v) : value(v) {}

  friend constexpr measure_position operator+(measure_position p, quarters q) {
    return measure_position{p.value + q.value};
  }
  friend constexpr measure_position operator-(measure_position p, quarters q) {
    return measure_position{p.value - q.value};
  }
  friend constexpr quarters operator-(measure_position a, measure_position b) {
    return quarters{a.value - b.value};
  }
  constexpr measure_position& operator+=(quarters q) { return *this = *this + q; }
  constexpr auto operator<=>(const measure_position&) const = default;
};

}  // namespace fermata
