#pragma once

#include "core/music/duration.hpp"
#include "core/music/meter.hpp"
#include "core/music/rational.hpp"
#include "core/score/model/note.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace fermata::midi::smf {

/// What a voice does in a measure, in quarters from its beginning, without gaps: a chord or
/// silence.
struct voice_segment {
  rational from, to;
  bool is_rest = false;
};

/// One note value of a segment, to be tied to the next one of the same segment.
struct rhythm_piece {
  std::size_t segment = 0;  ///< index
  rational at, length;
  std::optional<note_value> written;  ///< empty for a rest of a whole measure
  std::optional<time_modification> tuplet;
  bool opens_tuplet = false, closes_tuplet = false;  ///< of a tuplet's bracket
  bool operator==(const rhythm_piece&) const = default;
};

/// The note values of a measure's voice. Around every position that no binary value reaches there
/// is a tuplet of 3, 5 or 7 in the smallest part of the measure (an eighth to a whole note) that
/// divides evenly and that, if possible, no note crosses; the rest is spelt in the metre
/// (metric_spelling.hpp). Nothing when there is no such part.
std::optional<std::vector<rhythm_piece>> written_rhythm(const std::vector<voice_segment>& segments,
                                                        rational measure_end,
                                                        const time_signature& metre);

}  // namespace fermata::midi::smf
