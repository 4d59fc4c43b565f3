#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"
#include "midi/smf/file.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::midi::smf {

struct score_limits {
  std::size_t items = 500'000;     ///< notes, keys, tempos, marks and lyrics
  std::size_t measures = 200'000;  ///< of all parts together
  std::size_t voices = 16;         ///< of a part
};

struct converted_score {
  score_ptr score;
  std::vector<std::string> remarks;  ///< what was moved or left out, in words
};

/// The score of a file whose notes lie on the grid of its division, as notation programs and
/// step-by-step entry make them.
///
/// - A part for each channel with notes of each track (file_parts.hpp). Its name is that of the
///   track, or of the instrument of its program; the clef follows from the middle height of the
///   notes. Channel 10 is percussion.
/// - Time signatures make the measures, 4/4 if there is none. Key signatures stand in all parts;
///   tempos, markers (rehearsal marks) and cue points (words) in the first one. Lyrics: lyrics.hpp.
/// - Pitches are spelt by their keys (core/theory/pitch_spelling.hpp).
/// - Notes that overlap go to several voices; notes across barlines are tied; tuplets of 3, 5 and 7
///   get their brackets (rhythm.hpp). Ends of notes off the grid move to it (grid.hpp); hits of
///   percussion last to the next one, a quarter at most.
/// - Left out: velocities, controllers and sysex; with a remark: pitch bends and texts (type 1).
///
/// Errors: `unsupported_format` when a note does not begin on the grid, or time is counted in
/// frames (free performance is for midi/transcription), for format 2, whose tracks are pieces of
/// their own, and without notes; `out_of_range` beyond the limits.
[[nodiscard]] result<converted_score> to_score(const file& f, const score_limits& limits = {});

}  // namespace fermata::midi::smf
