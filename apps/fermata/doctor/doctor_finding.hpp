#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fermata::app {

/// What `fermata doctor` says of one thing it looked at.
struct finding {
  enum class level_t : std::uint8_t {
    fine,
    note,   ///< worth knowing, nothing is wrong
    wrong,  ///< something does not work, or will not
  } level = level_t::fine;
  std::string area;  ///< "home" "config" "socket" "sessions" "editing" "terminal" "sound" "mcp"
  std::string text;
  std::string advice;  ///< what to do; empty when there is nothing to do
};

using findings = std::vector<finding>;

/// The examinations, each of which looks and changes nothing.
findings examine_home(const std::string& home);
findings examine_config(const std::string& home);
findings examine_instances(const std::string& home);
findings examine_sessions(const std::string& home);
/// The files of one session: whether each can be read, and whether they know the same.
findings examine_session(const std::filesystem::path& folder);
/// The history of inputs, the start-up file, pager and editor.
findings examine_editing(const std::string& home);
findings examine_terminal();
/// The playback devices, and whether playback has real-time priority.
findings examine_sound();
/// Starts `fermata mcp` as an assistant does, and sends `initialize`.
findings examine_mcp(const std::string& home);

}  // namespace fermata::app
