#pragma once

#include "core/result.hpp"
#include "core/score/model/draft.hpp"
#include "core/score/model/selector.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fermata {

/// What edits of selected items share: the selection by measure, and the repairs and checks after
/// an edit in which every measure keeps its position.

/// Selected items of a part by measure, each once.
using items_by_measure = std::map<std::size_t, std::set<std::size_t>>;

/// The selection by part. Error `no_such_target`: a location outside the score.
[[nodiscard]] result<std::map<std::size_t, items_by_measure>> grouped_by_part(
    const score& s, const std::vector<item_location>& which);

/// The time signature of a measure, 4/4 if there is none.
time_signature time_or_default(const part& p, std::size_t m);

/// Removes the beams of a voice, which are computed anew after one of its notes has changed.
void forget_beams(measure& m, const std::string& voice);

/// Gives spanners that an edit wrote into measures [first, end) of a part a number of their own
/// where they overlap one with the same number. `before` has the items that were there and stayed.
void renumber_new_spanners(score_draft& draft, std::size_t p, const part& before, std::size_t first,
                           std::size_t end);

/// Error `overfull_measure`: a voice that the edit made too long. A measure that was overfull
/// before may stay so.
[[nodiscard]] result<void> check_voice_lengths(const score& s, std::size_t p, std::size_t m,
                                               const measure& before);

}  // namespace fermata
