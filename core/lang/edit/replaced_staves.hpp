#pragma once

#include "core/lang/edit/edit_selection.hpp"
#include "core/lang/evaluation/call.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace fermata {

/// Measures that take the place of others, in the forms that edit: what they say nothing of stays
/// (kept_staves.hpp), and the answer tells of it.

/// Runs of neighbouring measures of one part.
struct measure_run {
  std::size_t part, first, count;
};
std::vector<measure_run> runs_of(const std::vector<measure_location>& found);

/// What became of the staves and voices that new measures say nothing of, for the answer.
struct replacement_report {
  std::set<std::uint8_t> kept_staves;
  std::set<std::string> removed_voices;
};

/// The answer of an edit, with what became of them.
result<value> with_report(result<value> answer, const replacement_report& report);

/// Adds to `made`, which take the place of the run, the staves of the old measures that they say
/// nothing of. An error when there are notes on such a staff and another number of measures.
result<void> keep_staves(call& c, const part& p, const measure_run& run, std::vector<measure>& made,
                         replacement_report& report);

}  // namespace fermata
