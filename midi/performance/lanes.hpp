#pragma once

#include "core/music/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace fermata::midi {

/// The lanes of one instrument: each will have a channel of its own, as a pitch bend is for all
/// notes of a channel. A note with a microtone gets a lane that is bent as it needs, or that no
/// note sounds in; so a bend never detunes another note. Lane 0 is never bent.
///
/// A lane is kept for its bend as long as there are fewer than 15; then the one that has been
/// silent longest is used again. Slides have lanes of their own, one note at a time.

/// A key and how far the note is above or below it: -49..50 hundredths of a semitone.
struct bent_key {
  int key = 60;
  int cents = 0;
};
bent_key bent_key_of(int cents);

/// Sensitivity of the bends in semitones: 2, the default of General MIDI; 24 in parts with slides.
inline constexpr int usual_bend_range = 2, slide_bend_range = 24;

/// The value of a pitch bend.
std::int16_t bend_value(int cents, int range);

class lane_set {
public:
  struct choice {
    std::size_t lane = 0;
    bool bends = false;  ///< the lane must be bent before the note
  };
  /// For a note bent by `cents` that begins at `onset` and is heard until `silent`. Call by onset.
  choice lane_for(quarters onset, quarters silent, int cents, bool slides);

  std::size_t size() const { return lanes_.size(); }

private:
  struct lane {
    int cents = 0;
    bool slides = false;
    quarters silent;  ///< since when no note is heard
  };
  choice use(std::size_t i, quarters silent, int cents);

  std::vector<lane> lanes_{1};
  /// Lanes other than the first, with and without slides: silent longest first.
  std::array<std::set<std::pair<quarters, std::size_t>>, 2> by_silence_;
  std::map<int, std::size_t> bent_;  ///< lanes without slides by their bend
};

}  // namespace fermata::midi
