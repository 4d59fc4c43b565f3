#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace fermata {

/// Measure numbers are text, but most of them count: 1, 2, 3 ... Measures that are not counted
/// (implicit: pickups, second halves of divided measures) do not affect the count. A part that
/// starts with one starts with 0; later ones are X1, X2 ..., as in MusicXML files. All measures are
/// numbered this way, whether typed at the cursor, compiled or inserted.

/// Consecutive measure numbers.
class measure_count {
public:
  /// The number of the next measure.
  std::string next(bool implicit) const;
  /// Records a measure with any number; the count continues after it.
  void pass(const measure& m);

private:
  std::int64_t counted_ = 0, uncounted_ = 0;
  bool begun_ = false;
};

/// The number of a measure inserted at `index` of a part, following those before it.
std::string next_measure_number(const part& p, std::size_t index, bool implicit = false);

/// The number as a count, if it is plain: "12", not "X1" or "12a".
std::optional<int> counted_number(const measure& m);

/// 2 of "X2": the position of an uncounted measure among the uncounted ones.
std::optional<int> uncounted_number(const measure& m);

/// The number of a measure that is renumbered when measures before it are inserted or deleted:
/// counted, and in the usual spelling ("12", not "012"), so that renumbering is reversible.
std::optional<int> plain_number(const measure& m);

/// The measure with its number raised by `by`; itself if it has no plain number. The opposite `by`
/// is the exact inverse. Null: the number would be out of range.
measure_ptr renumbered(const measure_ptr& m, std::int64_t by);

}  // namespace fermata
