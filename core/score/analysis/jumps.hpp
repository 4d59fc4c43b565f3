#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// What the signs of a measure say about where to go on: repeat barlines, endings, segno and coda,
/// D.C. and D.S. Read from barlines, from <sound> attributes (MusicXML 4.0, "sound" element), and
/// from words where no <sound> speaks.

/// Where a jump stops being an ordinary passage.
enum class jump_goal { unsaid, fine, coda };

struct jump {
  enum class to { beginning, segno } target{};
  std::string label;  ///< names the segno when there are several; may be empty
  jump_goal goal = jump_goal::unsaid;
  std::vector<int> passes;  ///< taken on these passes only; empty: always
  bool operator==(const jump&) const = default;
};

/// The signs of one measure of the score, whichever part has them.
struct measure_signs {
  bool forward = false;      ///< a repeat begins before the measure
  bool backward = false;     ///< a repeat ends behind it
  std::optional<int> times;  ///< how often the repeat that ends here is played in all
  bool after_jump = false;   ///< it is taken after D.C. and D.S. too
  bool ending_starts = false;
  std::vector<int> ending_numbers;  ///< of the ending that starts here; empty: not said
  bool ending_stops = false;
  bool segno = false, coda = false;  ///< the place that a jump goes to
  std::string segno_label, coda_label;
  std::optional<std::string> to_coda_before, to_coda_after;  ///< leave for the coda of that label
  bool fine = false;                                         ///< the end, behind the measure
  std::optional<measure_position> fine_at;                   ///< or so far into it
  std::optional<jump> jumps;                                 ///< behind the measure
};

/// One entry per measure of the longest part.
///
/// A "to coda" at the very beginning of a measure is meant before it; every other sign that leads
/// away is meant behind its measure, since "Fine" and "D.C." are often attached to a long last
/// note. A "Fine" within a measure is the end there, and not behind the measure, when a barline
/// stands at its place, when another note begins later in the measure, or when what follows it is
/// as long as the pickup that the piece begins with. Of two coda signs that nothing else explains
/// the first is a "to coda".
std::vector<measure_signs> signs_of(const score& s);

/// The passes in an ending's number: "1, 2" and "1-3" (MusicXML's ending-number and time-only).
std::vector<int> numbers_of_ending(std::string_view text);

/// Words that are directions to the player. Nothing for other words.
struct word_sign {
  std::optional<jump> jumps;
  bool to_coda = false, fine = false, segno = false, coda = false;
};
/// "D.C.", "Da Capo al Fine", "D.S. al Coda", "Dal Segno", "To Coda", "Fine", "Coda", in any case.
std::optional<word_sign> sign_in_words(std::string_view text);

}  // namespace fermata
