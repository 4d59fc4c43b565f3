#pragma once

#include "core/score/edit/edit.hpp"

#include <vector>

namespace fermata {

/// Whether something without duration belongs to the end of a full measure, not to the next one.
[[nodiscard]] bool belongs_to_end(const measure_content& x);

/// `append_content` as one step of an edit that knows the previous content and repairs tuplet
/// brackets itself (repair_tuplets.hpp).
[[nodiscard]] result<edited> append_in_edit(const score_ptr& s, const score_cursor& at,
                                            const score_defaults& defaults,
                                            const std::vector<measure_content>& line);

}  // namespace fermata
