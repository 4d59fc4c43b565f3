#pragma once

#include "core/score/note.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace fermata::io::lilypond {

/// How many times shorter the chord is than it is drawn. What it lasts decides, not the numbers of
/// its <time-modification>, which nested tuplets often get wrong.
rational tuplet_ratio(const chord_rest& x);

/// The `\tuplet` blocks that are open while a voice is written. Times are exact by the product of
/// their ratios; the numbers are those of the score, so that a sextuplet says 6 and not 3.
class tuplet_blocks {
public:
  /// Product of all that are open.
  rational ratio() const;

  /// Opens blocks so that the product of all ratios is that of chord `k` of the voice's line, and
  /// closes undrawn ones that do not hold for it. Answers the words that do so.
  std::vector<std::string> open_before(const std::vector<const chord_rest*>& line, std::size_t k);
  /// Closes what ends on this chord.
  std::string close_after(const chord_rest& x);
  std::string close_all() { return close(blocks_.size()); }

private:
  struct numbers {
    int actual = 1, normal = 1;
    rational ratio() const { return {actual, normal}; }
  };
  struct block {
    numbers shown;
    bool drawn;  ///< the score has a bracket there
  };

  numbers product() const;
  /// The numbers for a block of this ratio, as the bracket or the time modification of `x` has
  /// them.
  numbers numbers_for(rational ratio, const chord_rest& x, const spanner* bracket) const;
  std::string open(rational ratio, const chord_rest& x, const spanner* bracket);
  std::string close(std::size_t count);

  std::vector<block> blocks_;  ///< outermost first
};

}  // namespace fermata::io::lilypond
