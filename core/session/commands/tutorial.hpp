#pragma once

#include "core/session/timeline/state.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The first ten minutes: steps that say what to try, look at what was typed, and go on when it was
/// tried. It runs in a session of its own, so nothing of the user's is touched. Which step somebody
/// is at is the front-end's to know.
struct tutorial_step {
  std::string_view title;
  std::string_view text;      ///< what it is about and what to type
  std::string_view try_this;  ///< what passes the step, several lines are one input
  /// Whether an entry shows that the step was done. `after` is the session after it.
  bool (*is_done)(const history_entry& e, const session_state& after) = nullptr;
  std::string_view hint;  ///< when something else was typed
};

inline constexpr std::string_view tutorial_session = "tutorial";  ///< name and slug

const std::vector<tutorial_step>& tutorial_steps();

/// The step as it is shown; `index` from 0.
std::string tutorial_text(std::size_t index);

/// What is said after the last step.
std::string tutorial_farewell();

}  // namespace fermata
