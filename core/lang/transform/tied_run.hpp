#pragma once

#include "core/music/rational.hpp"
#include "core/score/model/note.hpp"

#include <optional>
#include <vector>

namespace fermata {

/// Joins notes that are tied because no single note value is that long: the inverse of
/// `tied_pieces` (core/score/model/placing.hpp).

/// Whether `x` sounds as long as it is written: not a grace note, not in a tuplet, not a
/// whole-measure rest.
bool is_plain(const chord_rest& x);

/// One note or rest that replaces several.
struct joined_run {
  std::size_t count = 0;  ///< of the pieces, at least two
  chord_rest whole;       ///< lasts as long as all of them; has no note value of its own
};

/// The longest run at the start of `pieces` that one note value can express after multiplication by
/// `factor`: the result of splitting a length without a value, or tied notes of which the first
/// would need a tuplet by itself. Only results of splitting are joined: lyrics or marks on a later
/// piece would be lost. Empty if there is none.
std::optional<joined_run> run_at(const std::vector<const chord_rest*>& pieces, rational factor);

/// Longer runs are not joined; a note of three thousand quarters has as many pieces.
constexpr std::size_t longest_run = 64;

}  // namespace fermata
