#include "midi/transport/midi_clock.hpp"

#include <algorithm>
#include <cmath>

namespace fermata::midi {

namespace {

constexpr std::uint8_t timing_clock = 0xF8, start_message = 0xFA, continue_message = 0xFB,
                       stop_message = 0xFC, song_position = 0xF2;
constexpr std::int64_t pulses_per_quarter = 24, sixteenths_per_quarter = 4;
constexpr std::int64_t last_song_position = 0x3FFF;

}  // namespace

void midi_clock::send(std::uint8_t status, steady_time due) { out_.send_bytes(0, {status}, due); }

void midi_clock::set_on(bool on, steady_time now) {
  if (on == on_) return;
  on_ = on;
  running_ = false;
  next_ = now;
}

steady_time midi_clock::due_of_pulse(const playback_plan& plan, std::int64_t number) const {
  auto time = plan.tempo.time_at(quarters{rational{number, pulses_per_quarter}});
  auto since = std::chrono::duration<double, std::nano>(time - anchor_time_) / tempo_;
  return anchor_ + std::chrono::round<std::chrono::nanoseconds>(since);
}

void midi_clock::start(const playback_plan& plan, std::chrono::nanoseconds time, steady_time anchor,
                       double tempo) {
  if (!on_) return;
  anchor_ = anchor;
  anchor_time_ = time;
  tempo_ = tempo;
  // A receiver can only be told of whole sixteenths: it begins with the next one.
  constexpr double tolerance = 1e-6;
  auto sixteenth = static_cast<std::int64_t>(
      std::ceil(plan.tempo.quarters_at(time) * sixteenths_per_quarter - tolerance));
  number_ = sixteenth * pulses_per_quarter / sixteenths_per_quarter;
  if (!running_) {
    if (sixteenth == 0) {
      send(start_message, anchor);
    } else {
      sixteenth = std::min(sixteenth, last_song_position);
      out_.send_bytes(0,
                      {song_position, static_cast<std::uint8_t>(sixteenth & 0x7F),
                       static_cast<std::uint8_t>(sixteenth >> 7)},
                      anchor);
      send(continue_message, anchor);
    }
  }
  running_ = true;
  next_ = due_of_pulse(plan, number_);
}

void midi_clock::stop(steady_time now) {
  if (!on_ || !running_) return;
  running_ = false;
  send(stop_message, now);
  next_ = now + period_;
}

std::optional<steady_time> midi_clock::next_due() const {
  return on_ ? std::optional{next_} : std::nullopt;
}

void midi_clock::postpone(std::chrono::nanoseconds by) {
  next_ += by;
  anchor_ += by;
}

void midi_clock::pulse(const playback_plan* plan) {
  send(timing_clock, next_);
  if (!running_ || !plan) {
    next_ += period_;
    return;
  }
  auto before = next_;
  next_ = std::max(due_of_pulse(*plan, ++number_), before);
  if (next_ > before) period_ = next_ - before;
}

}  // namespace fermata::midi
