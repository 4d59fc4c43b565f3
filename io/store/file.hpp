#pragma once

#include "core/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace fermata::io {

/// Files that are whole or not there at all. Errors say which file and what the system says.

/// An open file; closed when it goes.
class file_descriptor {
public:
  file_descriptor() = default;
  explicit file_descriptor(int fd) : fd_(fd) {}
  file_descriptor(file_descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  file_descriptor& operator=(file_descriptor&& other) noexcept;
  ~file_descriptor();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  /// Whether whoever opens this path gets the same file. Costs a microsecond or two.
  bool is_at(const std::filesystem::path& path) const;

private:
  int fd_ = -1;
};

/// Opens a file for writing, readable and writable by this user alone where it is made. Nothing but
/// the file itself is opened: a symbolic link would lead a write to a file that belongs to
/// something else, and a pipe would hang. `flags` as for open(2). Otherwise empty, with the reason
/// in `errno`.
file_descriptor open_to_write(const std::filesystem::path& path, int flags);

/// The whole content.
result<std::string> read_file(const std::filesystem::path& path);

/// Replaces the content as one step that survives power failure: a temporary file beside it, fsync,
/// rename, fsync of the folder. Readers see the old or the new content, never a mixture.
result<void> replace_file(const std::filesystem::path& path, std::string_view content);

/// Writes all of it, or fails; a part may then have been written.
result<void> write_all(int fd, std::string_view bytes, const std::filesystem::path& path);

/// Waits until the content is on the disk.
result<void> sync_file(int fd, const std::filesystem::path& path);

/// The folder that a file or folder is in, also when its path does not say so.
std::filesystem::path above_of(const std::filesystem::path& path);

/// Waits until names made or changed in the folder are on the disk.
result<void> sync_folder(const std::filesystem::path& folder);

/// What a file is at a glance: another state than before means that somebody wrote to it.
struct file_state {
  std::int64_t changed = 0;  ///< nanoseconds
  std::uint64_t size = 0, inode = 0;
  bool operator==(const file_state&) const = default;
};
/// Nothing: there is no such file, or it cannot be looked at.
std::optional<file_state> look_at_file(const std::filesystem::path& path);

/// Whether a path certainly names nothing. What cannot be looked at, for lack of rights for
/// example, may be there.
bool is_missing(const std::filesystem::path& path);

/// Whether this user may read, or write, the file. The reason is the system's.
bool can_read(const std::filesystem::path& path);
result<void> can_write(const std::filesystem::path& path);

/// Whether an error says that the process or the machine has no more open files or no more memory
/// at the moment: nothing is wrong with the file.
bool is_shortage(const error& e);

/// Whether files could be made there: in the folder, or, when it is not there yet, in the nearest
/// one above it that is. The reason is the system's.
result<void> can_write_in(const std::filesystem::path& folder);

/// Moves whatever has this name to the first free `<name>.damaged-N` beside it, with the reason in
/// `<name>.damaged-N.reason`. Answers its name there.
result<std::string> move_beside(const std::filesystem::path& path, std::string_view reason);
/// Copies the file there.
result<std::string> keep_beside(const std::filesystem::path& path, std::string_view reason);

/// Makes a folder (and those above it) for this user alone, and waits until it is on the disk; one
/// that exists is left as it is.
result<void> make_private_folder(const std::filesystem::path& folder);

/// The error of a failed system call: "cannot write history.jsonl: No space left on device".
/// `unreadable_file`, and `unwritable_file`.
error read_error(std::string_view doing, const std::filesystem::path& path, int code);
error write_error(std::string_view doing, const std::filesystem::path& path, int code);

}  // namespace fermata::io
