#include "io/terminal/history_file.hpp"

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
  locked_file(const std::filesystem::path& path, int flags)
    : fd_(::open(path.c_str(), flags | O_CLOEXEC | O_CREAT, 0600)) {
    while (fd_ >= 0 && ::flock(fd_, LOCK_EX) != 0)
      if (errno != EINTR) {
        ::close(fd_);
        fd_ = -1;
      }
  }
  ~locked_file() {
    if (fd_ >= 0) ::close(fd_);  // the lock goes with it
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
  bool write_all(std::string_view text) {
    while (!text.empty()) {
      auto n = ::write(fd_, text.data(), text.size());
      if (n < 0 && errno != EINTR) return false;
      if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  /// Other processes append to this very file, so it is shortened in place, under the lock.
  bool replace(std::string_view text) {
    return ::ftruncate(fd_, 0) == 0 && ::lseek(fd_, 0, SEEK_SET) == 0 && write_all(text);
  }

private:
  int fd_;
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
  locked_file file{path_, O_RDWR | O_APPEND};
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
      if (!file.replace(rest))
        return fail(failed(errc::unwritable_file, "cannot shorten the history", path_));
    }
  }
  for (auto& l : lines)
    l = from_history_line(l);
  return lines;
}

result<bool> history_file::append(std::string_view input) {
  if (input.size() > longest || input.find_first_not_of(" \t\n") == input.npos) return false;
  locked_file file{path_, O_WRONLY | O_APPEND};
  if (!file || !file.write_all(history_line(input) + '\n'))
    return fail(failed(errc::unwritable_file, "cannot add to the history", path_));
  return true;
}

}  // namespace fermata::io
