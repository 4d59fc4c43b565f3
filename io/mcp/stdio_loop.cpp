#include "io/mcp/stdio_loop.hpp"

#include "io/mcp/repl_links.hpp"
#include "io/mcp/server.hpp"
#include "io/mcp/tool_list.hpp"
#include "io/protocol/instance.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/text/line_decoder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fermata::io::mcp {

namespace {

using instant = server::instant;
using std::chrono::milliseconds;

/// A host that does not read is not read either beyond this.
constexpr std::size_t max_unwritten = 16u << 20;
/// Time for the host when a signal comes.
constexpr milliseconds grace{80};

/// Standard output that never blocks. Pipes, sockets and terminals (which somebody may have
/// stopped) are switched to non-blocking, which is undone at the end, because the description may
/// be shared; files do not block.
class host_output {
public:
  explicit host_output(int fd) : fd_(fd), flags_(::fcntl(fd, F_GETFL)) {
    struct stat info {};
    if (::fstat(fd, &info) == 0 &&
        (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || ::isatty(fd) == 1)) {
      ::fcntl(fd, F_SETFL, flags_ | O_NONBLOCK);
      changed_ = true;
    }
  }
  ~host_output() {
    if (changed_) ::fcntl(fd_, F_SETFL, flags_);
  }
  host_output(const host_output&) = delete;
  host_output& operator=(const host_output&) = delete;

