#include "io/mcp/stdio_loop.hpp"

#include "io/mcp/host_output.hpp"
#include "io/mcp/record_watch.hpp"
#include "io/mcp/repl_links.hpp"
#include "io/mcp/server.hpp"
#include "io/mcp/tool_list.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/text/line_decoder.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fermata::io::mcp {

namespace {

using instant = server::instant;
using std::chrono::milliseconds;

/// A host that does not read is not read either beyond this.
constexpr std::size_t max_unwritten = 16u << 20;
/// Time for the host when a signal comes.
constexpr milliseconds grace{80};

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

/// The loop of `fermata mcp`: waits for the host, for instances, for signals and for time.
class stdio_loop {
public:
  explicit stdio_loop(const stdio_options& o)
    : options_(o),
      signals_(open_signals()),
      output_(o.out),
      links_({o.home, o.socket}),
      server_(links_, {.version = o.version, .folders = host_folders()}),
      buffer_(65536, '\0') {}
  ~stdio_loop() { ::close(signals_); }
  stdio_loop(const stdio_loop&) = delete;
  stdio_loop& operator=(const stdio_loop&) = delete;

  /// Returns the exit code.
  int run();

private:
  /// Where a descriptor stands among those that are polled; those of instances follow.
  enum place : std::size_t { at_signals, at_input, at_output, at_records, first_of_instances };

  bool is_full() const { return server_.out.size() > max_unwritten; }
  void prepare(instant now);
  bool wait(instant now);
  void handle_events(instant now);
  void read_host(instant now);
  void read_lines(instant now);
  void rescan(instant now);
  void write_host();
  int end();

  stdio_options options_;
  int signals_;
  host_output output_;
  repl_links links_;
  server server_;
  protocol::line_decoder lines_{max_host_line};
  record_watch records_;
  std::vector<pollfd> fds_;
  std::optional<instant> wake_;
  std::string buffer_;
  bool stopped_ = false, host_gone_ = false, input_ended_ = false;
};

int stdio_loop::run() {
  while (!stopped_ && !host_gone_) {
    const auto now = server::clock::now();
    prepare(now);
    if (input_ended_ && server_.in_flight() == 0) break;
    if (!wait(now)) return 1;
    handle_events(server::clock::now());
    write_host();
  }
  return end();
}

/// What is done before waiting: calls that failed are answered, and new instances found.
void stdio_loop::prepare(instant now) {
  server_.set_time(now);
  while (links_.deliver_failures())
    links_.write_out();
  if (input_ended_ && server_.in_flight() == 0) return;
  if (server_.watches_instances() && options_.socket.empty() && records_.begin(options_.home))
    rescan(now);
}

/// False when the system cannot wait.
bool stdio_loop::wait(instant now) {
  fds_.clear();
  fds_.push_back({signals_, POLLIN, 0});
  fds_.push_back({input_ended_ || is_full() ? -1 : options_.in, POLLIN, 0});
  // Also where nothing is to be written: whether the output is still read.
  fds_.push_back({options_.out, static_cast<short>(server_.out.empty() ? 0 : POLLOUT), 0});
  fds_.push_back({records_.fd(), POLLIN, 0});
  if (!is_full()) links_.add_poll_fds(fds_);
  wake_ = server_.wake_at();
  const auto timeout = wake_ ? poll_timeout(*wake_, now) : -1;
  return ::poll(fds_.data(), fds_.size(), timeout) >= 0 || errno == EINTR;
}

void stdio_loop::handle_events(instant now) {
  server_.set_time(now);
  if (fds_[at_signals].revents) stopped_ = true;
  if (fds_[at_input].revents) read_host(now);
  if (fds_[at_records].revents) {
    records_.drain();
    records_.begin(options_.home);
    rescan(now);
  }
  for (auto i = std::size_t{first_of_instances}; i < fds_.size(); ++i)
    if (fds_[i].revents) links_.on_ready(fds_[i]);
  if (wake_ && now >= *wake_) server_.on_time(now);
  links_.deliver_failures();
  links_.write_out();
}

void stdio_loop::read_host(instant now) {
  const auto n = ::read(options_.in, buffer_.data(), buffer_.size());
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n > 0) {
    lines_.feed({buffer_.data(), static_cast<std::size_t>(n)});
  } else {
    lines_.finish();
    input_ended_ = true;
  }
  read_lines(now);
}

void stdio_loop::read_lines(instant now) {
  for (;;) {
    if (auto line = lines_.next()) {
      server_.on_line(*line, now);
    } else if (lines_.overflowed()) {
      server_.line_too_long(max_host_line);
      lines_.go_on();
    } else {
      break;
    }
  }
  if (input_ended_) server_.input_ended(now);
}

void stdio_loop::rescan(instant now) {
  links_.rescan();
  server_.rescan(now);
}

void stdio_loop::write_host() {
  host_gone_ = (fds_[at_output].revents & (POLLERR | POLLHUP)) != 0;
  if (!server_.out.empty() && !output_.write(server_.out)) host_gone_ = true;
}

/// Writes what is left. What the host did not receive is said on standard error.
int stdio_loop::end() {
  const auto unanswered = host_gone_ ? server_.in_flight() : 0;
  if (!host_gone_) {
    server_.finish();
    host_gone_ = !output_.drain(server_.out, stopped_ ? -1 : signals_, options_.patience, grace);
  }
  if (server_.out.empty() && unanswered == 0) return 0;
  const auto reason = !host_gone_              ? "the host is not reading"
                      : output_.failure() != 0 ? std::strerror(output_.failure())
                                               : "the host has closed it";
  auto words = fmt::format(
      "fermata: cannot write to standard output: {}; the host did not receive ", reason);
  words += server_.out.empty() ? fmt::format("the answers to {} calls\n", unanswered)
                               : fmt::format("{} bytes\n", server_.out.size());
  write_error_out(words, grace);
  return 1;
}

}  // namespace

int serve_stdio(const stdio_options& o) { return stdio_loop{o}.run(); }

}  // namespace fermata::io::mcp
