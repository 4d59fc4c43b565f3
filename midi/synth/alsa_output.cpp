#include "midi/synth/audio_output.hpp"

#include <alsa/asoundlib.h>

#include <array>
#include <atomic>
#include <mutex>
#include <thread>

namespace fermata::midi {

namespace {

constexpr int alsa_rate = 48'000, alsa_channels = 2;
constexpr std::size_t alsa_period = 512;
constexpr unsigned latency_microseconds = 25'000;
/// More than any device buffers here.
constexpr std::chrono::milliseconds most_ahead{200};

struct pcm_closer {
  void operator()(snd_pcm_t* p) const noexcept { snd_pcm_close(p); }
};

void ignore_alsa_message(const char*, int, const char*, int, const char*, ...) {}

tl::unexpected<sound_failure> alsa_failure(int error) {
  return tl::unexpected(sound_failure{
      sound_failure::kind_t::no_device, std::string{"ALSA: "} + snd_strerror(error), {}});
}

class alsa_output final : public audio_output {
public:
  ~alsa_output() override {
    leaving_ = true;
    if (thread_.joinable()) thread_.join();
  }

  sound_result<void> open() {
    static std::once_flag once;
    std::call_once(once, [] { snd_lib_error_set_handler(ignore_alsa_message); });
    snd_pcm_t* opened = nullptr;
    // Not blocking, as another program may have the device.
    if (auto e = snd_pcm_open(&opened, "default", SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK); e < 0)
      return alsa_failure(e);
    pcm_.reset(opened);
    if (auto e = snd_pcm_set_params(pcm_.get(), SND_PCM_FORMAT_FLOAT, SND_PCM_ACCESS_RW_INTERLEAVED,
                                    alsa_channels, alsa_rate, 1, latency_microseconds);
        e < 0)
      return alsa_failure(e);
    snd_pcm_nonblock(pcm_.get(), 0);
    return {};
  }

  int sample_rate() const override { return alsa_rate; }
  std::chrono::nanoseconds period() const override {
    return time_of_frames(alsa_period, alsa_rate);
  }

  sound_result<void> start(callback fill) override {
    fill_ = std::move(fill);
    thread_ = std::thread([this] { play(); });
    return {};
  }

  bool is_alive() const noexcept override { return alive_; }

private:
  void play() {
    std::array<float, alsa_period> left{}, right{};
    std::array<float, alsa_period * alsa_channels> both{};
    while (!leaving_) {
      auto when = clock_.advance(static_cast<int>(alsa_period), std::chrono::steady_clock::now());
      fill_(left.data(), right.data(), static_cast<int>(alsa_period), when);
      interleave(left.data(), right.data(), alsa_period, both.data());
      auto done = snd_pcm_writei(pcm_.get(), both.data(), alsa_period);
      keep_pace();
      // An underrun is recovered from; anything else is the end of the device.
      if (done < 0 && snd_pcm_recover(pcm_.get(), static_cast<int>(done), 1) < 0) {
        alive_ = false;
        return;
      }
    }
  }

  /// Devices without a clock, such as ALSA's "null" and "file", take everything at once.
  void keep_pace() {
    played_ += alsa_period;
    auto time = time_of_frames(played_, alsa_rate);
    auto ahead = begun_ + time - std::chrono::steady_clock::now();
    if (ahead > most_ahead) std::this_thread::sleep_for(ahead - most_ahead);
    if (ahead < -most_ahead) begun_ -= ahead;  // after an interruption
  }

  callback fill_;
  steady_time begun_ = std::chrono::steady_clock::now();
  std::int64_t played_ = 0;  ///< frames
  frame_clock clock_{alsa_rate};
  std::atomic<bool> alive_{true}, leaving_{false};
  std::unique_ptr<snd_pcm_t, pcm_closer> pcm_;
  std::thread thread_;
};

}  // namespace

sound_result<std::unique_ptr<audio_output>> open_alsa_output() {
  auto output = std::make_unique<alsa_output>();
  if (auto opened = output->open(); !opened) return tl::unexpected(opened.error());
  return output;
}

}  // namespace fermata::midi