  /// Writes from the front of `text`. False when it cannot be written: `failure` is why.
  bool write(std::string& text) {
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
  int failure() const { return failure_; }

private:
  int fd_, flags_, failure_ = 0;
  bool changed_ = false;
};

/// Tells when the folder of records changes. Where it does not exist yet, its parent is watched.
class folder_watch {
public:
  ~folder_watch() {
    if (fd_ >= 0) ::close(fd_);
  }
  /// True when it watches more than before: what changed until now has to be looked at.
  bool begin(const std::filesystem::path& home) {
    const bool first = fd_ < 0;
    if (first) fd_ = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd_ < 0 || on_folder_) return false;
    constexpr auto changes = IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE_SELF;
    auto watch_folder = [&] {
      return ::inotify_add_watch(fd_, protocol::run_folder(home).c_str(), changes) >= 0;
    };
    on_folder_ = watch_folder();
    if (!on_folder_) {
      if (::inotify_add_watch(fd_, home.c_str(), changes) < 0)
        ::inotify_add_watch(fd_, home.parent_path().c_str(), changes);
      // It may have been made between the two.
      on_folder_ = watch_folder();
    }
    return first || on_folder_;
  }
  int fd() const { return fd_; }
  void drain() {
    alignas(inotify_event) char buffer[4096];
    while (::read(fd_, buffer, sizeof buffer) > 0) {
    }
  }

private:
  int fd_ = -1;
  bool on_folder_ = false;
};

int open_signals() {
  sigset_t stop;
  sigemptyset(&stop);
  for (int s : {SIGINT, SIGTERM, SIGHUP})
    sigaddset(&stop, s);
  ::pthread_sigmask(SIG_BLOCK, &stop, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return ::signalfd(-1, &stop, SFD_NONBLOCK | SFD_CLOEXEC);
}

std::vector<std::string> host_folders() {
  std::vector<std::string> out;
  if (const char* project = std::getenv("CLAUDE_PROJECT_DIR"); project && *project)
    out.emplace_back(project);
  std::error_code ec;
  if (auto here = std::filesystem::current_path(ec); !ec) out.push_back(here.string());
  return out;
}

int timeout_until(std::optional<instant> t, instant now) {
  if (!t) return -1;
  if (*t <= now) return 0;
  return static_cast<int>(std::chrono::duration_cast<milliseconds>(*t - now).count()) + 1;
}

/// Waits while the host takes what is left. Ends when all is written, when nobody reads any more,
/// when the host has taken nothing for `patience`, and soon after a signal. False when it cannot be
/// written to.
bool drain(host_output& to, std::string& text, int fd, int signals, bool stopped,
           milliseconds patience) {
  auto until = server::clock::now() + (stopped ? grace : patience);
  for (;;) {
    const auto before = text.size();
    if (!to.write(text)) return false;
    const auto now = server::clock::now();
    if (text.size() < before && !stopped) until = now + patience;
    if (text.empty() || now >= until) return true;
    pollfd fds[] = {{fd, POLLOUT, 0}, {stopped ? -1 : signals, POLLIN, 0}};
    if (::poll(fds, 2, timeout_until(until, now)) < 0 && errno != EINTR) return true;
    if (fds[1].revents) {
      stopped = true;
      until = server::clock::now() + grace;
    }
  }
}

}  // namespace

int serve_stdio(const stdio_options& o) {
  const int signals = open_signals();
  host_output output{o.out};
  repl_links links{{o.home, o.socket}};
  server mcp{links, {.version = o.version, .folders = host_folders()}};
  protocol::line_decoder lines{max_host_line};
  folder_watch folder;
  std::vector<pollfd> fds;
  std::string buffer(65536, '\0');
  bool stopped = false, host_gone = false, input_ended = false;

  auto take_lines = [&](instant now) {
    for (;;) {
      if (auto line = lines.next()) {
        mcp.line_came(*line, now);
      } else if (lines.overflowed()) {
        mcp.line_too_long(max_host_line);
        lines.go_on();
      } else {
        break;
      }
    }
    if (input_ended) mcp.input_ended(now);
  };

  while (!stopped && !host_gone) {
    auto now = server::clock::now();
    mcp.it_is(now);
    while (links.settle())
      links.write_out();
    if (input_ended && mcp.in_flight() == 0) break;
    if (mcp.watches_instances() && o.socket.empty() && folder.begin(o.home)) {
      links.look_again();
      mcp.look_again(now);
    }
    const bool full = mcp.out.size() > max_unwritten;
    fds.clear();
    fds.push_back({signals, POLLIN, 0});
    fds.push_back({input_ended || full ? -1 : o.in, POLLIN, 0});
    // Also where nothing is to be written: whether there is still somebody who reads.
    fds.push_back({o.out, static_cast<short>(mcp.out.empty() ? 0 : POLLOUT), 0});
    fds.push_back({folder.fd(), POLLIN, 0});
    const auto first_link = fds.size();
    if (!full) links.want(fds);
    const auto wake = mcp.wake_at();
    if (::poll(fds.data(), fds.size(), timeout_until(wake, now)) < 0 && errno != EINTR) return 1;
    now = server::clock::now();
    mcp.it_is(now);

    if (fds[0].revents) stopped = true;
    if (fds[1].revents) {
      const auto n = ::read(o.in, buffer.data(), buffer.size());
      if (n > 0) {
        lines.feed({buffer.data(), static_cast<std::size_t>(n)});
        take_lines(now);
      } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
        lines.finish();
        input_ended = true;
        take_lines(now);
      }
    }
    if (fds[3].revents) {
      folder.drain();
      links.look_again();
      folder.begin(o.home);
      mcp.look_again(now);
    }
    for (auto i = first_link; i < fds.size(); ++i)
      if (fds[i].revents) links.ready(fds[i]);
    if (wake && now >= *wake) mcp.time_passed(now);
    links.settle();
    links.write_out();
    host_gone = (fds[2].revents & (POLLERR | POLLHUP)) != 0;
    if (!mcp.out.empty() && !output.write(mcp.out)) host_gone = true;
  }
  const auto unanswered = host_gone ? mcp.in_flight() : 0;
  if (!host_gone) {
    mcp.finish();
    host_gone = !drain(output, mcp.out, o.out, signals, stopped, o.patience);
  }
  ::close(signals);
  if (mcp.out.empty() && unanswered == 0) return 0;
  const auto reason = !host_gone              ? "the host is not reading"
                      : output.failure() != 0 ? std::strerror(output.failure())
                                              : "the host has closed it";
  auto words = fmt::format(
      "fermata: cannot write to standard output: {}; the host did not receive ", reason);
  words += mcp.out.empty() ? fmt::format("the answers to {} calls\n", unanswered)
                           : fmt::format("{} bytes\n", mcp.out.size());
  write_error_out(words, grace);
  return 1;
}

}  // namespace fermata::io::mcp
