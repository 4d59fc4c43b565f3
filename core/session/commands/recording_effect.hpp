#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>

namespace fermata {

/// What a command asks of recording and transcription. The recorder and the quantizer carry it out
/// (messages/recording.hpp).
namespace recording {

/// Begins a take; `:stop` ends it.
struct start {};
/// Makes a take of what was played before.
struct keep {
  /// Without a length: from the last long pause on, up to the last note.
  std::optional<std::chrono::milliseconds> length;
};
struct list_takes {};
/// Transcribes a take, as a proposal.
struct quantize {
  std::optional<int> take;      ///< its number; empty: the last one
  std::size_t reading = 1;      ///< from 1: the likeliest
  std::string meter;            ///< "6/8"; empty: recognized
  std::optional<double> tempo;  ///< quarter notes a minute; empty: recognized
  int grid = 32;                ///< the shortest note value
  bool triplets = true;
};
struct list_inputs {};
/// Which inputs are recorded, in all sessions: `midi-input` of config.toml. Empty: shows the
/// current choice.
struct choose_input {
  std::string device;
};

using request = std::variant<start, keep, list_takes, quantize, list_inputs, choose_input>;

/// What was played longer ago is forgotten, unless it is recorded.
inline constexpr std::chrono::minutes remembered{10};

}  // namespace recording

}  // namespace fermata
