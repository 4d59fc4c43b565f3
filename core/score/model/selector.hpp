#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fermata {

/// Selecting parts of a score as musicians refer to them: "the left hand of measures 5 to 8", "the
/// second beat of the last measure in the violins". A selector is a description; resolving it
/// against a score gives locations.

/// A part by id, by name (ignoring ASCII case; several parts may share it), or by its position in
/// the score, from 1; negative counts from the last.
struct part_id {
  std::string text;
};
struct part_name {
  std::string text;
};
struct part_index {
  int number = 1;
};
/// By id if there is one, otherwise by name, otherwise by instrument (part_names.hpp): the meaning
/// of a bare word.
struct part_word {
  std::string text;
};
using part_selector = std::variant<part_id, part_name, part_index, part_word>;

/// A measure by printed number ("12", "X1"), or by position from 1; negative counts from the last.
struct measure_number {
  std::string text;
};
struct measure_index {
  int number = 1;
};
using measure_selector = std::variant<measure_number, measure_index>;

/// From the first to the last, inclusive. An open end extends to the end of the part.
struct measure_range {
  std::optional<measure_selector> first, last;
  static measure_range only(measure_selector m) { return {m, m}; }
};

/// From beat `first` up to, but not including, beat `end`, counted from 1 in the lower number of
/// the current time signature (the second eighth of 6/8 is beat 2). Fractions are allowed: 5/2 is
/// the "and" of beat 2. Without `end`: items that start exactly on `first`.
struct beat_range {
  rational first = 1;
  std::optional<rational> end;
};

struct selector {
  std::optional<part_selector> part;  ///< empty: all parts
  std::optional<std::uint8_t> staff;
  std::optional<std::string> voice;
  std::vector<measure_range> measures;  ///< empty: all measures
  std::optional<beat_range> beats;
  std::function<bool(const measure_content&)> kind;  ///< empty: everything

  /// Whether it selects whole measures: nothing restricts it within them.
  bool whole_measures() const { return !staff && !voice && !beats && !kind; }
};

/// A measure of one part, and an item of a measure, by index.
struct measure_location {
  std::size_t part = 0, measure = 0;
  auto operator<=>(const measure_location&) const = default;
};
struct item_location {
  std::size_t part = 0, measure = 0, item = 0;
  auto operator<=>(const item_location&) const = default;
};

/// The parts with that name, ascending; also those without measures. Error `no_such_target`.
[[nodiscard]] result<std::vector<std::size_t>> selected_parts(const part_selector& s,
                                                              const score& in);

/// The measures that `s` selects (ignoring staff, voice, beats and kind), by part, ascending, each
/// once. Error `no_such_target`: a named part or measure does not exist, with the nearest name or
/// the valid range; or nothing is selected.
[[nodiscard]] result<std::vector<measure_location>> selected_measures(const selector& s,
                                                                      const score& in);

/// The items that `s` selects, ascending. Items without a staff or voice of their own (attributes,
/// barlines, most directions) are selected only if neither is specified. Errors as above.
[[nodiscard]] result<std::vector<item_location>> selected_items(const selector& s, const score& in);

/// The item at a location returned by `selected_items` for the same score.
const measure_item& item_at(const score& s, const item_location& at);

/// The position of a beat: beat 1 is the start of the measure.
measure_position position_of_beat(rational beat, const time_signature& t);
/// The inverse: the fourth eighth of 6/8 is beat 4, however the measure is filled.
rational beat_at(measure_position at, const time_signature& t);

}  // namespace fermata
