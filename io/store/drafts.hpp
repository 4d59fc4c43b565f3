#pragma once

#include "core/result.hpp"
#include "io/store/file.hpp"

#include <filesystem>
#include <utility>

namespace fermata::io {

/// A folder in which something is made beside its place, to be put there when it is whole:
/// `.NAME.draft-XXXXXX`, which nobody takes for a session. Whoever makes it holds an flock on the
/// folder itself, which the system releases when the process ends, however it ends; so whoever
/// comes next knows what is left of one that was killed, also where processes do not see each
/// other's numbers.
class draft_folder {
public:
  /// Beside `target`, whose folder is made when it is not there. Errors: the system's.
  static result<draft_folder> beside(const std::filesystem::path& target);
  draft_folder(draft_folder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  draft_folder& operator=(draft_folder&&) = delete;
  /// Removes it with all that is in it, unless it is finished.
  ~draft_folder();

  const std::filesystem::path& path() const { return path_; }
  /// It stands in its place now.
  void finished() { path_.clear(); }

private:
  draft_folder(std::filesystem::path path, file_descriptor lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  file_descriptor lock_;
};

/// Removes the drafts in `folder` that nobody works at any more, and nothing of another name: also
/// those of older versions, `.NAME-PID`, which hold nothing but files of a session, when there is
/// no such process.
void remove_dead_drafts(const std::filesystem::path& folder);
/// The same of drafts of `target` alone, in a folder where others keep their things.
void remove_dead_drafts_of(const std::filesystem::path& target);

}  // namespace fermata::io
