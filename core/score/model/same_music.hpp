#pragma once

#include "core/score/model/measure.hpp"
#include "core/score/model/walk.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fermata {

/// The measures of two states of a part that have the same music, whatever their numbers.

/// Whether the music is identical, though perhaps with another number; does not read it.
bool shares_music(const measure& a, const measure& b);

/// Pairs (i, j) of equal hashes of music, ascending on both sides: a longest common subsequence.
/// Symmetric, so that an undo reports the same as its redo.
std::vector<std::pair<std::size_t, std::size_t>> same_music(const std::vector<std::uint64_t>& a,
                                                            const std::vector<std::uint64_t>& b);

/// The same for consecutive measures in two states of a part. Measures are also the same if the
/// same clef, key and time signature are in effect, whichever measure specifies them: if the first
/// measure is deleted, its attributes move into the next one, which is still the same.
/// `in_front_of_a` and `b`: the attributes in effect before these measures, if known.
std::vector<std::pair<std::size_t, std::size_t>> same_measures(
    const std::vector<measure_ptr>& a, const std::vector<measure_ptr>& b,
    const part_state& in_front_of_a = {}, const part_state& in_front_of_b = {});

}  // namespace fermata
