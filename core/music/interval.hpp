#pragma once

#include "core/music/pitch.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fermata {

/// A directed interval that keeps its spelling: diatonic steps and semitones, both signed. A major
/// third up is {2, 4}, a perfect fifth down {-4, -7}, an augmented fourth {3, 6}.
struct interval {
  int steps = 0;      ///< 0 unison, 1 second, 7 octave; negative downwards
  int semitones = 0;  ///< signed like `steps`; a diminished unison up is {0, -1}
  constexpr bool operator==(const interval&) const = default;
  constexpr interval operator-() const { return {-steps, -semitones}; }
  friend constexpr interval operator+(interval a, interval b) {
    return {a.steps + b.steps, a.semitones + b.semitones};
  }
};

/// From `a` to `b`. Microtonal parts are dropped from the interval.
interval between(pitch a, pitch b);

/// `p` moved by `i`, letter and accidental exact (any number of accidentals may result; cents of a
/// microtone are kept).
pitch transposed(pitch p, interval i);
pitch_name transposed(pitch_name n, interval i);

/// "P5", "-m3", "aug4", "dim5", "aug2x4" (doubly augmented fourth), "M9". "dim1" has semitones -1.
std::string to_string(interval i);

/// Reads `P1 m2 M2 ... P8 M9 ...`, descending with a leading `-`, `aug4` `dim5` `aug2x4` `dim2x5`.
/// With `letters` also `A4` and `d5` (which elsewhere are pitches). Nothing for impossible
/// qualities such as P3 or M5.
std::optional<interval> parse_interval(std::string_view text, bool letters = false);

}  // namespace fermata
