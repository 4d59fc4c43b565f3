#pragma once

#include "midi/transcription/beat_grid.hpp"
#include "midi/transcription/counted_metre.hpp"
#include "midi/transcription/performed_note.hpp"
#include "midi/transcription/rhythm_model.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace fermata::midi {

/// Whether eighths are swung: written equal, and played long and short.
enum class swing_choice : std::uint8_t { recognized, off, on };

struct tracker_options {
  rhythm_model::limits rhythm{};
  std::optional<counted_metre> metre{};     ///< empty: the best of the usual ones
  std::optional<double> quarter_seconds{};  ///< the tempo, if it is known: kept to within a tenth
  /// The beats, if they are known: tempo and barlines are theirs, and `quarter_seconds` is not
  /// used.
  std::optional<beat_grid> beats{};
  swing_choice swing = swing_choice::recognized;  ///< in simple metres
  std::size_t readings = usual_metres;            ///< wanted; fewer take less time
  std::size_t hypotheses = 60;                    ///< that are followed at a time
  std::function<bool()> is_cancelled{};           ///< asked now and then
};

/// Where the notes of a performance are in a metre.
struct tracked_rhythm {
  counted_metre metre;
  bool is_swung = false;  ///< `positions` are those of equal eighths
  /// One for each note: ticks from the barline before the first note. Notes of a chord are equal.
  std::vector<std::int64_t> positions;
  std::vector<bool> is_ornament;       ///< played beside the rhythm, just before the next note
  std::vector<float> quarter_seconds;  ///< the tempo at each note
  /// With known beats: their first downbeat, in ticks as `positions`, which then begin at the
  /// barline before it if that is earlier.
  std::optional<std::int64_t> known_downbeat;
  double score = 0;  ///< log-likelihood; comparable for the same notes
};

/// Recognizes beat, metre and rhythm of notes in order of `on`, without any tempo given. The
/// readings in the different metres, best first; none if it was cancelled, or without notes.
///
/// Many hypotheses are followed from note to note, in the manner of Raphael (Automated rhythm
/// transcription, ISMIR 2001) and Cemgil & Kappen (Monte Carlo methods for tempo tracking and
/// rhythm quantization, JAIR 18, 2003): each has a position in the measure and a Kalman filter for
/// time and tempo. A step costs as much as its rhythm is rare (rhythm_model.hpp), as it differs
/// from the expected time, as the tempo leaves its average, and as the accent of the note is unlike
/// its place (onset_accents.hpp). Those in the same place with nearly the same tempo are one; the
/// best ones are kept.
///
/// With known beats only the position is followed, and how much the player is ahead of the beat or
/// behind it. Notes a little before the first downbeat are on it. Deterministic; the time it takes
/// is proportional to the number of notes.
std::vector<tracked_rhythm> track_rhythm(const std::vector<performed_note>& notes,
                                         const tracker_options& options = {});

}  // namespace fermata::midi
