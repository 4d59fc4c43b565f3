#pragma once

#include "io/store/take_file.hpp"
#include "tests/actors/midi/player_fixture.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fermata::actors::testing {

using namespace std::chrono_literals;

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A session whose takes are kept, with a keyboard.
struct recording_session : playing_session {
  explicit recording_session(setting_values settings = {}, bool has_keyboard = true)
    : recording_session(std::make_unique<temporary_folder>(), std::move(settings), has_keyboard) {}

  std::filesystem::path folder() const { return home / "sessions/test"; }
  io::stored_take take(int number) const {
    auto read = io::load_take(folder(), number);
    REQUIRE(read);
    return std::move(*read);
  }

  void play(midi::steady_time at, std::vector<std::uint8_t> bytes,
            const std::string& input = "keyboard") {
    auto port = devices->input(input);
    REQUIRE(port);
    port->play(at, std::move(bytes));
  }
  /// A note of a channel; times since `start`.
  void note(midi::steady_time start, std::chrono::milliseconds from, std::chrono::milliseconds to,
            std::uint8_t key, const std::string& input = "keyboard") {
    play(start + from, {0x90, key, 80}, input);
    play(start + to, {0x80, key, 64}, input);
  }
  /// C4 D4 E4 F4 G4 A4 B4 C5, half a second each.
  void scale(midi::steady_time start) {
    auto at = 0ms;
    for (std::uint8_t key : {60, 62, 64, 65, 67, 69, 71, 72}) {
      note(start, at, at + 480ms, key);
      at += 500ms;
    }
  }

private:
  recording_session(std::unique_ptr<temporary_folder> files, setting_values settings,
                    bool has_keyboard)
    : playing_session(files->path(), std::move(settings)), files_(std::move(files)) {
    if (has_keyboard) devices->plug_in_input("keyboard");
  }
  std::unique_ptr<temporary_folder> files_;
};

inline midi::steady_time now() { return std::chrono::steady_clock::now(); }

inline std::vector<int> keys_on(const midi::take& t) {
  std::vector<int> keys;
  for (auto& e : t.events)
    if (e.bytes[0] == 0x90 && e.bytes[2] > 0) keys.push_back(e.bytes[1]);
  return keys;
}

}  // namespace fermata::actors::testing
