#pragma once

#include "messages/errors.hpp"
#include "messages/recording.hpp"

#include <caf/typed_response_promise.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace fermata::actors {

/// Wording of answers that the files of the recorder share.

inline std::string length_text(std::chrono::nanoseconds t) {
  auto seconds = std::chrono::duration<double>{t}.count();
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{} min {} s", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60);
}

/// "take 3: 24 notes in 12.5 s".
inline std::string summary_of(const recorded_take& t) {
  auto& music = t.what.music;
  auto notes = midi::count_notes(music);
  return fmt::format("take {}: {} note{} in {}", t.number, notes, notes == 1 ? "" : "s",
                     length_text(music.end));
}

inline void refuse(caf::typed_response_promise<recording_reply>& promise, caf::error why) {
  promise.deliver(std::move(why));
}

inline caf::error inputs_are_off() {
  return make_problem(problem::invalid_state, "MIDI inputs are off",
                      "`:midi input all` turns them on.");
}

}  // namespace fermata::actors
