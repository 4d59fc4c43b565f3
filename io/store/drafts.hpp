#pragma once

#include "core/result.hpp"
#include "io/store/file.hpp"

#include <filesystem>
#include <utility>

namespace fermata::io {

/// A folder under construction next to its final place, to be moved there when it is complete:
/// `.NAME.draft-XXXXXX`, which is never mistaken for a session. Its creator holds an flock on the
/// folder, which the system releases when the process ends for any reason; so later processes
/// recognize the draft of a killed one, even if they cannot see each other's process ids.
class draft_folder {
public:
  /// Next to `target`, whose folder is created if it does not exist. Errors: the system's.
  static result<draft_folder> beside(const std::filesystem::path& target);
  draft_folder(draft_folder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  draft_folder& operator=(draft_folder&&) = delete;
  /// Removes it with its contents, unless it is finished.
  ~draft_folder();

  const std::filesystem::path& path() const { return path_; }
  /// It was moved to its final place.
  void finished() { path_.clear(); }

private:
  draft_folder(std::filesystem::path path, file_descriptor lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  file_descriptor lock_;
};

/// Removes the drafts in `folder` that are no longer in use, and nothing with another name:
/// including those of older versions, `.NAME-PID`, which contain only files of a session, if there
/// is no such process.
void remove_dead_drafts(const std::filesystem::path& folder);
/// The same for drafts of `target` only, in a folder with other contents.
void remove_dead_drafts_of(const std::filesystem::path& target);

}  // namespace fermata::io
