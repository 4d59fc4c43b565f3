#pragma once

#include "core/session/timeline/state.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The tutorial: steps with instructions, each of which is complete when the user has done it. It
/// runs in its own session, so the user's work is not changed. The front end remembers the current
/// step.
struct tutorial_step {
  std::string_view title;
  std::string_view text;      ///< instructions
  std::string_view try_this;  ///< completes the step; several lines are one input
  /// Whether an entry completes the step. `after` is the session after it.
  bool (*is_done)(const history_entry& e, const session_state& after) = nullptr;
  std::string_view hint;  ///< shown after other input
};

inline constexpr std::string_view tutorial_session = "tutorial";  ///< name and slug

const std::vector<tutorial_step>& tutorial_steps();

/// The step as shown; `index` from 0.
std::string tutorial_text(std::size_t index);

/// Text after the last step.
std::string tutorial_farewell();

}  // namespace fermata
