#pragma once

#include "midi/sound/sound_system.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::midi {

/// A stereo output of sound. The callback runs on a thread of the output, or of the sound server,
/// and must neither block nor allocate.
class audio_output {
public:
  /// Fills `frames` frames; `when`: the time at which what is rendered now was due.
  using callback = std::function<void(float* left, float* right, int frames, steady_time when)>;

  audio_output() = default;
  audio_output(const audio_output&) = delete;
  audio_output& operator=(const audio_output&) = delete;
  virtual ~audio_output() = default;

  virtual int sample_rate() const = 0;
  /// How much is rendered at once, as time.
  virtual std::chrono::nanoseconds period() const = 0;
  virtual sound_result<void> start(callback fill) = 0;
  virtual bool is_alive() const noexcept = 0;
};

/// Opens the output with this name ("jack", "pulse", "alsa"); if it is empty, the first that
/// answers. Failure `no_device`: none does.
sound_result<std::unique_ptr<audio_output>> open_audio_output(const std::string& name);
/// The name of the one that this would open. Failure: the same.
sound_result<std::string> audio_output_in_use(const std::string& name);

// The rows of its table.
sound_result<std::unique_ptr<audio_output>> open_jack_output();
sound_result<std::unique_ptr<audio_output>> open_pulse_output();
sound_result<std::unique_ptr<audio_output>> open_alsa_output();

/// How long so many frames last.
inline std::chrono::nanoseconds time_of_frames(std::int64_t frames, int rate) {
  return std::chrono::nanoseconds{1'000'000'000 * frames / rate};
}

/// Two channels as one, sample by sample.
inline void interleave(const float* left, const float* right, std::size_t frames, float* both) {
  for (std::size_t i = 0; i < frames; ++i) {
    both[2 * i] = left[i];
    both[2 * i + 1] = right[i];
  }
}

/// The time of frames whose requests come in bursts, as a server fills its buffers: it runs with
/// the sample rate, follows the clock slowly, and jumps when it is far off.
class frame_clock {
public:
  explicit frame_clock(int rate) : rate_(rate) {}

  /// The time of the next `frames` frames.
  steady_time advance(int frames, steady_time now) {
    constexpr std::chrono::milliseconds far{60};
    constexpr double follow = 0.02;
    auto off = now - next_;
    if (off > far || off < -far)
      next_ = now;
    else
      next_ += std::chrono::duration_cast<std::chrono::nanoseconds>(off * follow);
    auto when = next_;
    next_ += time_of_frames(frames, rate_);
    return when;
  }

private:
  int rate_;
  steady_time next_{};
};

}  // namespace fermata::midi
