// A load generator for lines of JSON, so that the client costs next to nothing beside the server
// that is measured, and a bare echo server as the floor to compare with.
//
//   fermata_load echo SOCKET                    echoes every line, epoll and nothing else, until
//   killed fermata_load socket SOCKET COUNT FLIGHT REQUEST fermata_load pipe COUNT FLIGHT REQUEST
//   HELLO COMMAND [ARG...]
//
// REQUEST is a line with `@` where the number goes. FLIGHT requests are unanswered at any time.
// HELLO is sent once before and answered once (empty: nothing). Prints one JSON object: calls per
// second, microseconds (median, 99th percentile), CPU microseconds per call and memory of the
// child.

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using clock_type = std::chrono::steady_clock;

[[noreturn]] void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

sockaddr_un address(const char* path) {
  sockaddr_un a{};
  a.sun_family = AF_UNIX;
  std::strncpy(a.sun_path, path, sizeof a.sun_path - 1);
  return a;
}

int echo(const char* path) {
  const int listening = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  const auto a = address(path);
  ::unlink(path);
  if (::bind(listening, reinterpret_cast<const sockaddr*>(&a), sizeof a) || ::listen(listening, 64))
    die("bind");
  const int poll = ::epoll_create1(0);
  epoll_event e{EPOLLIN, {.fd = listening}};
  ::epoll_ctl(poll, EPOLL_CTL_ADD, listening, &e);
  epoll_event events[64];
  char buffer[65536];
  for (;;) {
    const int n = ::epoll_wait(poll, events, 64, -1);
    for (int i = 0; i < n; ++i) {
      const int fd = events[i].data.fd;
      if (fd == listening) {
        epoll_event c{EPOLLIN, {.fd = ::accept(listening, nullptr, nullptr)}};
        ::epoll_ctl(poll, EPOLL_CTL_ADD, c.data.fd, &c);
        continue;
      }
      const auto got = ::read(fd, buffer, sizeof buffer);
      if (got <= 0) {
        ::close(fd);
        continue;
      }
      for (ssize_t done = 0; done < got;) {
        const auto w = ::write(fd, buffer + done, static_cast<std::size_t>(got - done));
        if (w <= 0) break;
        done += w;
      }
    }
  }
}

struct load {
  long count = 0, flight = 1;
  std::string request;
};

/// Sends and counts; latencies by the number that comes back after `"id":`.
void run(int in, int out, const load& l, pid_t child) {
  const auto at = l.request.find('@');
  const auto head = l.request.substr(0, at), tail = l.request.substr(at + 1) + '\n';
  std::vector<clock_type::time_point> began(static_cast<std::size_t>(l.count));
  std::vector<double> took;
  took.reserve(began.size());
  long sent = 0, answered = 0;
  std::string writing, reading;
  char buffer[65536];
  ::fcntl(out, F_SETFL, ::fcntl(out, F_GETFL) | O_NONBLOCK);
  const auto start = clock_type::now();
  while (answered < l.count) {
    while (sent < l.count && sent - answered < l.flight) {
      began[static_cast<std::size_t>(sent)] = clock_type::now();
      writing += head;
      writing += std::to_string(sent++);
      writing += tail;
    }
    if (!writing.empty()) {
      const auto w = ::write(out, writing.data(), writing.size());
      if (w < 0 && errno != EAGAIN) die("write");
      if (w > 0) writing.erase(0, static_cast<std::size_t>(w));
    }
    pollfd fds[2] = {{in, POLLIN, 0}, {writing.empty() ? -1 : out, POLLOUT, 0}};
    if (::poll(fds, 2, 30'000) <= 0) die("no answer");
    if (!(fds[0].revents)) continue;
    const auto got = ::read(in, buffer, sizeof buffer);
    if (got <= 0) die("server ended");
    reading.append(buffer, static_cast<std::size_t>(got));
    std::size_t from = 0;
    for (auto end = reading.find('\n'); end != std::string::npos; end = reading.find('\n', from)) {
      const auto id = reading.find("\"id\":", from);
      if (id < end) {
        const auto number = std::strtol(reading.c_str() + id + 5, nullptr, 10);
        if (number >= 0 && number < l.count)
          took.push_back(std::chrono::duration<double, std::micro>(
                             clock_type::now() - began[static_cast<std::size_t>(number)])
                             .count());
        ++answered;
      }
      from = end + 1;
    }
    reading.erase(0, from);
  }
  const auto seconds = std::chrono::duration<double>(clock_type::now() - start).count();
  std::sort(took.begin(), took.end());
  long cpu_ticks = 0, pages = 0;
  if (child > 0) {
    char path[64], state = 0;
    std::snprintf(path, sizeof path, "/proc/%d/stat", child);
    long user = 0, system = 0;
    if (auto* f = std::fopen(path, "r")) {
      if (std::fscanf(f, "%*d (%*[^)]) %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &state,
                      &user, &system) == 3)
        cpu_ticks = user + system;
      std::fclose(f);
    }
    std::snprintf(path, sizeof path, "/proc/%d/statm", child);
    if (auto* f = std::fopen(path, "r")) {
      if (std::fscanf(f, "%*d %ld", &pages) != 1) pages = 0;
      std::fclose(f);
    }
  }
  std::printf(
      "{\"calls_per_second\":%.0f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"child_cpu_us\":%.2f,"
      "\"child_mib\":%.1f}\n",
      static_cast<double>(l.count) / seconds, took[took.size() / 2], took[took.size() * 99 / 100],
      static_cast<double>(cpu_ticks) * 1e6 / static_cast<double>(::sysconf(_SC_CLK_TCK)) /
          static_cast<double>(l.count),
      static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1048576.0);
}

int over_socket(char** argv) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  const auto a = address(argv[2]);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&a), sizeof a)) die("connect");
  run(fd, fd, {std::atol(argv[3]), std::atol(argv[4]), argv[5]}, 0);
  return 0;
}

int over_pipes(char** argv) {
  int to[2], from[2];
  if (::pipe(to) || ::pipe(from)) die("pipe");
  const auto child = ::fork();
  if (child == 0) {
    ::dup2(to[0], 0);
    ::dup2(from[1], 1);
    for (int fd : {to[0], to[1], from[0], from[1]})
      ::close(fd);
    ::execvp(argv[6], argv + 6);
    die("exec");
  }
  ::close(to[0]);
  ::close(from[1]);
  const std::string hello = argv[5];
  if (!hello.empty()) run(from[0], to[1], {1, 1, hello}, 0);
  run(from[0], to[1], {std::atol(argv[2]), std::atol(argv[3]), argv[4]}, child);
  ::close(to[1]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "echo" && argc == 3) return echo(argv[2]);
  if (mode == "socket" && argc == 6) return over_socket(argv);
  if (mode == "pipe" && argc >= 7) return over_pipes(argv);
  std::fputs("usage: fermata_load echo SOCKET | socket SOCKET COUNT FLIGHT REQUEST | "
             "pipe COUNT FLIGHT REQUEST HELLO COMMAND...\n",
             stderr);
  return 2;
}
