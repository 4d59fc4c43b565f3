#pragma once

#include "midi/transport/message_sink.hpp"
#include "midi/transport/playback_plan.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace fermata::midi {

/// MIDI clock and song position as a sender (MIDI 1.0 Detailed Specification, "System Real Time
/// Messages"): 24 pulses for a quarter note, also while stopped, so that receivers know the tempo.
/// The first pulse after "start" is the first beat. The song position, in sixteenth notes, is sent
/// only while stopped.
class midi_clock {
public:
  explicit midi_clock(message_sink& out) : out_(out) {}

  bool is_on() const { return on_; }
  void set_on(bool on, steady_time now);
  /// Playback runs from this time of the plan on, which is heard at `anchor`.
  void start(const playback_plan& plan, std::chrono::nanoseconds time, steady_time anchor,
             double tempo);
  void stop(steady_time now);
  /// When the next pulse is due; empty: it is off.
  std::optional<steady_time> next_due() const;
  /// Everything is later by this.
  void postpone(std::chrono::nanoseconds by);
  /// Sends it.
  void pulse(const playback_plan* plan);

private:
  steady_time due_of_pulse(const playback_plan& plan, std::int64_t number) const;
  void send(std::uint8_t status, steady_time due);

  message_sink& out_;
  bool on_ = false, running_ = false;
  std::int64_t number_ = 0;  ///< of the next pulse, from the beginning of the plan
  steady_time next_{};
  std::chrono::nanoseconds period_{500'000'000 / 24};  ///< of the last pulse: 120 beats a minute
  steady_time anchor_{};
  std::chrono::nanoseconds anchor_time_{};
  double tempo_ = 1;
};

}  // namespace fermata::midi
