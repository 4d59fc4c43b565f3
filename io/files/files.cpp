#include "io/files/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace fermata::io {

namespace {

error trouble(errc code, std::string_view verb, const std::string& path) {
  return {code, std::string{verb} + " " + path + ": " + std::strerror(errno), std::nullopt,
          "check the path and its permissions"};
}

/// Reads until the end; false with errno set when reading fails.
bool slurp(int fd, std::string& out) {
  // A plain file says how large it is; growing by and by would hold it twice.
  struct stat there {};
  if (::fstat(fd, &there) == 0 && S_ISREG(there.st_mode) && there.st_size > 0)
    out.reserve(static_cast<std::size_t>(there.st_size));
  char buffer[1 << 16];
  for (;;) {
    auto got = ::read(fd, buffer, sizeof buffer);
    if (got == 0) return true;
    if (got < 0 && errno != EINTR) return false;
    if (got > 0) out.append(buffer, static_cast<std::size_t>(got));
  }
}

bool pour(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    auto put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno != EINTR) return false;
    if (put > 0) bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

}  // namespace

result<std::string> read_file(const std::string& path) {
  std::string bytes;
  if (path == "-") {
    if (!slurp(STDIN_FILENO, bytes))
      return fail(trouble(errc::unreadable_file, "cannot read", "standard input"));
    return bytes;
  }
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail(trouble(errc::unreadable_file, "cannot open", path));
  bool ok = slurp(fd, bytes);
  auto failure = ok ? error{} : trouble(errc::unreadable_file, "cannot read", path);
  ::close(fd);
  if (!ok) return fail(std::move(failure));
  return bytes;
}

result<void> write_file(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    if (!pour(STDOUT_FILENO, bytes))
      return fail(trouble(errc::unwritable_file, "cannot write to", "standard output"));
    return {};
  }
  // What is no plain file (a pipe, /dev/stdout) cannot be replaced, only written to.
  struct stat there {};
  bool exists = ::stat(path.c_str(), &there) == 0;
  if (exists && !S_ISREG(there.st_mode)) {
    int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0 || !pour(fd, bytes)) {
      auto failure = trouble(errc::unwritable_file, "cannot write to", path);
      if (fd >= 0) ::close(fd);
      return fail(std::move(failure));
    }
    ::close(fd);
    return {};
  }
  // A link stays one: what it leads to is replaced, as when settings are kept elsewhere.
  auto target = path;
  if (exists)
    if (std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr),
                                                         &std::free})
      target = real.get();
  auto temporary = target + ".XXXXXX";
  int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return fail(trouble(errc::unwritable_file, "cannot create a file beside", path));
  // mkstemp gives 0600; a replaced file keeps its mode, a new one gets the usual one.
  auto mask = ::umask(0);
  ::umask(mask);
  bool ok = ::fchmod(fd, exists ? there.st_mode & 07777 : 0666 & ~mask) == 0 && pour(fd, bytes) &&
            ::fsync(fd) == 0;
  auto failure = ok ? error{} : trouble(errc::unwritable_file, "cannot write", path);
  if (::close(fd) != 0 && ok) {
    failure = trouble(errc::unwritable_file, "cannot write", path);
    ok = false;
  }
  if (ok && ::rename(temporary.c_str(), target.c_str()) != 0) {
    failure = trouble(errc::unwritable_file, "cannot replace", path);
    ok = false;
  }
  if (!ok) {
    ::unlink(temporary.c_str());
    return fail(std::move(failure));
  }
  return {};
}

}  // namespace fermata::io
