#pragma once

#include "core/music/time.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace fermata::midi {

/// The timed event: what a performance consists of, for playback and for Standard MIDI Files.
///
/// An event has its time twice: in quarter notes of the unfolded score, exact, and in nanoseconds
/// from the beginning, through the tempo map. Keys, velocities, controllers and channels are those
/// of MIDI 1.0, channels counted from 0. Events are values that nobody changes once they are made.

/// The place in the score from which an event comes, so that playback can show where it is.
struct score_source {
  static constexpr std::uint32_t none = 0xFFFF'FFFF;

  std::uint32_t part = 0;     ///< index into `score::parts`
  std::uint32_t measure = 0;  ///< index into the measures of the part, not the printed number
  std::uint32_t played = 0;   ///< index into the playing order: which time through the repeats
  std::uint32_t item = none;  ///< index into `measure::items`; none: of no single item
  std::uint32_t note = none;  ///< index into `chord_rest::notes`; none: of no single note
  measure_position position;  ///< in the measure, as written
  bool operator==(const score_source&) const = default;
};

// --- messages for a channel ---

struct note_on {
  std::uint8_t channel = 0, key = 60;
  std::uint8_t velocity = 64;  ///< 1..127; never 0, which would be a note off
  bool operator==(const note_on&) const = default;
};

struct note_off {
  std::uint8_t channel = 0, key = 60;
  std::uint8_t velocity = 64;  ///< of the release; 64: not said
  bool operator==(const note_off&) const = default;
};

struct controller {
  std::uint8_t channel = 0, number = 0, value = 0;
  bool operator==(const controller&) const = default;
};

struct program_change {
  std::uint8_t channel = 0;
  std::uint8_t program = 0;  ///< 0..127; General MIDI counts from 1
  bool operator==(const program_change&) const = default;
};

struct pitch_bend {
  std::uint8_t channel = 0;
  std::int16_t value = 0;  ///< -8192..8191; in a file 8192 more
  bool operator==(const pitch_bend&) const = default;
};

/// Numbers of the controllers in use (MIDI 1.0 Detailed Specification, Table III).
namespace controllers {
inline constexpr std::uint8_t bank_select = 0, bank_select_fine = 32;
inline constexpr std::uint8_t data_entry = 6, data_entry_fine = 38;
inline constexpr std::uint8_t volume = 7, pan = 10;
inline constexpr std::uint8_t damper_pedal = 64, sostenuto_pedal = 66, soft_pedal = 67;
inline constexpr std::uint8_t parameter_fine = 100, parameter = 101;  ///< registered parameters
/// Channel mode messages.
inline constexpr std::uint8_t all_sound_off = 120, reset_all = 121, all_notes_off = 123;
}  // namespace controllers

// --- meta events ---

/// The tempo from here on. A file holds at most 16777215 microseconds for a quarter note.
struct tempo_change {
  std::int64_t microseconds_per_quarter = 500'000;
  bool operator==(const tempo_change&) const = default;
};

/// A time signature, added up to one fraction: 3+2/8 is 5/8.
struct time_change {
  std::uint8_t beats = 4;
  std::uint8_t beat_type = 4;  ///< 1, 2, 4 ... 128
  bool operator==(const time_change&) const = default;
};

/// A key signature, as the part sounds.
struct key_change {
  std::int8_t fifths = 0;  ///< -7..7, sharps positive
  bool minor = false;
  bool operator==(const key_change&) const = default;
};

enum class text_kind : std::uint8_t { track_name, instrument_name, marker, lyric };

/// Text in UTF-8. It is shared, as it is often the same through several passes of a repeat.
struct text_event {
  text_kind kind{};
  std::shared_ptr<const std::string> text;

  text_event() = default;
  text_event(text_kind k, std::string t)
    : kind(k), text(std::make_shared<const std::string>(std::move(t))) {}
  std::string_view view() const { return text ? std::string_view{*text} : std::string_view{}; }
  friend bool operator==(const text_event& a, const text_event& b) {
    return a.kind == b.kind && a.view() == b.view();
  }
};

using message = std::variant<note_on, note_off, controller, program_change, pitch_bend,
                             tempo_change, time_change, key_change, text_event>;

struct timed_event {
  quarters at;                    ///< from the beginning, repeats unfolded; never negative
  std::chrono::nanoseconds time;  ///< the same point in time
  std::uint32_t track = 0;        ///< index into `performance::tracks`, which says the port
  score_source source;
  message what;
  bool operator==(const timed_event&) const = default;
};

/// The order at equal times: 0 note off, 1 names and meta events, 2 bank select, 3 program,
/// 4 other controllers, 5 pitch bend, 6 note on.
///
/// Note offs come first, so that they do not end the next note of the same key; what a note
/// depends on comes before it. Nothing else is reordered: a pedal that is lifted and pressed at
/// the same time keeps its order. A note must therefore not end where it begins, in ticks too.
int rank_at_equal_times(const message& m);

/// By time, then by rank. Sort stably.
bool plays_before(const timed_event& a, const timed_event& b);

}  // namespace fermata::midi
