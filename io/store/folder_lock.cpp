#include "io/store/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

namespace fermata::io {

namespace {

constexpr auto lock_name = "journal.lock";

tl::unexpected<lock_failure> no_lock(error why, bool elsewhere) {
  return tl::unexpected<lock_failure>{lock_failure{std::move(why), elsewhere}};
}

tl::unexpected<lock_failure> lock_was_moved(const std::filesystem::path& folder) {
  return no_lock({errc::unwritable_file,
                  "the session in " + folder.string() + " was moved by another process",
                  std::nullopt, "Use `:session list` or `:session list --archived` to find it."},
                 true);
}

}  // namespace

bool folder_lock::is_of(const std::filesystem::path& folder) const {
  return file_.is_at(folder / lock_name);
}

tl::expected<folder_lock, lock_failure> folder_lock::take(const std::filesystem::path& folder) {
  auto path = folder / lock_name;
  folder_lock lock;
  lock.file_ = open_to_write(path, O_RDWR | O_CREAT);
  if (!lock.file_ && errno == ENOENT) return lock_was_moved(folder);
  if (!lock.file_) return no_lock(write_error("cannot open", path, errno), false);
  if (::flock(lock.file_.get(), LOCK_EX | LOCK_NB) != 0) {
    auto code = errno;
    if (code != EWOULDBLOCK) return no_lock(write_error("cannot lock", path, code), false);
    auto owner = read_file(path).value_or(std::string{});
    lock_failure failure{{errc::unwritable_file,
                          "the session in " + folder.string() + " is open in another process" +
                              (owner.empty() ? "" : " (" + owner + ')'),
                          std::nullopt,
                          "Continue there, or close Fermata there with `:quit` to open it here."},
                         true,
                         owner.empty() ? "another process" : owner};
    return tl::unexpected<lock_failure>{std::move(failure)};
  }
  // Whoever held it may have moved the folder before letting go: this is the lock of another place.
  if (!lock.is_of(folder)) return lock_was_moved(folder);
  auto owner = "process " + std::to_string(::getpid());
  // It only serves the message above: a full disk is no reason to keep a session closed.
  if (::ftruncate(lock.file_.get(), 0) == 0) (void)write_all(lock.file_.get(), owner, path);
  return lock;
}

}  // namespace fermata::io
