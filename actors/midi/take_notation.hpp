#pragma once

#include "core/score/model/score.hpp"
#include "io/store/take_file.hpp"
#include "midi/transcription/transcribe.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata::actors {

/// Where the notation of a take goes in a score.
struct take_target {
  part_ptr into;                                ///< null: no part was chosen
  std::optional<std::pair<int, int>> measures;  ///< positions from 1, inclusive
  int staves = 1;                               ///< of the part
  int transposition = 0;                        ///< of the part: sounding above written, semitones
};

/// The place of a take in the score as it is now: of the measures, those that were played until it
/// ended. `on_beats`: it is transcribed on the beats to which it was played; otherwise its measures
/// need not be those of the score, and it is only for the part. `remarks`: why a place is not used.
take_target target_of(const io::stored_take& take, bool on_beats, const score_ptr& score,
                      std::vector<std::string>& remarks);

/// What was played, for this target: one part, with the pitches that the part is written in, and
/// without what was played before the first of the measures.
std::vector<midi::performed_part> parts_for(const take_target& target, const midi::take& music);

/// Fermata text that adds the notation of a take to a score: in the measures of a part, at the end
/// of a part, or as a new part when it was played during certain measures. Without a target it is
/// appended, measures if there is one part, otherwise the parts with theirs.
///
/// For certain measures there are exactly as many: rests are added, and measures after them are
/// left out; time signature, key and tempo are those of the score.
std::string text_that_adds(const score& notation, const take_target& target, int take);

}  // namespace fermata::actors
