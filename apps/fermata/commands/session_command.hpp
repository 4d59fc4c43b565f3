#pragma once

#include <string>

namespace fermata::app {

struct session_options {
  std::string session;    ///< export: which one, by id or name; import: its new name, or empty
  std::string file;       ///< the archive
  std::string home;       ///< overrides $FERMATA_HOME
  bool replaces = false;  ///< export: whatever is there
};

/// The stored sessions, a line each.
int list_sessions_command(const session_options& o);

/// A stored session to an archive file, also while a prompt has it open.
int export_session_command(const session_options& o);

/// An archive file to a new stored session.
int import_session_command(const session_options& o);

}  // namespace fermata::app
