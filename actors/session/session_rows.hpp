#pragma once

#include "core/session/timeline/wall_clock.hpp"
#include "io/store/session_list.hpp"
#include "messages/session_manager.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata::actors {

/// Lists of sessions read the same at the prompt and in the shell.

/// What is known of a session that is only on the disk.
session_summary summary_of(const io::session_on_disk& stored);

/// `session-1  Name #tag  3 entries, 4.5 KB, changed ...  1 part, 2 measures`, and what waits
/// there.
std::string session_row(const session_summary& s, wall_clock clock);

}  // namespace fermata::actors
