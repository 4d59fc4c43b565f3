#pragma once

#include "core/music/interval.hpp"
#include "core/music/pitch.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

/// A kind of scale: what lies above the tonic within an octave, spelled.
struct scale_type {
  std::string_view name;                  ///< "major", "harmonic minor", "whole tone"
  std::vector<std::string_view> aliases;  ///< "ionian"
  std::vector<interval> intervals;        ///< from P1 upwards, without the octave
};

/// All scales, the commonest first.
const std::vector<scale_type>& scale_table();
/// By name or alias; case, hyphens and spaces do not matter ("Harmonic-Minor").
const scale_type* find_scale(std::string_view name);

/// The tones on this tonic, in letters that follow from the intervals: G sharp major has F double
/// sharp.
std::vector<pitch_name> scale_names(pitch_name tonic, const scale_type& s);

/// From the tonic up to its octave, both included: c4 major is c4 d4 e4 f4 g4 a4 b4 c5. With
/// `octaves` 2 or more it goes on; with 0 the octave is left out.
std::vector<pitch> scale_pitches(pitch tonic, const scale_type& s, int octaves = 1);

/// The tone on a degree, 1 being `tonic` itself. Degrees go on beyond the octave (8 in a scale of
/// seven tones is the octave) and below the tonic (0 is the tone under it, -1 the next).
pitch scale_degree(pitch tonic, const scale_type& s, int n);

/// The degree, from 1, of a tone that belongs to the scale as spelled.
std::optional<int> degree_in(pitch_name tonic, const scale_type& s, pitch_name tone);

/// The scales on `tonic` that sound exactly these tones, commonest first.
std::vector<const scale_type*> scales_of(pitch_name tonic, const std::vector<pitch_name>& tones);

}  // namespace fermata
