#include "io/store/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace fermata::io {

result<folder_lock> folder_lock::take(const std::filesystem::path& folder) {
  auto path = folder / "journal.lock";
  folder_lock lock;
  lock.file_ =
      file_descriptor{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR)};
  if (!lock.file_) return fail(write_error("cannot open", path, errno));
  if (::flock(lock.file_.get(), LOCK_EX | LOCK_NB) != 0) {
    auto code = errno;
    if (code != EWOULDBLOCK) return fail(write_error("cannot lock", path, code));
    auto owner = read_file(path);
    return fail({errc::unwritable_file,
                 "the session in " + folder.string() + " is open in another process" +
                     (owner && !owner->empty() ? " (" + *owner + ')' : ""),
                 std::nullopt, "Attach to that one, or end it first."});
  }
  auto owner = "process " + std::to_string(::getpid());
  // It only serves the message above: a full disk is no reason to keep a session closed.
  if (::ftruncate(lock.file_.get(), 0) == 0) (void)write_all(lock.file_.get(), owner, path);
  return lock;
}

}  // namespace fermata::io
