#pragma once

#include "midi/ports/jack_client.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <jack/midiport.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace fermata::midi::testing {

/// A safeguard only: every wait ends as soon as its condition holds.
constexpr auto patience = std::chrono::seconds{60};

/// Waits for what no one tells us about, such as the beginning of another process.
template <class Condition>
bool becomes_true(Condition holds) {
  auto end = std::chrono::steady_clock::now() + patience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    ::poll(nullptr, 0, 5);
  }
  return true;
}

/// A private JACK server without hardware, to which clients of this process connect. Its clients
/// must be gone before it: libjack does not bear clients of a server that has ended beside new
/// ones.
class jack_server {
public:
  static constexpr int period = 128, rate = 48'000;

  jack_server() : name_("fermata-unit-" + std::to_string(::getpid())) {
    // Tests that need a server run one after the other, on the thread of the tests.
    // NOLINTBEGIN(concurrency-mt-unsafe)
    ::setenv("JACK_DEFAULT_SERVER", name_.c_str(), 1);
    ::setenv("JACK_NO_START_SERVER", "1", 1);
    // NOLINTEND(concurrency-mt-unsafe)
    start();
  }
  ~jack_server() {
    stop(SIGTERM);
    // NOLINTBEGIN(concurrency-mt-unsafe)
    ::unsetenv("JACK_DEFAULT_SERVER");
    ::unsetenv("JACK_NO_START_SERVER");
    // NOLINTEND(concurrency-mt-unsafe)
  }
  jack_server(const jack_server&) = delete;
  jack_server& operator=(const jack_server&) = delete;

  void start() {
    // Synchronous (-S): no cycle is dropped when a client is late. Real-time where it is allowed.
    for (auto& priority : {std::vector<std::string>{"-R", "-P", "60"}, {"-r"}}) {
      std::vector<std::string> command{"jackd", "-n", name_};
      command.insert(command.end(), priority.begin(), priority.end());
      for (auto more : {"-S", "-p", "64", "-d", "dummy", "-r", "48000", "-p", "128"})
        command.emplace_back(more);
      process_ = run(command);
      for (int i = 0; i < 30; ++i) {
        if (status_of(run({"jack_wait", "-w", "-t", "1", "-s", name_})) == 0 && is_running())
          return;
        if (!is_running()) break;
      }
      stop(SIGTERM);
    }
  }
  /// False: jackd is not installed, or does not start here.
  bool runs() const { return process_ > 0; }

  void stop(int signal) {
    if (process_ <= 0) return;
    ::kill(process_, signal);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }

private:
  static ::pid_t run(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    for (auto& word : command)
      arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t quiet;
    ::posix_spawn_file_actions_init(&quiet);
    for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
    ::pid_t process = 0;
    if (::posix_spawnp(&process, arguments[0], &quiet, nullptr, arguments.data(), environ) != 0)
      process = 0;
    ::posix_spawn_file_actions_destroy(&quiet);
    return process;
  }
  static int status_of(::pid_t process) {
    int status = -1;
    return process > 0 && ::waitpid(process, &status, 0) == process ? status : -1;
  }
  bool is_running() {
    if (process_ > 0 && ::waitpid(process_, nullptr, WNOHANG) != 0) process_ = 0;
    return process_ > 0;
  }

  std::string name_;
  ::pid_t process_ = 0;
};

/// For the beginning of a test that needs a server: whether one starts here, which it does not in a
/// container with too little shared memory, say.
inline bool jack_is_available() {
  static const bool starts = jack_server{}.runs();
  return starts;
}
#define FERMATA_NEEDS_JACK()                          \
  if (!fermata::midi::testing::jack_is_available()) { \
    WARN("skipped: no JACK server starts here");      \
    return;                                           \
  }

struct probed_message {
  jack_nframes_t frame = 0;
  std::vector<std::uint8_t> bytes;
  bool operator==(const probed_message&) const = default;
};

/// Records what arrives at the port "probe:in".
class midi_probe {
public:
  midi_probe() {
    auto opened = open_jack_client("probe");
    REQUIRE(opened);
    client_ = std::move(*opened);
    in_ = jack_port_register(client_.get(), "in", JACK_DEFAULT_MIDI_TYPE, JackPortIsInput, 0);
    REQUIRE(in_);
    jack_set_process_callback(
        client_.get(),
        [](jack_nframes_t frames, void* p) { return static_cast<midi_probe*>(p)->process(frames); },
        this);
    REQUIRE(jack_activate(client_.get()) == 0);
  }

  jack_client_t* client() const { return client_.get(); }
  std::vector<probed_message> messages() {
    std::lock_guard lock{mutex_};
    return messages_;
  }
  bool wait_for(std::size_t count) {
    std::unique_lock lock{mutex_};
    return arrived_.wait_for(lock, patience, [&] { return messages_.size() >= count; });
  }
  /// Waits until the server has run some cycles more: what was sent before has arrived then.
  bool wait_for_cycles(int count) {
    std::unique_lock lock{mutex_};
    auto until = cycles_ + count;
    return arrived_.wait_for(lock, patience, [&] { return cycles_ >= until; });
  }

private:
  /// With a lock, in a real-time thread: this is a test, and the server waits for it.
  int process(jack_nframes_t frames) {
    std::lock_guard lock{mutex_};
    ++cycles_;
    auto buffer = jack_port_get_buffer(in_, frames);
    jack_midi_event_t e;
    for (std::uint32_t i = 0; i < jack_midi_get_event_count(buffer); ++i)
      if (jack_midi_event_get(&e, buffer, i) == 0)
        messages_.push_back(
            {jack_last_frame_time(client_.get()) + e.time, {e.buffer, e.buffer + e.size}});
    arrived_.notify_all();
    return 0;
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<probed_message> messages_;
  int cycles_ = 0;
  jack_port_t* in_ = nullptr;
  jack_client_ptr client_;  // destroyed first: it ends the calls of `process`
};

}  // namespace fermata::midi::testing
