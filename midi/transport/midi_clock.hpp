#pragma once

#include "midi/transport/message_sink.hpp"
#include "midi/transport/playback_plan.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace fermata::midi {

/// MIDI clock and song position as a sender (MIDI 1.0 Detailed Specification, "System Real Time
/// Messages"): 24 pulses for a quarter note, also while stopped, so that receivers know the tempo.
///
/// The first pulse after "start" or "continue" is the place where playback begins. A song position
/// is in sixteenth notes and is sent only while stopped; if playback begins between two of them,
/// "continue" is sent at the next one, and pulses without it until then.
class midi_clock {
public:
  explicit midi_clock(message_sink& out) : out_(out) {}

  bool is_on() const { return on_; }
  void set_on(bool on, steady_time now);
  /// The tempo of the pulses while stopped: that of this place.
  void prepare(const playback_plan& plan, std::chrono::nanoseconds time, double tempo);
  /// Playback runs from this time of the plan on, which is heard at `anchor`. If it ran before, as
  /// when an edited score is taken over, receivers are told nothing: their bars go on.
  void start(const playback_plan& plan, std::chrono::nanoseconds time, steady_time anchor,
             double tempo);
  /// The same pulses at another tempo, from this time of the plan on.
  void set_tempo(const playback_plan& plan, std::chrono::nanoseconds time, steady_time anchor,
                 double tempo);
  void stop(steady_time now);
  /// When the next pulse is due; empty: it is off.
  std::optional<steady_time> next_due() const;
  /// Everything is later by this.
  void postpone(std::chrono::nanoseconds by);
  /// Sends it. `plan`: what is being played, the one of `start`.
  void pulse(const playback_plan* plan);

private:
  enum class state_t : std::uint8_t { stopped, starting, running };

  steady_time due_of_pulse(const playback_plan& plan, std::int64_t number) const;
  void send(std::uint8_t status, steady_time due);

  message_sink& out_;
  bool on_ = false;
  state_t state_ = state_t::stopped;
  std::int64_t number_ = 0;  ///< of the next pulse, from the beginning of the plan
  std::int64_t first_ = 0;   ///< the one that begins playback
  steady_time next_{}, last_{};
  std::chrono::nanoseconds period_{500'000'000 / 24};  ///< while stopped; 120 beats a minute
  steady_time anchor_{};
  std::chrono::nanoseconds anchor_time_{};
  double tempo_ = 1;
};

}  // namespace fermata::midi
