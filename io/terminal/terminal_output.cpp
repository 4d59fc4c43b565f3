#include "io/terminal/terminal_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace fermata::io {

namespace {

using output_clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How often a waiting writer looks for signals, and how long a reader may take to catch up once
/// one is pending: Ctrl-C restarts a stopped terminal by itself.
constexpr milliseconds between_looks{50}, time_to_catch_up{300};

bool end_is_pending() {
  sigset_t pending;
  if (::sigpending(&pending) != 0) return false;
  return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
         sigismember(&pending, SIGHUP) == 1;
}

/// A standard stream that is never waited for inside a system call, where a blocked signal would
/// not be seen. The descriptor itself stays as it is, since other programs share its description:
/// pipes and terminals are opened once more, without waiting.
class standard_output {
public:
  explicit standard_output(int fd) : fd_(fd) {
    struct stat info {};
    if (::fstat(fd, &info) != 0) return;
    is_socket_ = S_ISSOCK(info.st_mode);
    may_wait_ = is_socket_ || S_ISFIFO(info.st_mode) || ::isatty(fd) == 1;
    if (!may_wait_ || is_socket_) return;
    const auto own = ::open(fmt::format("/proc/self/fd/{}", fd).c_str(),
                            O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (own < 0) return;
    fd_ = own;
    never_waits_ = true;
  }

  bool write(std::string_view text, milliseconds patience = {}) {
    const auto latest = output_clock::now() + patience;
    auto until = output_clock::time_point::max();
    while (!text.empty()) {
      const auto n = write_some(text);
      if (n > 0) {
        has_stalled_ = false;
        until = output_clock::time_point::max();
        text.remove_prefix(static_cast<std::size_t>(n));
        continue;
      }
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno != EAGAIN) return false;
      const auto now = output_clock::now();
      if (until == output_clock::time_point::max() && end_is_pending())
        until = now + time_to_catch_up;
      if (has_stalled_ || now >= until || (patience.count() > 0 && now >= latest)) {
        has_stalled_ = true;
        errno = EINTR;
        return false;
      }
      pollfd ready{fd_, POLLOUT, 0};
      ::poll(&ready, 1, static_cast<int>(between_looks.count()));
    }
    return true;
  }
  bool is_ready() {
    if (!may_wait_) return true;
    pollfd ready{fd_, POLLOUT, 0};
    has_stalled_ = ::poll(&ready, 1, static_cast<int>(time_to_catch_up.count())) == 0;
    return !has_stalled_;
  }
  bool has_stalled() const { return has_stalled_; }

private:
  ssize_t write_some(std::string_view text) const {
    if (is_socket_) return ::send(fd_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (!may_wait_ || never_waits_) return ::write(fd_, text.data(), text.size());
    // Could not be opened once more. What is ready takes a little without waiting.
    constexpr std::size_t little = 256;
    pollfd ready{fd_, POLLOUT, 0};
    if (::poll(&ready, 1, 0) == 0) {
      errno = EAGAIN;
      return -1;
    }
    return ::write(fd_, text.data(), std::min(little, text.size()));
  }

  int fd_;
  bool is_socket_ = false, may_wait_ = false, never_waits_ = false;
  bool has_stalled_ = false;
};

standard_output& standard_out() {
  static standard_output out{STDOUT_FILENO};
  return out;
}

standard_output& standard_error() {
  static standard_output out{STDERR_FILENO};
  return out;
}

}  // namespace

terminal_size size_of_terminal() {
  winsize w{};
  terminal_size size;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && w.ws_row > 0)
    size = {w.ws_col, w.ws_row};
  return size;
}

bool write_out(std::string_view text) { return standard_out().write(text); }

bool output_is_ready() { return standard_out().is_ready(); }

bool output_has_stalled() { return standard_out().has_stalled(); }

bool write_error_out(std::string_view text, milliseconds patience) {
  return standard_error().write(text, patience);
}

}  // namespace fermata::io
