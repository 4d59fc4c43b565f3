#pragma once

#include "core/score/model/score.hpp"

#include <optional>
#include <vector>

namespace fermata {

/// Reading a part from left to right: what key, time, clef and transposition hold at a place, and
/// when each measure begins. Every pass over a score that needs context takes it from here.

/// What is in force on one staff. A member is empty while the score has not said it.
struct staff_state {
  std::optional<key_signature> key;
  std::optional<time_signature> time;
  std::optional<fermata::clef> clef;
  std::optional<transposition> transpose;
  bool operator==(const staff_state&) const = default;
};

/// What is in force in a part, staff by staff.
class part_state {
public:
  /// Staves are numbered from 1. A staff that was not declared has what was said for all staves.
  const staff_state& staff(int number) const;
  int staves() const { return static_cast<int>(staves_.size()); }

  /// In force, with the conventional start where nothing was said: C major (no mode), 4/4, treble.
  key_signature key_or_default(int staff_number = 1) const;
  time_signature time_or_default(int staff_number = 1) const;
  clef clef_or_default(int staff_number = 1) const;

  /// Kept XML that holds from where it stands (standing_key in kept_elements.hpp).
  const std::vector<fragment>& standing() const { return standing_; }

  void apply(const attributes& a);
  /// Everything the measure changes, in order of position.
  void apply(const measure& m);
  /// What the measure changes up to and including `until`.
  void apply(const measure& m, measure_position until);

  bool operator==(const part_state&) const = default;

private:
  staff_state& open(int number);

  std::vector<staff_state> staves_{1};
  staff_state all_;  ///< said for all staves: what a staff opened later starts with
  std::vector<fragment> standing_;
};

/// State before anything in measure `index` (from 0) has been read.
part_state state_before(const part& p, std::size_t index);
/// State at a place in measure `index`, changes that stand exactly there included.
part_state state_at(const part& p, std::size_t index, measure_position at);

/// Time signature in force for `staff_number` at the end of measure `index`'s first instant: a
/// change at its beginning counts. Searches backwards, so it costs little near a change. Nothing
/// when the part never said one.
std::optional<time_signature> time_in_force(const part& p, std::size_t index, int staff_number = 1);

/// Calls `visit(index, measure, state)` for each measure with the state before it.
template <class Visitor>
void walk_measures(const part& p, Visitor&& visit) {
  part_state state;
  for (std::size_t i = 0; i < p.measures.size(); ++i) {
    visit(i, *p.measures[i], static_cast<const part_state&>(state));
    state.apply(*p.measures[i]);
  }
}

/// Start of every measure of the score in quarters from its beginning, repeats not unfolded, and
/// last the end of the piece: one entry more than the longest part has measures. A measure lasts as
/// long as the fullest of its parts, whatever the time signature (pickups, incomplete and overfull
/// measures as in the file); one that holds nothing lasts what its time signature says.
std::vector<quarters> measure_starts(const score& s);

/// Semitones times 100 from written to sounding pitch: chromatic + 12 * octaves.
int transposition_cents(const transposition& t);

/// The octave, in MIDI keys, and spelling aside: sounding pitch in hundredths of a semitone above
/// MIDI key 0. A transposition is added once; octave lines and clefs never change a pitch.
int sounding_cents(pitch written, const std::optional<transposition>& t);

}  // namespace fermata
