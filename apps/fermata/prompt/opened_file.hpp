#pragma once

#include "core/session/timeline/state.hpp"

#include <filesystem>
#include <string>

namespace fermata::app {

/// A score file named on the command line: `fermata song.ferm`. It is opened in a session of its
/// name and read when that session is new. Afterwards session and file are apart: what is entered
/// changes the session, only `:export` writes to the file, and only `:run` or `:import` reads it
/// again. So neither is ever overwritten by opening the other.
struct opened_file {
  std::string command;   ///< to be entered first; empty: nothing is to be read
  std::string words;     ///< what the user is told instead
  bool refuses = false;  ///< the session belongs to other work
};

/// The name of the session for a file: "song" for /home/me/song.ferm.
std::string session_name_of(const std::filesystem::path& file);

/// Why the file cannot be opened at all: it is not there, or of no format that can be read.
/// Nothing: it can.
std::string why_not_opened(const std::filesystem::path& file);

/// What is to be done in the session that was opened for a file (an absolute path).
opened_file opened_in(const session_state& s, const std::filesystem::path& file);

}  // namespace fermata::app
