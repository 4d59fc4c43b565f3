#pragma once

#include "core/score/merge/merge_plan.hpp"

namespace fermata {

/// Merging the properties of a score and its parts, apart from the measures. What both sides
/// changed differently is a conflict and keeps our value, unless theirs wins. Internal to
/// merge.cpp.

/// The order of the parts of the plan, and the part list in that order with its groups; a part that
/// is new on one side follows the same part as there. The header and the rest of the frame are
/// those of the merged score.
struct merged_headers {
  score frame;                     ///< without parts
  std::vector<std::size_t> order;  ///< into the plan's parts
};
merged_headers merge_score_headers(const score& base, const score& ours, const score& theirs,
                                   merge_plan& plan, const merge_request& request);

/// Name, instruments and so on of a part, with the measures of `ours`.
part merge_part_headers(const part* base, const part& ours, const part& theirs, merged_score& said,
                        const merge_request& request);

}  // namespace fermata
