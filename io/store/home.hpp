#pragma once

#include "core/result.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

namespace fermata::io {

/// Where everything of Fermata lies: `$FERMATA_HOME`, else `~/.fermata`. Not made yet.
std::filesystem::path fermata_home();

/// `sessions/<slug>` in it. Errors: the text is no slug, so that no path leads out of the folder.
result<std::filesystem::path> session_folder(const std::filesystem::path& home,
                                             std::string_view slug);

/// Slugs of the sessions that are there, in alphabetical order.
std::vector<std::string> stored_sessions(const std::filesystem::path& home);

}  // namespace fermata::io
