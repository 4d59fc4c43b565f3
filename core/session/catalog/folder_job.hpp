#pragma once

#include "core/session/timeline/event.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace fermata::catalog {

/// Work on files that blocks, as values; sessions are named by their slugs.

/// Removes drafts that a process left behind when it was killed.
struct remove_drafts {};
/// Records the session with which the next start begins.
struct remember_active {
  std::string slug;
};
/// Copies a folder to that of a new session.
struct copy_folder {
  std::string from;
  session_meta to;
};
/// Checks whether a folder can be moved to the archive or the trash.
struct check_move {
  std::string slug;
  bool to_trash = false;
  bool is_ours = false;  ///< open in this process, which will close it first
};
/// Moves a folder there.
struct move_away {
  std::string slug;
  bool to_trash = false;
};
/// Moves a folder from the archive back to the sessions in use, perhaps with another slug.
struct move_back {
  std::string slug;
  std::string as;
};
/// Writes an archive file.
struct write_archive {
  session_meta source;
  std::string file;
  bool replaces = false;  ///< any file
  /// Changes that no file has; null: there are none.
  std::shared_ptr<const std::vector<transition>> unwritten;
};
/// Reads name, dates and tags of an archive file.
struct read_archive {
  std::string file;
};
/// Makes the folder of a new session from an archive file.
struct unpack_archive {
  std::string file;
  session_meta to;
};

using folder_job = std::variant<remove_drafts, remember_active, copy_folder, check_move, move_away,
                                move_back, write_archive, read_archive, unpack_archive>;

}  // namespace fermata::catalog
