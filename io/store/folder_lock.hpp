#pragma once

#include "core/result.hpp"
#include "io/store/file.hpp"

#include <filesystem>

namespace fermata::io {

/// Holds a session's folder for one writer: an flock on `journal.lock`, which the system releases
/// when the process ends, however it ends. The file holds the process id, for the message.
class folder_lock {
public:
  /// Error: another process (or another session of this one) holds it; the message says which.
  static result<folder_lock> take(const std::filesystem::path& folder);

private:
  file_descriptor file_;
};

}  // namespace fermata::io
