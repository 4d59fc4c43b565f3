#pragma once

#include "core/result.hpp"
#include "core/score/analysis/unfold.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fermata {

/// The notes of a score as they sound, before any performer touches them: repeats unfolded, ties
/// merged, transposition applied; time in quarters of the written rhythm.

struct sounding_note {
  quarters onset;  ///< from the beginning of the piece
  quarters length;
  int cents = 6000;  ///< sounding pitch in hundredths of a semitone above MIDI key 0
  std::size_t part = 0;
  std::uint8_t staff = 1;
  std::string voice;
  bool unpitched = false;  ///< percussion: `cents` is the drum key of the instrument, or where the
                           ///< note is drawn when the instrument has none
  bool grace = false;
  std::string instrument;  ///< id, or empty for the part's first
  /// Where the (first) note stands, and which entry of the playing order it belongs to.
  std::size_t measure = 0, item = 0, note = 0, played = 0;

  /// MIDI key, microtones rounded down.
  int key() const { return cents >= 0 ? cents / 100 : -((99 - cents) / 100); }
};

struct sounding_options {
  /// Grace notes as the old treatises and common players have them. Without a slash they begin on
  /// the beat and share half of the note they stand before, two thirds if it is dotted. With a
  /// slash each takes a 32nd, at most half of the note together. Those behind the last note of a
  /// measure, and before a note that is tied over, take a 32nd each from the end of the note
  /// before. steal-time percentages come first. False: grace notes do not sound and take nothing.
  bool grace_notes = true;
  /// Tremolos are the short way to write repeated notes: one stroke eighths, two strokes
  /// sixteenths, in tuplets as many times shorter; between two notes they alternate. Those marked
  /// "unmeasured", those tied to a neighbour, and those whose strokes do not fill the note evenly
  /// sound once. False: all sound once.
  bool tremolos = true;
};

/// All notes by onset, then part, then height. Cue notes are silent; ornaments and arpeggios are
/// the performer's. Ties join equal heights where one note ends and the other begins, in playing
/// order. Errors of `playing_order`.
[[nodiscard]] result<std::vector<sounding_note>> sounding_notes(const score& s,
                                                                sounding_options options = {});

/// The same for a playing order that is known already, with the onset of each of its entries (one
/// more than it has: the end of the piece).
struct unfolded_time {
  std::vector<played_measure> order;
  std::vector<quarters> starts;
};
[[nodiscard]] result<unfolded_time> unfolded(const score& s);
[[nodiscard]] std::vector<sounding_note> sounding_notes(const score& s, const unfolded_time& time,
                                                        sounding_options options = {});

}  // namespace fermata
