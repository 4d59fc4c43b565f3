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

/// Replacing measures in the forms that edit: staves that the new ones do not mention are kept
/// (kept_staves.hpp), and the result says so.

/// Runs of adjacent measures of one part.
struct measure_run {
  std::size_t part, first, count;
};
std::vector<measure_run> runs_of(const std::vector<measure_location>& found);

/// What happened to the staves and voices that new measures do not mention, for the result.
struct replacement_report {
  std::set<std::uint8_t> kept_staves;
  std::set<std::string> removed_voices;
};

/// The result of an edit, with a remark on these.
result<value> with_report(result<value> answer, const replacement_report& report);

/// Adds to `made`, which replace the run, the staves of the old measures that they do not mention.
/// Error: such a staff has notes and the number of measures differs.
result<void> keep_staves(call& c, const part& p, const measure_run& run, std::vector<measure>& made,
                         replacement_report& report);

}  // namespace fermata
