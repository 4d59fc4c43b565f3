#include "midi/ports/port_system.hpp"

#include "midi/ports/recording.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fermata::midi::port_system_test {

using namespace std::chrono_literals;

namespace {

/// What is written to standard error while it exists.
class captured_errors {
public:
  captured_errors() : file_(std::tmpfile()), before_(::dup(STDERR_FILENO)) {
    std::fflush(stderr);
    ::dup2(::fileno(file_), STDERR_FILENO);
  }
  ~captured_errors() { end(); }
  captured_errors(const captured_errors&) = delete;
  captured_errors& operator=(const captured_errors&) = delete;
  std::string end() {
    if (before_ < 0) return {};
    std::fflush(stderr);
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    before_ = -1;
    std::string text(
        static_cast<std::size_t>(std::max(::lseek(::fileno(file_), 0, SEEK_END), off_t{0})), ' ');
    std::rewind(file_);
    text.resize(std::fread(text.data(), 1, text.size(), file_));
    std::fclose(file_);
    return text;
  }

private:
  std::FILE* file_;
  int before_;
};

/// An environment variable for the time of a test.
class variable {
public:
  variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
  ~variable() { ::unsetenv(name_); }  // NOLINT(concurrency-mt-unsafe)
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;

private:
  const char* name_;
};

}  // namespace

TEST_CASE("without a MIDI system nothing is printed, and it is said what is missing") {
  variable no_server{"JACK_DEFAULT_SERVER", "fermata-no-such-server"};
  variable no_start{"JACK_NO_START_SERVER", "1"};
  captured_errors errors;
  port_system system;
  std::vector<device> devices;
  std::vector<sound_failure> missing;
  for (int i = 0; i < 3; ++i) {
    system.watch([] {});
    devices = system.devices();
    missing = system.missing();
  }
  auto by_name = system.open("jack:probe:in");
  auto on_alsa = system.open("alsa:nobody:nothing");
  system.watch(nullptr);
  CHECK(errors.end().empty());
  for (auto& d : devices)
    CHECK(d.system == "ALSA");  // where there is a sequencer
  REQUIRE_FALSE(missing.empty());
  CHECK(missing[0].kind == sound_failure::kind_t::no_server);
  CHECK_FALSE(missing[0].advice.empty());
  REQUIRE_FALSE(by_name);
  CHECK(by_name.error().kind == sound_failure::kind_t::no_server);
  REQUIRE_FALSE(on_alsa);
}

TEST_CASE("ids say which system a port belongs to") {
  CHECK(port_system::is_port("jack:a2j:out"));
  CHECK(port_system::is_port("alsa:Midi Through:Midi Through Port-0"));
  CHECK(port_system::is_port("virtual"));
  CHECK_FALSE(port_system::is_port("synth"));
  CHECK_FALSE(port_system::is_port("jackal"));
  CHECK_FALSE(port_system::is_port(""));
}

TEST_CASE("a recording has one line for each message, with its time from the first one") {
  auto file = std::filesystem::temp_directory_path() / ("recording-" + std::to_string(::getpid()));
  variable no_server{"JACK_DEFAULT_SERVER", "fermata-no-such-server"};
  variable record{"FERMATA_MIDI_RECORD", file.string()};
  port_system system;
  auto devices = system.devices();
  REQUIRE_FALSE(devices.empty());
  CHECK(devices.back().id == "memory");
  auto port = system.open("memory");
  REQUIRE(port);
  auto begin = std::chrono::steady_clock::now();
  CHECK((*port)->send(0, std::array<std::uint8_t, 3>{0x90, 60, 80}, begin));
  CHECK((*port)->send(0, std::array<std::uint8_t, 2>{0xC1, 5}, begin + 250ms));
  CHECK_FALSE((*port)->send(0, std::array<std::uint8_t, 2>{0x90, 60}, begin));
  port->reset();
  std::stringstream text;
  text << std::ifstream{file}.rdbuf();
  CHECK(text.str() == "0 0 903c50\n250000000 0 c105\n");
  std::filesystem::remove(file);
}

TEST_CASE(
    "there is no recording unless a file is named, and one that cannot be written is an error") {
  variable no_server{"JACK_DEFAULT_SERVER", "fermata-no-such-server"};
  port_system system;
  auto opened = system.open("memory");
  REQUIRE_FALSE(opened);
  CHECK(opened.error().kind == sound_failure::kind_t::no_device);
  variable record{"FERMATA_MIDI_RECORD", "/no/such/folder/file"};
  opened = system.open("memory");
  REQUIRE_FALSE(opened);
  CHECK(opened.error().kind == sound_failure::kind_t::file);
}

}  // namespace fermata::midi::port_system_test
