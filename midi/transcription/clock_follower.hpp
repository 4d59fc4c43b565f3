#pragma once

#include "midi/performance/event.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fermata::midi {

/// The beats of a MIDI clock that is received, 24 pulses for a quarter note, without the jitter of
/// its pulses: a delay-locked loop of second order with a bandwidth of 0.5 Hz (Adriaensen, "Using a
/// DLL to filter time", 2005).
///
/// The first pulse after Start is the first beat; Continue goes on from where Stop or a song
/// position pointer was. Before either of them, pulses are no beats: many keyboards send them all
/// the time.
class clock_follower {
public:
  using time = std::chrono::steady_clock::time_point;

  explicit clock_follower(time_change metre) : metre_(metre) {}

  struct beat {
    time at;
    int number = 1;  ///< in its measure; 1: the downbeat
  };
  /// A message that was received; others than those of a clock are ignored. The beat that begins
  /// with it, if one does.
  std::optional<beat> receive(std::span<const std::uint8_t> message, time at);

  bool is_running() const { return is_running_; }
  /// Quarter notes a minute; empty for the first pulses, from which the loop starts,
  /// also after a pause.
  std::optional<double> tempo() const;

private:
  time filtered(time at);
  void start_loop();

  time_change metre_;
  bool is_running_ = false;
  std::uint64_t position_ = 0;  ///< of the next pulse
  // The loop: the expected time of the next pulse and the period, in seconds since `origin_`.
  std::uint64_t pulses_ = 0;  ///< that it has followed without a pause
  time origin_, last_;
  double expected_ = 0;
  std::optional<double> period_;  ///< empty until there are enough pulses
  std::vector<double> first_;     ///< the times of those until then
};

}  // namespace fermata::midi
