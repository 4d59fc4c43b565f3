#pragma once

#include "core/music/pitch.hpp"
#include "core/result.hpp"
#include "core/theory/roman_numeral.hpp"
#include "core/theory/tonality.hpp"

#include <optional>
#include <vector>

namespace fermata {

/// A chord that is to be set for four voices.
struct chord_to_voice {
  std::vector<pitch_name> tones;           ///< root first, in thirds
  std::size_t bass = 0;                    ///< which of the tones is lowest
  std::optional<pitch> given_bass;         ///< the very pitch of the bass, if it is fixed
  std::optional<pitch_name> leading_tone;  ///< of the key in force: never doubled, rises
  std::optional<pitch_name> tonic;         ///< what the leading tone rises to, where it must
  std::optional<pitch_name> seventh;       ///< never doubled, falls by step
};

/// How the numeral's chord wants to be treated, its leading tone and seventh included.
result<chord_to_voice> chord_to_voice_of(const roman_numeral& n, const tonality& key);

struct part_writing_options {
  std::optional<pitch_name> last_soprano;  ///< end with this tone on top (a perfect cadence)
};

/// Bass, tenor, alto and soprano for each chord, lowest first.
///
/// A search over all close and open positions within the ranges of `satb_ranges()` for the sequence
/// with the least movement (dynamic programming, Viterbi). Parallel fifths and octaves, crossing,
/// overlap, doubled leading tones and sevenths cost so much that they occur only where every other
/// way is barred; sevenths fall and leading tones rise where the next chord lets them; upper voices
/// stay within an octave of each other. Fails when a chord has no position: no tones, more
/// than five, or a given bass above the other voices.
result<std::vector<std::vector<pitch>>> write_parts(const std::vector<chord_to_voice>& chords,
                                                    const part_writing_options& options = {});

/// Numerals in a key, set for four voices.
result<std::vector<std::vector<pitch>>> progression(const std::vector<roman_numeral>& numerals,
                                                    const tonality& key,
                                                    const part_writing_options& options = {});

}  // namespace fermata
