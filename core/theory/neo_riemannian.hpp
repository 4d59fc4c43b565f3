#pragma once

#include "core/music/pitch.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// A major or minor triad.
struct consonant_triad {
  pitch_name root;
  bool minor = false;
  bool operator==(const consonant_triad&) const = default;
};

/// Root, third, fifth.
std::vector<pitch_name> members(const consonant_triad& t);
/// The triad that these pitches form, whatever their octaves, doublings and spellings. None of
/// microtones.
std::optional<consonant_triad> triad_of(const std::vector<pitch>& pitches);

/// Applies operations one after another, the first letter first: "PL" is P, then L.
///
/// P keeps the fifth (C major - C minor), L exchanges root and leading tone (C major - E minor),
/// R goes to the relative (C major - A minor); N = RLP, S = LPR, H = LPL (Cohn, Audacious Euphony,
/// 2012). Spaces between letters are allowed; any other letter is an error. The result is spelled
/// as a key: beyond seven accidentals in its signature it is respelled enharmonically.
result<consonant_triad> neo_riemannian(std::string_view operations, consonant_triad t);

/// The same on sounding pitches: each voice moves as little as the operation allows, and what the
/// triads have in common stays in place. Octaves and doublings are kept. Fails when the pitches are
/// no consonant triad.
result<std::vector<pitch>> neo_riemannian(std::string_view operations,
                                          const std::vector<pitch>& triad);

/// The shortest string of P, L and R that leads from `a` to `b`, as spelled in sound; empty for the
/// same triad. Its length is the distance on the Tonnetz. Of several the first in the order P, L,
/// R.
std::string tonnetz_path(consonant_triad a, consonant_triad b);
int tonnetz_distance(consonant_triad a, consonant_triad b);

}  // namespace fermata
