#pragma once

#include "core/score/model/score.hpp"
#include "core/session/timeline/entry.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fermata::io {

/// The ways of the setting `display`: how values and scores are shown.
struct display_look {
  std::string_view display = "fermata";  ///< a word of the setting
  std::size_t columns = 80;              ///< staves and forms are no wider
  bool unicode = true;                   ///< false: staves in ASCII
};

/// The text after `Out` for an evaluation; empty: nothing is shown. What is not music is shown as
/// it was printed. Music that cannot be shown in that way (a mark without a note on a staff) is
/// shown as it was printed, with a line that says why.
std::string shown_value(const eval_entry& e, const display_look& look);

/// A score, one of its parts, or some measures (from 1, inclusive). Precondition: they are there.
std::string shown_score(const score_ptr& s, std::optional<std::size_t> part,
                        std::optional<std::pair<int, int>> measures, const display_look& look);

}  // namespace fermata::io
