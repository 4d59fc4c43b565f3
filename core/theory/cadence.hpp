#pragma once

#include "core/theory/part_writing.hpp"
#include "core/theory/roman_numeral.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

enum class cadence_kind : std::uint8_t { authentic, half, plagal, deceptive, phrygian };
std::string_view to_string(cadence_kind k);
/// All of them, with their other names.
std::vector<std::string_view> cadence_names();
/// By name: authentic (perfect, full), half (imperfect, semi), plagal (amen), deceptive
/// (interrupted, false), phrygian. The second names are British or older usage.
std::optional<cadence_kind> parse_cadence_kind(std::string_view name);

/// The two chords of a cadence in a key: V I, I V, IV I, V vi, iv6 V; in minor V i, i V, iv i, V
/// VI, iv6 V. The phrygian cadence of a major key borrows its subdominant from minor.
std::vector<roman_numeral> cadence_numerals(cadence_kind k, const tonality& key);

/// The same set for four voices, lowest first. The authentic cadence is perfect: tonic on top.
result<std::vector<std::vector<pitch>>> cadence(cadence_kind k, const tonality& key);

/// A cadence found in a sequence of chords.
struct cadence_point {
  std::size_t chord = 0;  ///< the goal, where the cadence is complete
  cadence_kind kind = cadence_kind::authentic;
  bool perfect = false;  ///< authentic with both chords in root position
  bool operator==(const cadence_point&) const = default;
};

/// The cadences of a sequence of numerals in one key.
///
/// Without `phrase_ends` every root-position dominant that goes to a root-position tonic or
/// submediant, and every plagal close at the end, is reported; a half cadence only where the
/// sequence ends on a dominant. With `phrase_ends` (indices of last chords of phrases) only those
/// are judged, half and phrygian cadences included: without knowing the phrase nobody can say
/// whether a progression closes.
std::vector<cadence_point> cadences_in(const std::vector<roman_numeral>& numerals,
                                       const std::vector<std::size_t>& phrase_ends = {});

}  // namespace fermata
