#pragma once

#include "core/result.hpp"
#include "io/store/file.hpp"

#include <filesystem>

namespace fermata::io {

/// Why a folder was not locked.
struct lock_failure {
  error why;
  /// Another process has the session, moved it, or made it first: there is nothing wrong with the
  /// disk.
  bool elsewhere = false;
  /// Who has it, when that is why: "process 12", "another process" where that is not known. Empty:
  /// nobody has it.
  std::string holder = {};
};

/// Holds a session's folder for one writer: an flock on `journal.lock`, which the system releases
/// when the process ends, however it ends. The file holds the process id, for the message.
class folder_lock {
public:
  /// Errors: another process (or another session of this one) holds it, and the message says which;
  /// the folder is not there, or was moved while it was waited for; the system's.
  static tl::expected<folder_lock, lock_failure> take(const std::filesystem::path& folder);

  /// The folder that is there has this lock: it is neither moved nor removed nor another one.
  bool is_of(const std::filesystem::path& folder) const;

private:
  file_descriptor file_;
};

}  // namespace fermata::io
