#pragma once

#include "core/score/model/measure.hpp"
#include "core/score/model/walk.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fermata {

/// Which measures of two states of a part are the same music, whatever numbers they have.

/// The very same music, though perhaps under another number: told without reading it.
bool shares_music(const measure& a, const measure& b);

/// Pairs (i, j) of equal hashes of music, ascending on both sides: a longest common subsequence.
/// Seen from the other side it is the same one, so that an undo tells what the redo does.
std::vector<std::pair<std::size_t, std::size_t>> same_music(const std::vector<std::uint64_t>& a,
                                                            const std::vector<std::uint64_t>& b);

/// The same of measures that follow each other in two states of a part. Measures are the same, too,
/// when the clef, key and metre in force are, whichever measure says them: where the first measure
/// is taken away, what it said moves into the next one, and that stays what it was. `in_front_of_a`
/// and `b`: what holds in front of these measures, where that is known.
std::vector<std::pair<std::size_t, std::size_t>> same_measures(
    const std::vector<measure_ptr>& a, const std::vector<measure_ptr>& b,
    const part_state& in_front_of_a = {}, const part_state& in_front_of_b = {});

}  // namespace fermata
