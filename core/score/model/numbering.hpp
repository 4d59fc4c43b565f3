#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace fermata {

/// Measure numbers are text, but most of them count: 1, 2, 3 ... Measures that are not counted
/// (implicit: pickups, second halves of divided measures) leave the count alone. A part that begins
/// with one begins with 0; the later ones are X1, X2 ..., as MusicXML files name them. Measures are
/// numbered so wherever they come from: typed at the cursor, compiled, inserted.

/// The numbers of measures as they follow each other.
class measure_count {
public:
  /// Of a measure that comes next.
  std::string next(bool implicit) const;
  /// It has come, whatever its number: the count goes on behind it.
  void pass(const measure& m);

private:
  std::int64_t counted_ = 0, uncounted_ = 0;
  bool begun_ = false;
};

/// The number of a measure put at `index` of a part, which the count of those before it gives.
std::string next_measure_number(const part& p, std::size_t index, bool implicit = false);

/// The number as a count, if it is one: "12", not "X1" or "12a".
std::optional<int> counted_number(const measure& m);

/// 2 of "X2": the place of a measure that is not counted among its like.
std::optional<int> uncounted_number(const measure& m);

/// The number of a measure that is numbered on when others come or go before it: counted, and
/// written as numbers are ("12", not "012"), so that nothing is lost on the way there and back.
std::optional<int> plain_number(const measure& m);

/// The measure with a number higher by `by`; itself when it has no plain number. What one `by`
/// does, the opposite one takes back exactly. Null: there is no such number.
measure_ptr renumbered(const measure_ptr& m, std::int64_t by);

}  // namespace fermata
