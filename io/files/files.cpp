#include "io/files/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace fermata::io {

namespace {

error trouble(errc code, std::string_view verb, const std::string& path) {
  return {code, std::string{verb} + " " + path + ": " + std::strerror(errno), std::nullopt,
          "check the path and its permissions"};
}

enum class slurped : std::uint8_t { all, too_much, failed };

/// Reads until the end, or until it is more than the limit. When reading fails, errno says why.
slurped slurp(int fd, std::size_t limit, std::string& out) {
  // A plain file says how large it is; growing by and by would hold it twice.
  struct stat there {};
  if (::fstat(fd, &there) == 0 && S_ISREG(there.st_mode) && there.st_size > 0) {
    auto size = static_cast<std::size_t>(there.st_size);
    if (size > limit) return slurped::too_much;
    out.reserve(size);
  }
  char buffer[1 << 16];
  for (;;) {
    auto got = ::read(fd, buffer, sizeof buffer);
    if (got == 0) return slurped::all;
    if (got < 0 && errno != EINTR) return slurped::failed;
    if (got <= 0) continue;
    if (static_cast<std::size_t>(got) > limit - out.size()) return slurped::too_much;
    out.append(buffer, static_cast<std::size_t>(got));
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

/// The file that a symbolic link leads to in the end.
std::string behind_links(const std::string& path) {
  std::unique_ptr<char, decltype(&std::free)> real{::realpath(path.c_str(), nullptr), &std::free};
  return real ? real.get() : path;
}

/// The file that a link is to lead to and that is not there yet; a path that is no link as it is.
std::string behind_dangling_link(const std::string& path) {
  constexpr int most_links = 40;  // as the kernel
  std::filesystem::path at{path};
  std::error_code failed;
  for (int i = 0; i < most_links && std::filesystem::is_symlink(at, failed); ++i) {
    auto next = std::filesystem::read_symlink(at, failed);
    if (failed) return path;
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return at.string();
}

}  // namespace

error too_large(const std::string& what, std::size_t limit) {
  return {errc::input_too_large, what + " exceeds the limit of " + std::to_string(limit) + " bytes",
          std::nullopt, "split it, or check that it is the right file"};
}

error unreadable_input() { return trouble(errc::unreadable_file, "cannot read", "standard input"); }

result<std::string> read_file(const std::string& path, std::size_t limit) {
  if (path.empty())
    return fail(error{errc::unreadable_file, "empty input file name", std::nullopt,
                      "give a path, or - for standard input"});
  std::string bytes;
  if (path == "-") {
    switch (slurp(STDIN_FILENO, limit, bytes)) {
      case slurped::all: return bytes;
      case slurped::too_much: return fail(too_large("standard input", limit));
      case slurped::failed: return fail(unreadable_input());
    }
  }
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail(trouble(errc::unreadable_file, "cannot open", path));
  auto read = slurp(fd, limit, bytes);
  auto failure = read == slurped::too_much ? too_large(path, limit)
                                           : trouble(errc::unreadable_file, "cannot read", path);
  ::close(fd);
  if (read != slurped::all) return fail(std::move(failure));
  return bytes;
}

result<void> write_file(const std::string& path, std::string_view bytes) {
  if (path.empty())
    return fail(error{errc::unwritable_file, "empty output file name", std::nullopt,
                      "give a path, or - for standard output"});
  if (path == "-") {
    if (!pour(STDOUT_FILENO, bytes))
      return fail(trouble(errc::unwritable_file, "cannot write to", "standard output"));
    return {};
  }
  // What is no plain file (a pipe, /dev/stdout) cannot be replaced, only written to.
  struct stat there {};
  bool exists = ::stat(path.c_str(), &there) == 0;
  // A link that leads to itself would be replaced like one that leads to a new file.
  if (!exists && errno == ELOOP) return fail(trouble(errc::unwritable_file, "cannot write", path));
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
  auto target = exists ? behind_links(path) : behind_dangling_link(path);
  auto temporary = target + ".XXXXXX";
  int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0 && errno == ENOENT)
    return fail(
        error{errc::unwritable_file, "cannot write " + path + ": the folder " +
                                         std::filesystem::path{target}.parent_path().string() +
                                         " does not exist"});
  if (fd < 0)
    return fail(trouble(errc::unwritable_file, "cannot create a temporary file next to", target));
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
