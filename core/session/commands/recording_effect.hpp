#pragma once

#include "core/session/commands/playback_effect.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace fermata {

/// What a command asks of recording and transcription. The recorder and the quantizer carry it out
/// (messages/recording.hpp).
namespace recording {

/// Begins a take; `:stop` ends it, or the end of what is played to it.
struct start {
  std::optional<playback::play> with;           ///< a metronome or the score; empty: nothing
  std::string part;                             ///< id of the part that is recorded; empty: none
  std::optional<std::pair<int, int>> replaces;  ///< these measures, from 1, of the part
  /// Beats and beat type of the metre that is played to a MIDI clock; empty: to none.
  std::optional<std::pair<int, int>> clock_metre{};
};
/// Makes a take of what was played before.
struct keep {
  /// Without a length: from the last long pause on, up to the last note.
  std::optional<std::chrono::milliseconds> length;
};
/// Lists the takes, or compares two.
struct list_takes {
  std::optional<std::pair<int, int>> compared{};  ///< numbers
};
/// Transcribes a take, as a proposal.
struct quantize {
  std::optional<int> take;      ///< its number; empty: the last one
  std::size_t reading = 1;      ///< from 1: the likeliest
  std::string meter;            ///< "6/8"; empty: recognized
  std::optional<double> tempo;  ///< quarter notes a minute; empty: recognized
  int grid = 32;                ///< the shortest note value
  bool triplets = true, quintuplets = false;
  std::string swing = "auto";  ///< whether eighths are swung: "auto", "on" or "off"
};
struct list_inputs {};
/// Which inputs are recorded, in all sessions: `midi-input` of config.toml. Empty: shows the
/// current choice.
struct choose_input {
  std::string device;
};

/// Whether what is played on the inputs is heard on the playback device, in all sessions:
/// `midi-thru` of config.toml. Empty: shows it.
struct change_thru {
  std::optional<bool> on;
};

/// Opens the inputs, and tells their chords to front ends.
struct enter_steps {};

using request = std::variant<start, keep, list_takes, quantize, list_inputs, choose_input,
                             change_thru, enter_steps>;

/// What was played longer ago is forgotten, unless it is recorded.
inline constexpr std::chrono::minutes remembered{10};

}  // namespace recording

}  // namespace fermata
