#pragma once

#include "core/theory/roman_numeral.hpp"

#include <optional>
#include <vector>

namespace fermata {

/// A numeral that means a given chord, and how far-fetched it is: 0 for the key's own chords, about
/// 2 for applied dominants, Neapolitan and augmented sixths, 3 for chords of the parallel key, more
/// for other chromatic ones.
struct numeral_match {
  roman_numeral numeral;
  double cost = 0;
};

/// Every numeral in `key` for the chord of these tones over this bass, the likeliest first. Tones
/// come in any order; spelling counts (F sharp is not G flat). `next` is the root of the chord that
/// follows, if known: it decides between V/iv and a major tonic. Which of several names is chosen:
/// the key's own chord, then the dominant of a triad of the key that can be a tonic (major or
/// minor), then the altered degree: A C# E is V/ii in C major, but #VI in C minor, whose second
/// degree is diminished. Chords of three to five tones in
/// thirds are named, also without their fifth; anything else yields nothing.
std::vector<numeral_match> numerals_of(const std::vector<pitch_name>& tones, pitch_name bass,
                                       const tonality& key,
                                       std::optional<pitch_name> next = std::nullopt);

/// The first of them; when the tones as spelled make no chord, as `numeral_by_sound`.
std::optional<roman_numeral> numeral_of(const std::vector<pitch_name>& tones, pitch_name bass,
                                        const tonality& key,
                                        std::optional<pitch_name> next = std::nullopt);
/// The lowest pitch is the bass.
std::optional<roman_numeral> numeral_of(const std::vector<pitch>& pitches, const tonality& key,
                                        std::optional<pitch_name> next = std::nullopt);

/// For tones whose spelling means little (from a keyboard): the best name of anything that sounds
/// the same, the written spelling preferred by a little. B D F G sharp in C minor is viio7.
std::optional<roman_numeral> numeral_by_sound(const std::vector<pitch_name>& tones, pitch_name bass,
                                              const tonality& key,
                                              std::optional<pitch_name> next = std::nullopt);

}  // namespace fermata
