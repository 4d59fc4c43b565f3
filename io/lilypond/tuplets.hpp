#pragma once

#include "core/score/model/note.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace fermata::io::lilypond {

/// How many times shorter the chord is than it is drawn. What it lasts decides, not the numbers of
/// its <time-modification>, which nested tuplets often get wrong.
rational tuplet_ratio(const chord_rest& x);

/// What is known of the brackets of a voice before it is written.
struct bracket_plan {
  std::set<const spanner*> unwritten;  ///< ends of brackets that cannot be drawn
  std::set<const spanner*> on_one;     ///< starts of brackets over a single chord
};

/// The `\tuplet` blocks that are open while a voice is written. Times are exact by the product of
/// their ratios; the numbers are those of the score, so that a sextuplet says 6 and not 3.
class tuplet_blocks {
public:
  explicit tuplet_blocks(const bracket_plan& plan) : plan_(plan) {}

  /// Product of all that are open.
  rational ratio() const;

  /// Opens blocks so that the product of all ratios is that of chord `k` of the voice's line, and
  /// closes undrawn ones that do not hold for it. Answers the words that do so.
  std::vector<std::string> open_before(const std::vector<const chord_rest*>& line, std::size_t k);
  /// Closes what ends on this chord.
  std::string close_after(const chord_rest& x);
  std::string close_all() { return close(blocks_.size()); }

  /// Brackets met so far over notes that are no tuplet: they are not drawn.
  std::size_t without_ratio() const { return without_ratio_; }

private:
  struct numbers {
    int actual = 1, normal = 1;
    rational ratio() const { return {actual, normal}; }
  };
  struct block {
    numbers shown;
    bool drawn;  ///< the score has a bracket there
  };

  /// The brackets that begin or end on a chord and can be drawn.
  std::vector<const spanner*> brackets(const chord_rest& x, span_end end) const;
  int count_of(const chord_rest& x, span_end end) const;
  const chord_rest* chord_behind(const std::vector<const chord_rest*>& line, std::size_t k,
                                 int depth) const;
  numbers product() const;
  /// The numbers for a block of this ratio, as the bracket or the time modification of `x` has
  /// them.
  numbers numbers_for(rational ratio, const chord_rest& x, const spanner* bracket) const;
  std::string open(rational ratio, const chord_rest& x, const spanner* bracket);
  std::string close(std::size_t count);

  const bracket_plan& plan_;
  std::vector<block> blocks_;  ///< outermost first
  std::size_t without_ratio_ = 0;
};

}  // namespace fermata::io::lilypond
