#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"
#include "midi/transcription/pedal_span.hpp"
#include "midi/transcription/performed_note.hpp"
#include "midi/transcription/rhythm_tracker.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata::midi {

/// What one player plays. Channel 9 (General MIDI's 10) is percussion.
struct performed_part {
  std::string name;                   ///< may be empty
  std::uint8_t channel = 0;           ///< 0..15
  std::optional<int> program;         ///< 0..127; empty or a piano: two staves
  std::vector<performed_note> notes;  ///< in order of `on`
  std::vector<pedal_span> pedal{};    ///< in order, not overlapping
  bool on_one_staff = false;          ///< also if it is a piano
};

struct transcription_options {
  tracker_options tracker{};
  std::size_t alternatives = 1;    ///< readings wanted, at most one for each metre
  std::size_t notes = 200'000;     ///< limit of what is taken
  std::size_t measures = 100'000;  ///< limit of all parts together
};

/// A performance in notation.
struct transcription {
  score_ptr score;
  counted_metre metre;
  bool is_swung = false;             ///< eighths are equal and marked "Swing"
  double quarters_per_minute = 0;    ///< the median
  std::string reason;                ///< why this metre, in a line
  std::vector<std::string> remarks;  ///< what was simplified or left out
};

/// "6/8, 134 quarter notes per minute: 64 % of the notes on its beats ...".
std::string described(const transcription& t);

/// Notation for a performance without a given tempo, the likeliest first.
///
/// - Beat, metre and rhythm: rhythm_tracker.hpp; lengths: note_lengths.hpp; the hands of keyboard
///   parts: hands.hpp, on two staves. Notes beside the rhythm become grace notes. Where a rhythm
///   has no notation it is moved to sixteenths or eighths.
/// - Notes before the first downbeat, at most half a measure, are a pickup.
/// - The key signature is that of the key of the whole (key_finding.hpp), the spelling that of the
///   keys on the way (pitch_spelling.hpp).
///
/// Errors: `unsupported_format` without notes, `out_of_range` beyond the limits, `cancelled`.
[[nodiscard]] result<std::vector<transcription>> transcribe(
    const std::vector<performed_part>& parts, const transcription_options& options = {});

}  // namespace fermata::midi
