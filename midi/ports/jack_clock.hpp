#pragma once

#include <jack/jack.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace fermata::midi {

/// The offset from a server's clock to ours, estimated once per process cycle. Times in
/// microseconds.
///
/// A cycle never begins before its first frame, so the smallest delay of all cycles is the offset.
/// It may grow by 500 ppm, as clocks drift.
class clock_offset {
public:
  /// A cycle of so many frames' time begins `now`; `first`: what the server says.
  void observe(std::int64_t now, std::int64_t first, std::int64_t cycle) noexcept {
    auto delay = now - first;
    if (is_measured_) {
      grown_ += cycle;
      offset_ = std::min(offset_ + grown_ / drift_divisor, delay);
      grown_ %= drift_divisor;
    } else {
      offset_ = delay;
      is_measured_ = true;
    }
    if (delay - offset_ <= 2 * cycle) {
      behind_since_ = now;
    } else if (now - behind_since_ > longest_behind) {
      // The server will not catch up.
      offset_ = delay;
      behind_since_ = now;
    }
    is_behind_ = delay - offset_ > 2 * cycle;
  }
  std::int64_t value() const noexcept { return offset_; }
  /// The cycle begins more than two of them late.
  bool is_behind() const noexcept { return is_behind_; }

private:
  static constexpr std::int64_t drift_divisor = 2'000, longest_behind = 5'000'000;

  std::int64_t offset_ = 0, grown_ = 0, behind_since_ = 0;
  bool is_measured_ = false, is_behind_ = false;
};

/// The times of a JACK server's frames by the clock of everything else, steady_clock. Of the
/// process thread.
///
/// The server's frame times are consistent with each other. Its clock is another one, though:
/// JACK 1.9.21 takes CLOCK_MONOTONIC_RAW, which differs from steady_clock by what NTP has corrected
/// since the machine started, a tenth of a second after a day.
class jack_clock {
public:
  /// At the beginning of each process cycle.
  void observe_cycle(jack_client_t* client, jack_nframes_t frames) noexcept {
    client_ = client;
    first_ = jack_last_frame_time(client);
    rate_ = std::max<std::int64_t>(jack_get_sample_rate(client), 1);
    now_ = microseconds(std::chrono::steady_clock::now());
    offset_.observe(now_, jack_microseconds(first_), std::int64_t{1'000'000} * frames / rate_);
  }
  /// When a frame is heard, in microseconds of steady_clock.
  std::int64_t time_of(jack_nframes_t frame) const noexcept {
    return jack_microseconds(frame) + offset_.value();
  }
  /// When the first frame of this cycle is heard. A server without a sound card loses a twentieth
  /// of a second with each client that starts, and its clock needs a second to catch up: while it
  /// is more than two cycles behind, the current time is returned.
  std::int64_t beginning() const noexcept { return offset_.is_behind() ? now_ : time_of(first_); }
  /// Which frame of this cycle is heard at `time`, microseconds of steady_clock; negative: it is
  /// past.
  std::int64_t offset_in_cycle(std::int64_t time) const noexcept {
    if (offset_.is_behind()) return (time - now_) * rate_ / 1'000'000;
    auto frame = jack_time_to_frames(client_, static_cast<jack_time_t>(time - offset_.value()));
    return static_cast<std::int32_t>(frame - first_);
  }

  static std::int64_t microseconds(std::chrono::steady_clock::time_point t) {
    return std::chrono::duration_cast<std::chrono::microseconds>(t.time_since_epoch()).count();
  }

private:
  std::int64_t jack_microseconds(jack_nframes_t frame) const noexcept {
    return static_cast<std::int64_t>(jack_frames_to_time(client_, frame));
  }

  jack_client_t* client_ = nullptr;
  jack_nframes_t first_ = 0;  ///< of the cycle
  std::int64_t now_ = 0, rate_ = 48'000;
  clock_offset offset_;
};

}  // namespace fermata::midi
