#pragma once

#include "core/result.hpp"
#include "core/score/analysis/unfold.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fermata {

/// The notes of a score as they sound, before any interpretation: repeats unfolded, ties merged,
/// transposition applied; time in quarters of the written rhythm.

struct sounding_note {
  quarters onset;  ///< from the beginning of the piece
  quarters length;
  int cents = 6000;  ///< sounding pitch in hundredths of a semitone above MIDI key 0
  std::size_t part = 0;
  std::uint8_t staff = 1;
  std::string voice;
  bool unpitched = false;  ///< percussion: `cents` is the drum key of the instrument, or where the
                           ///< note is drawn if the instrument has none
  bool grace = false;
  std::string instrument;  ///< id, or empty for the part's first
  /// The (first) written note, and its entry in the playing order.
  std::size_t measure = 0, item = 0, note = 0, played = 0;

  /// MIDI key, microtones rounded down.
  int key() const { return cents >= 0 ? cents / 100 : -((99 - cents) / 100); }
};

struct sounding_options {
  /// Grace notes as in historical treatises and common players. Without a slash they start on the
  /// beat and share half of the following note, two thirds if it is dotted. With a slash each takes
  /// a 32nd, at most half of the note together. Those after the last note of a measure, and before
  /// a note that is tied over, take a 32nd each from the end of the previous note, or sound beside
  /// the others if their measure has none. steal-time percentages take precedence. False: grace
  /// notes do not sound and take no time.
  bool grace_notes = true;
  /// Tremolos as repeated notes: eighths for one stroke, sixteenths for two, in tuplets shortened
  /// by the ratio; between two notes they alternate. Those marked "unmeasured" are 32nds, which is
  /// our choice. A tie joins no strokes: a roll that is tied goes on, and a note to which it is tied
  /// is struck. If the strokes do not fill the note evenly, the last one is longer. False: all sound
  /// once.
  bool tremolos = true;
};

/// All notes by onset, then part, then height, without those that `time-only` keeps for other
/// passes of a repeat. Cue notes are silent; ornaments and arpeggios are left to the performer.
/// Ties join equal heights where one note ends and the other starts, in playing order. Errors of
/// `playing_order`.
[[nodiscard]] result<std::vector<sounding_note>> sounding_notes(const score& s,
                                                                sounding_options options = {});

/// The same for a given playing order, with the onset of each of its entries (and one more for the
/// end of the piece).
struct unfolded_time {
  std::vector<played_measure> order;
  std::vector<quarters> starts;
};
[[nodiscard]] result<unfolded_time> unfolded(const score& s);
[[nodiscard]] std::vector<sounding_note> sounding_notes(const score& s, const unfolded_time& time,
                                                        sounding_options options = {});

}  // namespace fermata
