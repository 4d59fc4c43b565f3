#pragma once

#include "core/score/model/score.hpp"

#include <map>
#include <string>
#include <vector>

namespace fermata::midi {

/// How articulation marks change a note.
///
/// Lengths are those of LilyPond's articulate.ly: a note without a mark sounds 7/8 of its length,
/// staccato (and spiccato) 1/2, under a slur 3/4, staccatissimo 1/4, detached legato (portato) 3/4,
/// tenuto and notes under a slur all of it. What is louder is as in LilyPond's script-init.ly:
/// accent 20, strong accent 40, staccato 4, staccatissimo 6. Stress and soft accent are 10 louder,
/// unstress 10 softer, which is our choice. Before a breath mark a note ends an
/// eighth early, but sounds for half of its length at least.
struct articulation {
  rational length_factor{1};
  int extra_velocity = 0;
  bool breath = false;
};

/// Marks on any note of a chord count for the chord.
articulation articulation_of(const chord_rest& x, bool under_slur);

/// How long a note of this length sounds.
quarters articulated(quarters length, const articulation& a);

/// The slurs of a part: which notes go on to the next one without a gap.
class slurred_places {
public:
  /// `starts` as by `measure_starts`.
  slurred_places(const part& p, const std::vector<quarters>& starts);

  /// Whether a slur of the voice goes on behind this place of the written score.
  bool joins(const std::string& voice, quarters written) const;

private:
  struct span {
    quarters from, to;
  };
  std::map<std::string, std::vector<span>> voices_;  ///< in order, joined where they overlap
};

}  // namespace fermata::midi
