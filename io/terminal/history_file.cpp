#include "io/terminal/history_file.hpp"

#include "io/store/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace fermata::io {

namespace {

class locked_file {
public:
  explicit locked_file(const std::filesystem::path& path) : path_(path) {
    // Whoever had the lock may have put another file in the place of this one.
    while (lock_once() && !is_the_one_there())
      close_it();
  }
  ~locked_file() {
    if (fd_ >= 0) close_it();  // the lock goes with it
  }
  locked_file(const locked_file&) = delete;
  locked_file& operator=(const locked_file&) = delete;

  explicit operator bool() const { return fd_ >= 0; }

  bool read_all(std::string& text) {
    char buffer[1 << 16];
    for (;;) {
      auto n = ::read(fd_, buffer, sizeof buffer);
      if (n == 0) return true;
      if (n < 0 && errno != EINTR) return false;
      if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
    }
  }
  /// A record of its own line, whatever happened to the one before it: all of it, or nothing.
  result<void> append_line(std::string line) {
    auto size = ::lseek(fd_, 0, SEEK_END);
    char last = '\n';
    if (size > 0 && ::pread(fd_, &last, 1, size - 1) != 1)
      return fail(read_error("cannot read", path_, errno));
    if (last != '\n') line.insert(0, 1, '\n');
    auto done = write_all(fd_, line + '\n', path_);
    // A full disk, mostly; what got there is taken back.
    if (!done && ::ftruncate(fd_, size) != 0)
      return fail(write_error("cannot remove an incomplete line", path_, errno));
    return done;
  }

private:
  bool lock_once() {
    fd_ = ::open(path_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_CREAT, 0600);
    while (fd_ >= 0 && ::flock(fd_, LOCK_EX) != 0)
      if (errno != EINTR) close_it();
    return fd_ >= 0;
  }

  bool is_the_one_there() const {
    struct stat ours {
    }, there{};
    return ::fstat(fd_, &ours) == 0 && ::stat(path_.c_str(), &there) == 0 &&
           ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
  }

  void close_it() {
    ::close(fd_);
    fd_ = -1;
  }

  std::filesystem::path path_;
  int fd_ = -1;
};

error failed(errc code, std::string_view what, const std::filesystem::path& path) {
  auto reason = std::strerror(errno);
  return {code, fmt::format("{}: {}: {}", path.string(), what, reason)};
}

}  // namespace

std::string history_line(std::string_view input) {
  std::string line;
  for (char c : input)
    if (c == '\n')
      line += "\\n";
    else if (c == '\\')
      line += "\\\\";
    else
      line += c;
  return line;
}

std::string from_history_line(std::string_view line) {
  std::string input;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] == '\\' && i + 1 < line.size())
      input += line[++i] == 'n' ? '\n' : line[i];
    else
      input += line[i];
  return input;
}

result<std::vector<std::string>> history_file::open() {
  std::error_code ignored;  // opening the file says what is wrong
  std::filesystem::create_directories(path_.parent_path(), ignored);
  locked_file file{path_};
  if (!file) return fail(failed(errc::unreadable_file, "cannot open the history", path_));
  std::string text;
  if (!file.read_all(text))
    return fail(failed(errc::unreadable_file, "cannot read the history", path_));
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    auto end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (lines.size() > kept) {
    bool shorten = lines.size() > 2 * kept;
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kept));
    if (shorten) {
      std::string rest;
      for (auto& l : lines)
        rest += l + '\n';
      std::error_code unreal;
      auto real = std::filesystem::canonical(path_, unreal);  // a link stays one
      if (auto done = replace_file(unreal ? path_ : real, rest); !done) return fail(done.error());
    }
  }
  for (auto& l : lines)
    l = from_history_line(l);
  return lines;
}

result<bool> history_file::append(std::string_view input) {
  if (input.size() > longest || input.find_first_not_of(" \t\n") == input.npos) return false;
  locked_file file{path_};
  if (!file) return fail(failed(errc::unwritable_file, "cannot add to the history", path_));
  if (auto done = file.append_line(history_line(input)); !done) return fail(done.error());
  return true;
}

}  // namespace fermata::io
