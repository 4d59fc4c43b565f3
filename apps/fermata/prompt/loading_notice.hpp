#pragma once

#include <filesystem>
#include <string>

namespace fermata::app {

/// How long the first session may take to open before something is said, in milliseconds.
constexpr int opening_patience = 700;

/// What is said then: its timeline is read from the beginning when what was saved of it is missing
/// or damaged. `session` as it was asked for, or empty: the last one. Empty when its timeline is so
/// short that this is not why it takes long.
std::string loading_notice(const std::filesystem::path& home, const std::string& session);

}  // namespace fermata::app
