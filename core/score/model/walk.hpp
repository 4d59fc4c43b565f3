#pragma once

#include "core/score/model/score.hpp"

#include <optional>
#include <vector>

namespace fermata {

/// Reading a part from left to right: the key, time, clef and transposition at each position, and
/// the start of each measure. Every pass over a score that needs this context takes it from here.

/// The attributes in effect on one staff. A member is empty until the score specifies it.
struct staff_state {
  std::optional<key_signature> key;
  std::optional<time_signature> time;
  std::optional<fermata::clef> clef;
  std::optional<transposition> transpose;
  bool operator==(const staff_state&) const = default;
};

/// The attributes in effect in a part, by staff.
class part_state {
public:
  /// Staves are numbered from 1. An undeclared staff has what was specified for all staves.
  const staff_state& staff(int number) const;
  int staves() const { return static_cast<int>(staves_.size()); }

  /// In effect, with the conventional default: C major (no mode), 4/4, treble.
  key_signature key_or_default(int staff_number = 1) const;
  time_signature time_or_default(int staff_number = 1) const;
  clef clef_or_default(int staff_number = 1) const;

  /// Kept XML that applies from its position on (standing_key in kept_elements.hpp).
  const std::vector<fragment>& standing() const { return standing_; }

  void apply(const attributes& a);
  /// Applies all changes in the measure, in order of position.
  void apply(const measure& m);
  /// Applies the changes in the measure up to and including `until`.
  void apply(const measure& m, measure_position until);

  bool operator==(const part_state&) const = default;

private:
  staff_state& open(int number);

  std::vector<staff_state> staves_{1};
  staff_state all_;  ///< for all staves: the initial state of a staff declared later
  std::vector<fragment> standing_;
};

/// State before measure `index` (from 0).
part_state state_before(const part& p, std::size_t index);
/// State at a position in measure `index`, including changes exactly there.
part_state state_at(const part& p, std::size_t index, measure_position at);

/// Time signature of `staff_number` after the first instant of measure `index`: a change at its
/// start counts. Searches backwards, so it is cheap near a change. Empty if the part never
/// specifies one.
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

/// Start of every measure of the score in quarters from its beginning, repeats not unfolded, then
/// the end of the piece: one entry more than the longest part has measures. A measure lasts as long
/// as the fullest of its parts, whatever the time signature (pickups, incomplete and overfull
/// measures as in the file); an empty one lasts as long as its time signature says.
std::vector<quarters> measure_starts(const score& s);

/// Semitones times 100 from written to sounding pitch: chromatic + 12 * octaves.
int transposition_cents(const transposition& t);

/// Sounding pitch in hundredths of a semitone above MIDI key 0. A transposition is added once;
/// octave lines and clefs never change a pitch.
int sounding_cents(pitch written, const std::optional<transposition>& t);

}  // namespace fermata
