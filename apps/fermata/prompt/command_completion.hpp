#pragma once

#include "core/session/timeline/state.hpp"
#include "io/line_editor/line_editor.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::app {

/// Time limit of completion, short enough not to be noticed after Tab.
inline constexpr std::chrono::milliseconds completion_time{50};

/// Context for completing command lines.
struct command_surroundings {
  const session_state* state = nullptr;  ///< may be null
  std::vector<std::string> sessions;     ///< slugs
  std::filesystem::path home;            ///< where archived sessions are looked for
};

/// Words that can stand at the end of a command line, from its row in the command table: names of
/// commands, options, and for each argument what its word in the row stands for: SESSION, PART,
/// MEASURES (names of sections), BRANCH, FORM, CODE, TOPIC, NAME of a setting and its values, FILE,
/// and words that are meant literally. A word with blanks comes in quotes. `before` begins with the
/// colon and ends at the cursor.
io::completions complete_command_line(std::string_view before, const command_surroundings& around);

/// Paths that begin with this, as they are typed: `~/` stays, folders end in a slash. At most a few
/// hundred; a folder that does not answer within the time box gives fewer.
std::vector<std::string> matching_files(std::string_view typed);

}  // namespace fermata::app
