#include "midi/ports/guard_process.hpp"

#include "midi/ports/port_system.hpp"
#include "tests/midi/ports/jack_server.hpp"

#include <catch2/catch.hpp>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <set>

// That a killed program leaves no note is in tests/e2e/sound/midi_guard_test.py, which kills the
// real one.

namespace fermata::midi::guard_process_test {

using namespace testing;

namespace {

/// `run_guard` on a thread, with the descriptor that the real one has as its standard input.
class running_guard {
public:
  explicit running_guard(const std::string& id) {
    REQUIRE(::pipe(ends_) == 0);
    thread_ = std::thread([this, id] {
      port_system ports;
      status_ = run_guard(ports, id, ends_[0]);
    });
  }
  ~running_guard() {
    if (thread_.joinable()) status();
    ::close(ends_[0]);
  }
  running_guard(const running_guard&) = delete;
  running_guard& operator=(const running_guard&) = delete;

  void tell_to_go() { tell("q"); }
  void tell_that_it_plays() { tell("p"); }
  int status() {
    ::close(ends_[1]);
    thread_.join();
    return status_;
  }

private:
  void tell(const char* what) { REQUIRE(::write(ends_[1], what, 1) == 1); }

  int ends_[2] = {-1, -1};
  int status_ = -1;
  std::thread thread_;
};

/// What ends all sound: on each channel the pedal up, all notes off, all sound off.
std::multiset<std::vector<std::uint8_t>> silence_three_times() {
  std::multiset<std::vector<std::uint8_t>> all;
  for (int time = 0; time < 3; ++time)
    for (int channel = 0; channel < 16; ++channel)
      for (std::uint8_t number : {64, 123, 120})
        all.insert({static_cast<std::uint8_t>(0xB0 + channel), number, 0});
  return all;
}

}  // namespace

TEST_CASE("the guard ends all sound three times when the program is gone") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  midi_probe probe;
  running_guard guard{"jack:probe:in"};
  guard.tell_that_it_plays();
  CHECK(guard.status() == 0);
  REQUIRE(probe.wait_for(3 * 48));
  std::multiset<std::vector<std::uint8_t>> heard;
  for (auto& m : probe.messages())
    heard.insert(m.bytes);
  CHECK(heard == silence_three_times());
}

TEST_CASE("a guard of a program that ends before it plays sends nothing") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  midi_probe probe;
  running_guard guard{"jack:probe:in"};
  CHECK(guard.status() == 0);
  REQUIRE(probe.wait_for_cycles(4));
  CHECK(probe.messages().empty());
}

TEST_CASE("a guard that is told to go sends nothing") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  midi_probe probe;
  running_guard guard{"jack:probe:in"};
  guard.tell_that_it_plays();
  guard.tell_to_go();
  CHECK(guard.status() == 0);
  REQUIRE(probe.wait_for_cycles(4));
  CHECK(probe.messages().empty());
}

TEST_CASE("a guard whose device is not there ends at once") {
  FERMATA_NEEDS_JACK();
  jack_server server;
  running_guard guard{"jack:nobody:in"};
  CHECK(guard.status() == 1);
}

TEST_CASE("a guard gets its command, a session of its own and one descriptor") {
  auto folder = std::filesystem::temp_directory_path() / ("guard-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  auto program = folder / "program", said = folder / "said";
  std::ofstream{program} << "#!/bin/sh\n{ echo \"$1|$2\"; cut -d' ' -f1,6 /proc/$$/stat; "
                            "ls -l /proc/$$/fd; } > "
                         << said.string() << ".part\nmv " << said.string() << ".part "
                         << said.string() << "\nhead -c 1 > /dev/null\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  int inheritable[2];
  REQUIRE(::pipe(inheritable) == 0);  // as a library may have opened them
  {
    auto guard = guard_process::start(program.string(), "jack:a client:a port");
    REQUIRE(guard);
    REQUIRE(becomes_true([&] { return std::filesystem::exists(said); }));
    std::ifstream in{said};
    std::string command, process, session, line;
    std::getline(in, command);
    in >> process >> session;
    int sockets = 0, pipes = 0;
    while (std::getline(in, line)) {
      sockets += line.find("socket:") != line.npos;
      pipes += line.find("pipe:") != line.npos;
    }
    CHECK(command == "midi-guard|jack:a client:a port");
    CHECK(process == session);
    CHECK(sockets == 1);
    CHECK(pipes == 0);
  }
  ::close(inheritable[0]);
  ::close(inheritable[1]);
  std::filesystem::remove_all(folder);
  CHECK(guard_process::start("/no/such/program", "jack:probe:in") == nullptr);
}

}  // namespace fermata::midi::guard_process_test
