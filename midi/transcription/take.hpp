#pragma once

#include "core/result.hpp"
#include "midi/performance/event.hpp"
#include "midi/transcription/beat_grid.hpp"
#include "midi/transcription/counted_metre.hpp"
#include "midi/transcription/transcribe.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fermata::midi {

/// A message of a take.
struct take_event {
  std::chrono::nanoseconds at{};    ///< since the beginning of the take
  std::size_t port = 0;             ///< index into `take::ports`
  std::vector<std::uint8_t> bytes;  ///< one complete MIDI 1.0 message with its status byte
  bool operator==(const take_event&) const = default;
};

/// A beat of what was heard while a take was recorded: a metronome, or the score.
struct take_beat {
  std::chrono::nanoseconds at{};  ///< since the beginning of the take; negative: before it
  int number = 1;                 ///< in its measure; 1: the downbeat
  time_change metre{};            ///< the time signature
  bool operator==(const take_beat&) const = default;
};

/// What was played while it was recorded, unchanged. Everything else is derived from it, so that a
/// better rule can be applied later.
struct take {
  std::vector<std::string> ports;  ///< ids of the inputs
  std::vector<take_event> events;  ///< in order of time
  std::chrono::nanoseconds end{};  ///< not before the last event
  std::vector<take_beat> beats{};  ///< in order of time; empty: it was played without a beat
};

/// Whether a message begins a note, or ends one. A note on with velocity 0 ends one: some systems
/// change note offs into it on the way.
bool begins_note(std::span<const std::uint8_t> message);
bool ends_note(std::span<const std::uint8_t> message);

/// The notes of a take: a part for each port and channel with notes, in order of their first note.
///
/// A key that is struck again ends its note; of the note offs that follow, the last one before the
/// key is struck once more ends the newer note. A note without a note off lasts to the end of the
/// take. The sustain pedal is kept apart.
std::vector<performed_part> performed_parts_of(const take& t);

/// The beats to which it was played, for transcription.
struct beats_of_take {
  counted_metre metre;
  beat_grid beats;
};
/// Empty without beats. Errors: `unsupported_format` for a time signature that cannot be
/// transcribed, one that changes, or measures that lack beats.
result<std::optional<beats_of_take>> known_beats_of(const take& t);

/// How many notes begin in it.
std::size_t count_notes(const take& t);

}  // namespace fermata::midi
