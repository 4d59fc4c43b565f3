#include "io/mcp/host_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace fermata::io::mcp {

host_output::host_output(int fd) : fd_(fd), flags_(::fcntl(fd, F_GETFL)) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) return;
  if (!S_ISFIFO(info.st_mode) && !S_ISSOCK(info.st_mode) && ::isatty(fd) != 1) return;
  ::fcntl(fd, F_SETFL, flags_ | O_NONBLOCK);
  changed_ = true;
}

host_output::~host_output() {
  if (changed_) ::fcntl(fd_, F_SETFL, flags_);
}

bool host_output::write(std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const auto n = ::write(fd_, text.data() + done, text.size() - done);
    if (n < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) break;
      failure_ = errno;
      return false;
    }
    done += static_cast<std::size_t>(n);
  }
  text.erase(0, done);
  return true;
}

bool host_output::drain(std::string& text, int signals, std::chrono::milliseconds patience,
                        std::chrono::milliseconds grace) {
  using clock = std::chrono::steady_clock;
  bool stopped = signals < 0;
  auto until = clock::now() + (stopped ? grace : patience);
  for (;;) {
    const auto before = text.size();
    if (!write(text)) return false;
    const auto now = clock::now();
    if (text.size() < before && !stopped) until = now + patience;
    if (text.empty() || now >= until) return true;
    pollfd fds[] = {{fd_, POLLOUT, 0}, {stopped ? -1 : signals, POLLIN, 0}};
    if (::poll(fds, 2, poll_timeout(until, now)) < 0 && errno != EINTR) return true;
    if (fds[1].revents) {
      stopped = true;
      until = clock::now() + grace;
    }
  }
}

int poll_timeout(std::chrono::steady_clock::time_point until,
                 std::chrono::steady_clock::time_point now) {
  using std::chrono::milliseconds;
  if (until <= now) return 0;
  return static_cast<int>(std::chrono::duration_cast<milliseconds>(until - now).count()) + 1;
}

}  // namespace fermata::io::mcp
