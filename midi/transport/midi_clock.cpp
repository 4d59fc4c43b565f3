#include "midi/transport/midi_clock.hpp"

#include <algorithm>
#include <cmath>

namespace fermata::midi {

namespace {

constexpr std::uint8_t timing_clock = 0xF8, start_message = 0xFA, continue_message = 0xFB,
                       stop_message = 0xFC, song_position = 0xF2;
constexpr std::int64_t pulses_per_quarter = 24, pulses_per_sixteenth = 6;
constexpr std::int64_t last_song_position = 0x3FFF;
/// Of two pulses: no receiver follows 25,000 beats a minute, and the thread must not be kept busy.
constexpr std::chrono::nanoseconds least_distance{100'000};

/// The first pulse at this time of the plan or later.
std::int64_t pulse_from(const playback_plan& plan, std::chrono::nanoseconds time) {
  constexpr double tolerance = 1e-6;  // of rounding to nanoseconds
  return static_cast<std::int64_t>(
      std::ceil(plan.tempo.quarters_at(time) * pulses_per_quarter - tolerance));
}

}  // namespace

void midi_clock::send(std::uint8_t status, steady_time due) { out_.send_bytes(0, {status}, due); }

void midi_clock::set_on(bool on, steady_time now) {
  if (on == on_) return;
  on_ = on;
  state_ = state_t::stopped;
  next_ = now;
}

steady_time midi_clock::due_of_pulse(const playback_plan& plan, std::int64_t number) const {
  auto time = plan.tempo.time_at(quarters{rational{number, pulses_per_quarter}});
  auto since = std::chrono::duration<double, std::nano>(time - anchor_time_) / tempo_;
  return anchor_ + std::chrono::round<std::chrono::nanoseconds>(since);
}

void midi_clock::prepare(const playback_plan& plan, std::chrono::nanoseconds time, double tempo) {
  auto number = pulse_from(plan, time);
  auto at = [&](std::int64_t n) {
    return plan.tempo.time_at(quarters{rational{n, pulses_per_quarter}});
  };
  auto length = std::chrono::duration<double, std::nano>(at(number + 1) - at(number)) / tempo;
  period_ = std::max(least_distance, std::chrono::round<std::chrono::nanoseconds>(length));
}

void midi_clock::start(const playback_plan& plan, std::chrono::nanoseconds time, steady_time anchor,
                       double tempo) {
  if (!on_) return;
  anchor_ = anchor;
  anchor_time_ = time;
  tempo_ = tempo;
  number_ = pulse_from(plan, time);
  if (state_ == state_t::running) {
    // The pulse of this place may have been sent already.
    if (due_of_pulse(plan, number_) - last_ < period_ / 2) ++number_;
  } else {
    auto sixteenth = (number_ + pulses_per_sixteenth - 1) / pulses_per_sixteenth;
    first_ = sixteenth * pulses_per_sixteenth;
    state_ = state_t::starting;
    if (sixteenth > 0) {
      sixteenth = std::min(sixteenth, last_song_position);
      out_.send_bytes(0,
                      {song_position, static_cast<std::uint8_t>(sixteenth & 0x7F),
                       static_cast<std::uint8_t>(sixteenth >> 7)},
                      anchor);
    }
  }
  next_ = due_of_pulse(plan, number_);
}

void midi_clock::set_tempo(const playback_plan& plan, std::chrono::nanoseconds time,
                           steady_time anchor, double tempo) {
  if (!on_ || state_ == state_t::stopped) return;
  anchor_ = anchor;
  anchor_time_ = time;
  tempo_ = tempo;
  next_ = std::max(due_of_pulse(plan, number_), last_);
}

void midi_clock::stop(steady_time now) {
  if (!on_) return;
  if (state_ == state_t::running) send(stop_message, now);
  state_ = state_t::stopped;
  next_ = std::min(next_, now + period_);
}

std::optional<steady_time> midi_clock::next_due() const {
  return on_ ? std::optional{next_} : std::nullopt;
}

void midi_clock::postpone(std::chrono::nanoseconds by) {
  next_ += by;
  anchor_ += by;
}

void midi_clock::pulse(const playback_plan* plan) {
  if (state_ == state_t::starting && number_ >= first_) {
    send(first_ == 0 ? start_message : continue_message, next_);
    state_ = state_t::running;
  }
  send(timing_clock, next_);
  last_ = next_;
  if (state_ == state_t::stopped || !plan) {
    next_ += period_;
    return;
  }
  next_ = std::max(due_of_pulse(*plan, ++number_), last_ + least_distance);
  period_ = next_ - last_;
}

}  // namespace fermata::midi
