#pragma once

#include <jack/jack.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace fermata::midi {

/// The times of a JACK server's frames by the clock of everything else, steady_clock. Of the
/// process thread.
///
/// The server's frames are exact among each other. Its clock is another one, though: JACK 1.9.21
/// takes CLOCK_MONOTONIC_RAW, which differs from steady_clock by what NTP has corrected since the
/// machine started, a tenth of a second after a day. So the difference is measured: a cycle never
/// begins before its first frame, so that the smallest delay of all cycles is the difference. It
/// may grow by a microsecond with each cycle, as clocks drift.
class jack_clock {
public:
  /// At the beginning of each process cycle.
  void observe_cycle(jack_client_t* client) noexcept {
    client_ = client;
    first_ = jack_last_frame_time(client);
    now_ = microseconds(std::chrono::steady_clock::now());
    auto delay = now_ - jack_microseconds(first_);
    offset_ = is_measured_ ? std::min(offset_ + 1, delay) : delay;
    is_measured_ = true;
  }
  /// When a frame is heard, in microseconds of steady_clock.
  std::int64_t time_of(jack_nframes_t frame) const noexcept {
    return jack_microseconds(frame) + offset_;
  }
  /// When the first frame of this cycle is heard. A server without a sound card loses a twentieth
  /// of a second with each client that starts, and its clock needs a second to make up: if it is
  /// more than `tolerance` microseconds behind, that is now.
  std::int64_t beginning(std::int64_t tolerance) const noexcept {
    return is_behind(tolerance) ? now_ : time_of(first_);
  }
  /// Which frame of this cycle is heard at `time`, microseconds of steady_clock; negative: it is
  /// past. `tolerance` as above.
  std::int64_t offset_in_cycle(std::int64_t time, std::int64_t tolerance) const noexcept {
    if (is_behind(tolerance))
      return (time - now_) * static_cast<std::int64_t>(jack_get_sample_rate(client_)) / 1'000'000;
    auto frame = jack_time_to_frames(client_, static_cast<jack_time_t>(time - offset_));
    return static_cast<std::int32_t>(frame - first_);
  }

  static std::int64_t microseconds(std::chrono::steady_clock::time_point t) {
    return std::chrono::duration_cast<std::chrono::microseconds>(t.time_since_epoch()).count();
  }

private:
  bool is_behind(std::int64_t tolerance) const noexcept {
    return now_ - time_of(first_) > tolerance;
  }
  std::int64_t jack_microseconds(jack_nframes_t frame) const noexcept {
    return static_cast<std::int64_t>(jack_frames_to_time(client_, frame));
  }

  jack_client_t* client_ = nullptr;
  jack_nframes_t first_ = 0;  ///< of the cycle
  std::int64_t now_ = 0, offset_ = 0;
  bool is_measured_ = false;
};

}  // namespace fermata::midi
