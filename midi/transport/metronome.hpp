#pragma once

#include "midi/transport/message_sink.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace fermata::midi {

/// The clicks of the metronome and of the count-in: General MIDI's high wood block on the first
/// beat of a measure and its low one on the others, on the percussion channel of the first group.
class metronome {
public:
  explicit metronome(message_sink& out) : out_(out) {}

  void click(bool accent, steady_time due) noexcept;
  /// When the click that sounds ends; empty: none does.
  std::optional<steady_time> end() const { return end_; }
  /// Ends it now, if one sounds.
  void end_click(steady_time now) noexcept;
  /// It is later by this.
  void postpone(std::chrono::nanoseconds by);
  /// The port on which it sounded is gone.
  void forget() { end_.reset(); }

private:
  message_sink& out_;
  std::optional<steady_time> end_;
  std::uint8_t key_ = 0;
};

}  // namespace fermata::midi
