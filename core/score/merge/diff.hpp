#pragma once

#include "core/score/model/measure_moves.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The differences between two scores in musical terms: for `fermata diff A B`, for previews of
/// undo, and for proposals. (A delta says how to get from one to the other; a diff says what a
/// musician sees.)

enum class change_kind { added, removed, changed };
std::string_view to_string(change_kind k);

/// A title, name or other text that changed.
struct text_change {
  std::string what;           ///< "title", "name", "composer"
  std::string before, after;  ///< empty: does not exist
  bool operator==(const text_change&) const = default;
};

/// One note, chord, rest or other thing in a measure.
struct item_change {
  change_kind kind{};
  std::string voice;              ///< empty if it has none
  measure_position at;            ///< position afterwards (removed: before)
  std::string before, after;      ///< as `describe` writes it; empty on the missing side
  std::vector<std::string> what;  ///< of a changed note: "pitch", "length", "position", "marks",
                                  ///< "tie", "lines", "lyrics", "staff", "instrument", "display"
  rational beat{1};               ///< `at` in beats of the metre, as selectors count them
  bool operator==(const item_change&) const = default;
};

/// One measure. An added or removed one lists no items: all of them are.
struct measure_change {
  change_kind kind{};
  std::string number;                        ///< afterwards (removed: before)
  std::optional<std::size_t> before, after;  ///< indices
  std::string number_before;                 ///< when the number itself changed with the music
  std::vector<item_change> items;
  bool operator==(const measure_change&) const = default;
};

struct part_diff {
  change_kind kind{};
  std::string id, name;
  std::vector<text_change> texts;
  std::vector<measure_change> measures;  ///< in order; of added and removed parts none
  std::size_t measure_count = 0;  ///< of the part (afterwards, or before when it was removed)
  bool operator==(const part_diff&) const = default;
};

struct score_diff {
  std::vector<text_change> texts;
  std::vector<part_diff> parts;
  bool parts_reordered = false;
  bool empty() const { return texts.empty() && parts.empty() && !parts_reordered; }
  bool operator==(const score_diff&) const = default;
};

/// Parts are matched by id; measures by content, whatever their numbers, and the remaining ones
/// between two matches by similarity; notes by voice and position. Measures that differ only in
/// number are no difference.
/// `moves`: which measures came and went, if that is known; the others match their places.
[[nodiscard]] score_diff musical_diff(const score& before, const score& after,
                                      const measure_moves& moves = {});

/// Readable text, one line per difference; "no difference" if there is none:
///
///     title: "Sonata" -> "Sonatina"
///     Violin I
///       measure 3
///         beat 2: c4:q -> d4:q (pitch)
///         + beat 3: f
///       - measure 9
[[nodiscard]] std::string to_text(const score_diff& d);

}  // namespace fermata
