#pragma once

#include "core/result.hpp"
#include "io/store/file.hpp"

#include <filesystem>

namespace fermata::io {

/// Why a folder was not locked.
struct lock_failure {
  error why;
  /// Another process has the session, moved it, or created it first: there is no problem with the
  /// disk.
  bool elsewhere = false;
  /// The holder, if that is the reason: "process 12", "another process" if it is unknown. Empty: no
  /// holder.
  std::string holder = {};
};

/// Lock on a session's folder for one writer: an flock on `journal.lock`, which the system releases
/// when the process ends for any reason. The file has the process id, for the message.
class folder_lock {
public:
  /// Errors: another process (or another session of this one) holds it, and the message says which;
  /// the folder does not exist, or was moved while waiting; the system's.
  static tl::expected<folder_lock, lock_failure> take(const std::filesystem::path& folder);

  /// Whether the folder at this path has this lock: it was not moved, removed or replaced.
  bool is_of(const std::filesystem::path& folder) const;

private:
  file_descriptor file_;
};

}  // namespace fermata::io
