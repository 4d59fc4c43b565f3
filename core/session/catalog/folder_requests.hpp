#pragma once

#include <string>
#include <vector>

namespace fermata {

/// A request to move a session to the archive or to the trash.
struct archive_request {
  std::string session;  ///< slug or name
  std::string asker;    ///< slug of the session with the request
  bool to_trash = false;
  bool only_asks = false;  ///< only identifies it; nothing is done
};

/// The result. A session that removes itself is told where the user goes next, and is moved after
/// it has said `left`.
struct archive_answer {
  std::string slug;
  std::string next;  ///< set if the asker itself is moved
};

/// A request to write a session to an archive.
struct export_request {
  std::string session;       ///< slug or name
  std::string file;          ///< empty: named after the session
  bool replaces = false;     ///< overwrite any file
  std::string perhaps = {};  ///< a session to export instead, if there is one; `file` is part of it
};

/// The archive was written.
struct exported_session {
  std::string slug;
  std::string file;
  std::vector<std::string> remarks;  ///< damage in the session
};

/// Appended to "was moved to the": details on the removed session.
inline std::string location_text(const std::string& slug, bool to_trash) {
  return to_trash ? "trash, where its folder is kept"
                  : "archive; `:session unarchive " + slug + "` restores it";
}

}  // namespace fermata
