#pragma once

#include "core/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace fermata::io {

/// Files that exist completely or not at all. Errors name the file and give the system's reason.

/// An open file; closed by the destructor.
class file_descriptor {
public:
  file_descriptor() = default;
  explicit file_descriptor(int fd) : fd_(fd) {}
  file_descriptor(file_descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  file_descriptor& operator=(file_descriptor&& other) noexcept;
  ~file_descriptor();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  /// Whether this path leads to the same file. Takes a microsecond or two.
  bool is_at(const std::filesystem::path& path) const;

private:
  int fd_ = -1;
};

/// Opens a file for writing, created for this user only. Only a regular file is opened: a symbolic
/// link would lead to a file that belongs to something else, and a pipe would block. `flags` as for
/// open(2). On failure empty, with the reason in `errno`.
file_descriptor open_to_write(const std::filesystem::path& path, int flags);

/// The whole content.
result<std::string> read_file(const std::filesystem::path& path);

/// Replaces the content atomically, even on power failure: a temporary file next to it, fsync,
/// rename, fsync of the folder. Readers see the old or the new content, never a mixture.
result<void> replace_file(const std::filesystem::path& path, std::string_view content);

/// Writes all of it, or fails; a part may then have been written.
result<void> write_all(int fd, std::string_view bytes, const std::filesystem::path& path);

/// Flushes the content to disk.
result<void> sync_file(int fd, const std::filesystem::path& path);

/// The folder that contains a file or folder, even if its path does not name it.
std::filesystem::path parent_folder(const std::filesystem::path& path);

/// Flushes names created or changed in the folder to disk.
result<void> sync_folder(const std::filesystem::path& folder);

/// A quick fingerprint of a file: it differs if the file was written to.
struct file_state {
  std::int64_t changed = 0;  ///< nanoseconds
  std::uint64_t size = 0, inode = 0;
  bool operator==(const file_state&) const = default;
};
/// Empty: the file does not exist, or cannot be examined.
std::optional<file_state> look_at_file(const std::filesystem::path& path);

/// Whether a path certainly does not exist. A path that cannot be examined, for example without
/// permission, may exist.
bool is_missing(const std::filesystem::path& path);

/// Whether this user may read, or write, the file. The reason is the system's.
bool can_read(const std::filesystem::path& path);
result<void> can_write(const std::filesystem::path& path);

/// Whether an error means that the process or the machine is temporarily out of open files or
/// memory, so that the file itself is not at fault.
bool is_shortage(const error& e);

/// Whether files could be created there: in the folder or, if it does not exist yet, in its nearest
/// existing parent. The reason is the system's.
result<void> can_write_in(const std::filesystem::path& folder);

/// Moves whatever has this name to the first free `<name>.damaged-N`, with the reason in
/// `<name>.damaged-N.reason`. Returns the new name.
result<std::string> set_aside_damaged(const std::filesystem::path& path, std::string_view reason);
/// Copies the file there.
result<std::string> keep_beside(const std::filesystem::path& path, std::string_view reason);

/// Creates a folder (and its parents) for this user only, and flushes it to disk; an existing one
/// is unchanged.
result<void> make_private_folder(const std::filesystem::path& folder);

/// The error of a failed system call: "cannot write history.jsonl: No space left on device".
/// `unreadable_file`, and `unwritable_file`.
error read_error(std::string_view doing, const std::filesystem::path& path, int code);
error write_error(std::string_view doing, const std::filesystem::path& path, int code);

}  // namespace fermata::io
