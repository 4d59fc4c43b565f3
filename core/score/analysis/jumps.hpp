#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The navigation signs of a measure: repeat barlines, endings, segno and coda, D.C. and D.S. Read
/// from barlines, from <sound> attributes (MusicXML 4.0, "sound" element), and from words where
/// there is no <sound>.

/// Where the music after a jump ends.
enum class jump_goal { unspecified, fine, coda };

struct jump {
  enum class to { beginning, segno } target{};
  std::string label;  ///< distinguishes several segnos; may be empty
  jump_goal goal = jump_goal::unspecified;
  std::vector<int> passes;  ///< applies only on these passes; empty: always
  bool operator==(const jump&) const = default;
};

/// The signs of one measure of the score, from all parts.
struct measure_signs {
  bool forward = false;      ///< a repeat starts before the measure
  bool backward = false;     ///< a repeat ends after it
  std::optional<int> times;  ///< how often the repeat that ends here is played in total
  bool after_jump = false;   ///< it is also taken after D.C. and D.S.
  bool ending_starts = false;
  std::vector<int> ending_numbers;  ///< of the ending that starts here; empty: not specified
  bool ending_stops = false;
  bool segno = false, coda = false;  ///< the target of a jump
  std::string segno_label, coda_label;
  std::optional<std::string> to_coda_before, to_coda_after;  ///< jump to the coda with that label
  bool fine = false;                                         ///< the end, after the measure
  std::optional<measure_position> fine_at;                   ///< or at this position in it
  std::optional<jump> jumps;                                 ///< after the measure
};

/// One entry per measure of the longest part.
///
/// A "to coda" at the very start of a measure applies before it; every other jump applies after its
/// measure, since "Fine" and "D.C." are often attached to a long last note. A "Fine" inside a
/// measure is the end at its position if a barline is there, if another note starts later in the
/// measure, or if the rest of the measure is as long as the pickup of the piece. Of two coda signs
/// without other information, the first is a "to coda".
std::vector<measure_signs> signs_of(const score& s);

/// The passes in an ending's number: "1, 2" and "1-3" (MusicXML's ending-number and time-only).
std::vector<int> numbers_of_ending(std::string_view text);

/// Words that are instructions for navigation. Empty for other words.
struct word_sign {
  std::optional<jump> jumps;
  bool to_coda = false, fine = false, segno = false, coda = false;
};
/// "D.C.", "Da Capo al Fine", "D.S. al Coda", "Dal Segno", "To Coda", "Fine", "Coda", in any case.
std::optional<word_sign> sign_in_words(std::string_view text);

}  // namespace fermata
