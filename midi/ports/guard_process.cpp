#include "midi/ports/guard_process.hpp"

#include "midi/ports/port_system.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>
#include <utility>

namespace fermata::midi {

namespace {

constexpr auto pause_between_silences = std::chrono::milliseconds{60};
constexpr int silences = 3;
constexpr int patience_ms = 1'000;
constexpr unsigned library_timeout_seconds = 10;

/// How the guard process is started; destroyed with what posix_spawn keeps in it.
class spawn_plan {
public:
  explicit spawn_plan(int socket) {
    ok_ = ::posix_spawn_file_actions_init(&actions_) == 0 &&
          ::posix_spawnattr_init(&attributes_) == 0;
    if (!ok_) return;
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    auto flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    ok_ = ::posix_spawn_file_actions_adddup2(&actions_, socket, STDIN_FILENO) == 0 &&
          ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) ==
              0 &&
          ::posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO) == 0 &&
          ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1) == 0 &&
          ::posix_spawnattr_setflags(&attributes_, static_cast<short>(flags)) == 0 &&
          ::posix_spawnattr_setsigmask(&attributes_, &none) == 0 &&
          ::posix_spawnattr_setsigdefault(&attributes_, &all) == 0;
  }
  ~spawn_plan() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  spawn_plan(const spawn_plan&) = delete;
  spawn_plan& operator=(const spawn_plan&) = delete;

  /// 0: it was not started.
  ::pid_t run(const std::string& program, const std::string& id) const {
    std::string name = "fermata", command = "midi-guard", argument = id;
    char* arguments[] = {name.data(), command.data(), argument.data(), nullptr};
    ::pid_t process = 0;
    if (!ok_ ||
        ::posix_spawn(&process, program.c_str(), &actions_, &attributes_, arguments, environ) != 0)
      return 0;
    return process;
  }

private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
  bool ok_ = false;
};

class guarded_port final : public output_port {
public:
  guarded_port(std::shared_ptr<output_port> port, std::unique_ptr<guard_process> guard)
    : guard_(std::move(guard)), port_(std::move(port)) {}

  bool send(std::uint8_t group, std::span<const std::uint8_t> message,
            steady_time due) noexcept override {
    return port_->send(group, message, due);
  }
  std::chrono::nanoseconds look_ahead() const noexcept override { return port_->look_ahead(); }
  bool is_alive() const noexcept override { return port_->is_alive(); }
  int groups() const noexcept override { return port_->groups(); }
  std::size_t longest_message() const noexcept override { return port_->longest_message(); }

private:
  // In this order: the port is destroyed first.
  std::unique_ptr<guard_process> guard_;
  std::shared_ptr<output_port> port_;
};

/// The pedal first: all notes off obeys it (MIDI 1.0 Detailed Specification, "All Notes Off"). All
/// sound off at last, for what has a long release.
void end_all_sound(output_port& port) {
  constexpr std::array<std::uint8_t, 3> controllers{64, 123, 120};
  auto now = std::chrono::steady_clock::now();
  for (std::uint8_t channel = 0; channel < 16; ++channel)
    for (auto number : controllers) {
      std::array<std::uint8_t, 3> message{static_cast<std::uint8_t>(0xB0 | channel), number, 0};
      port.send(0, message, now);
    }
}

/// A byte from the other end within `patience_ms`; 0: it was closed; empty: neither.
std::optional<char> byte_in_time(int socket) {
  pollfd wait{socket, POLLIN, 0};
  if (::poll(&wait, 1, patience_ms) != 1) return std::nullopt;
  char byte = 0;
  return ::recv(socket, &byte, 1, 0) == 1 ? byte : '\0';
}

/// Ends the process if it takes too long: a server that is killed can keep libjack waiting for
/// ever.
class time_limit {
public:
  time_limit() { resume(); }
  ~time_limit() { suspend(); }
  time_limit(const time_limit&) = delete;
  time_limit& operator=(const time_limit&) = delete;
  void resume() { ::alarm(library_timeout_seconds); }
  void suspend() { ::alarm(0); }
};

/// Waits for the socket to close or for a dismissal. True if it closed after "p".
bool has_ended_while_playing(int descriptor) {
  bool is_playing = false;
  for (;;) {
    char told = 0;
    auto got = ::read(descriptor, &told, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return is_playing;
    if (told != 'p') return false;
    is_playing = true;
  }
}

}  // namespace

std::unique_ptr<guard_process> guard_process::start(const std::string& program,
                                                    const std::string& id) {
  // A socket and not a pipe: writing to a guard that was killed must not raise SIGPIPE.
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return nullptr;
  auto process = spawn_plan{ends[1]}.run(program, id);
  ::close(ends[1]);
  if (process == 0) {
    ::close(ends[0]);
    return nullptr;
  }
  return std::unique_ptr<guard_process>{new guard_process{ends[0], process}};
}

bool guard_process::wait_until_connected() const {
  // One that is slow is a guard all the same, later.
  if (byte_in_time(socket_) == '\0') return false;
  (void)::send(socket_, "p", 1, MSG_NOSIGNAL);
  return true;
}

guard_process::~guard_process() {
  (void)::send(socket_, "q", 1, MSG_NOSIGNAL);
  // Its end closes its socket. One that hangs, in a sound system that does not answer, is killed.
  auto said = byte_in_time(socket_);
  while (said && *said != '\0')
    said = byte_in_time(socket_);
  if (!said) ::kill(process_, SIGKILL);
  ::close(socket_);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::shared_ptr<output_port> with_guard(std::shared_ptr<output_port> port,
                                        std::unique_ptr<guard_process> guard) {
  return std::make_shared<guarded_port>(std::move(port), std::move(guard));
}

int run_guard(port_system& ports, const std::string& id, int descriptor) {
  // A signal to all processes of this name ends the program; the guard ends with it, afterwards.
  for (auto signal : {SIGINT, SIGTERM, SIGHUP})
    ::signal(signal, SIG_IGN);
  ::prctl(PR_SET_NAME, "fermata-guard");
  time_limit limit;  // before the port, which it outlives
  auto port = ports.open(id);
  if (!port) return 1;
  limit.suspend();
  (void)::send(descriptor, "r", 1, MSG_NOSIGNAL);
  auto ends_sound = has_ended_while_playing(descriptor);
  limit.resume();
  if (!ends_sound) return 0;
  for (int i = 0; i < silences; ++i) {
    if (i > 0) std::this_thread::sleep_for(pause_between_silences);
    end_all_sound(**port);
  }
  return 0;
}

}  // namespace fermata::midi
