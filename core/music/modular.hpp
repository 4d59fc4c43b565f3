#pragma once

#include <cstdint>

namespace fermata {

/// Greatest integer not above a/b, for positive b. The built-in division rounds towards zero, which
/// is wrong below c0 and on the flat side of the line of fifths.
constexpr int floor_div(int a, int b) { return a / b - (a % b < 0 ? 1 : 0); }

/// The residue 0..m-1 of `a`, for positive m: pitch classes are mod(x, 12).
constexpr int mod(int a, int m) { return a % m < 0 ? a % m + m : a % m; }
constexpr std::int64_t mod(std::int64_t a, std::int64_t m) { return a % m < 0 ? a % m + m : a % m; }

}  // namespace fermata
