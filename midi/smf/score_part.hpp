#pragma once

#include "core/music/pitch.hpp"
#include "core/score/model/score.hpp"
#include "midi/smf/file_parts.hpp"
#include "midi/smf/lyrics.hpp"
#include "midi/smf/timeline.hpp"
#include "midi/smf/voices.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fermata::midi::smf {

/// A grace note before a note of its staff.
struct grace_note {
  rational before;
  std::uint8_t staff = 1;
  fermata::pitch pitch;
};

/// A part of a file on its way to a part of a score.
struct part_music {
  const file_part* source = nullptr;
  std::vector<placed_note> notes;  ///< as in `source`
  std::vector<pitch> pitches;      ///< of the notes; unused for percussion
  std::map<rational, std::vector<lyric>> lyrics{};
  std::vector<std::uint8_t> staves{};  ///< of the notes, 1 or 2; empty: there is one
  std::vector<grace_note> graces{};    ///< in order of time, then as played
  bool keep_unisons = false;           ///< a key that is struck twice at once is two notes
};

/// What stands beside the notes of a voice: keys, tempos, markers.
using beside_items = std::vector<timed<measure_content>>;

/// Makes the part with the given index of a score. `beside` is in order of time and goes to the
/// first voice. Nothing when a rhythm has no notation; `fault` is then the position of its measure.
/// Notes for which `most_voices` do not suffice, and grace notes before such notes, are left out
/// and counted.
std::optional<part> score_part(const part_music& music, std::size_t index,
                               const std::vector<measure_span>& measures,
                               const beside_items& beside, std::size_t most_voices,
                               std::size_t& left_out, std::size_t& fault);

}  // namespace fermata::midi::smf
