#pragma once

#include "core/music/rational.hpp"
#include "core/score/model/note.hpp"

#include <optional>
#include <vector>

namespace fermata {

/// Notes that are tied because no single note value lasts as long, put together again: the way back
/// from `tied_pieces` (core/score/model/placing.hpp).

/// Whether the rhythm of `x` is what it is written as: no grace note, in no tuplet, not a rest that
/// fills whatever measure it stands in.
bool is_plain(const chord_rest& x);

/// One note or rest in place of several.
struct joined_run {
  std::size_t count = 0;  ///< of the pieces, at least two
  chord_rest whole;       ///< lasts as long as all of them; without a note value of its own
};

/// The longest run at the beginning of `pieces` that one note value says once its length is taken
/// `factor` times: what a length without a value was split into, or tied notes of which the first
/// would need a tuplet by itself. Only what splitting gives is joined: what stands on a later piece
/// alone (lyrics, marks) would find no place. Nothing when there is none.
std::optional<joined_run> run_at(const std::vector<const chord_rest*>& pieces, rational factor);

/// Longer runs are left alone; a note of three thousand quarters has as many pieces.
constexpr std::size_t longest_run = 64;

}  // namespace fermata
