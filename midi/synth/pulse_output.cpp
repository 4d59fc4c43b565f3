#include "midi/synth/audio_output.hpp"

#include <pulse/pulseaudio.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace fermata::midi {

namespace {

constexpr int pulse_rate = 48'000, pulse_channels = 2;
constexpr std::size_t pulse_period = 512;
constexpr pa_usec_t patience = 2'000'000;
constexpr std::size_t frame_bytes = sizeof(float) * pulse_channels;

struct loop_freer {
  void operator()(pa_threaded_mainloop* l) const noexcept { pa_threaded_mainloop_free(l); }
};

/// Holds the lock of PulseAudio's thread, as its functions demand.
class loop_lock {
public:
  explicit loop_lock(pa_threaded_mainloop* l) : loop_(l) { pa_threaded_mainloop_lock(loop_); }
  ~loop_lock() { pa_threaded_mainloop_unlock(loop_); }
  loop_lock(const loop_lock&) = delete;
  loop_lock& operator=(const loop_lock&) = delete;

private:
  pa_threaded_mainloop* loop_;
};

/// PulseAudio, or PipeWire in its place.
class pulse_output final : public audio_output {
public:
  ~pulse_output() override {
    if (!loop_) return;
    {
      loop_lock lock{loop_.get()};
      if (stream_) {
        pa_stream_disconnect(stream_);
        pa_stream_unref(stream_);
      }
      if (context_) {
        pa_context_disconnect(context_);
        pa_context_unref(context_);
      }
    }
    pa_threaded_mainloop_stop(loop_.get());
  }

  sound_result<void> open() {
    loop_.reset(pa_threaded_mainloop_new());
    if (!loop_) return failed();
    context_ = pa_context_new(pa_threaded_mainloop_get_api(loop_.get()), "Fermata");
    if (!context_) return failed();
    pa_context_set_state_callback(
        context_, [](pa_context*, void* p) { static_cast<pulse_output*>(p)->changed(); }, this);
    // A server is not started: looking for one must have no effect.
    if (pa_context_connect(context_, nullptr, PA_CONTEXT_NOAUTOSPAWN, nullptr) < 0) return failed();
    if (pa_threaded_mainloop_start(loop_.get()) < 0) return failed();
    loop_lock lock{loop_.get()};
    return ready([this] {
      auto state = pa_context_get_state(context_);
      return state == PA_CONTEXT_READY   ? progress::done
             : PA_CONTEXT_IS_GOOD(state) ? progress::waiting
                                         : progress::failed;
    });
  }

  int sample_rate() const override { return pulse_rate; }
  std::chrono::nanoseconds period() const override {
    return time_of_frames(pulse_period, pulse_rate);
  }

  sound_result<void> start(callback fill) override {
    fill_ = std::move(fill);
    loop_lock lock{loop_.get()};
    pa_sample_spec spec{PA_SAMPLE_FLOAT32NE, pulse_rate, pulse_channels};
    stream_ = pa_stream_new(context_, "Fermata", &spec, nullptr);
    if (!stream_) return failed();
    pa_stream_set_write_callback(
        stream_,
        [](pa_stream*, std::size_t bytes, void* p) { static_cast<pulse_output*>(p)->fill(bytes); },
        this);
    pa_stream_set_state_callback(
        stream_, [](pa_stream*, void* p) { static_cast<pulse_output*>(p)->changed(); }, this);
    pa_buffer_attr buffer{};
    buffer.maxlength = static_cast<std::uint32_t>(-1);
    buffer.tlength = static_cast<std::uint32_t>(2 * pulse_period * frame_bytes);
    buffer.prebuf = static_cast<std::uint32_t>(-1);
    buffer.minreq = static_cast<std::uint32_t>(pulse_period * frame_bytes);
    buffer.fragsize = static_cast<std::uint32_t>(-1);
    if (pa_stream_connect_playback(stream_, nullptr, &buffer, PA_STREAM_ADJUST_LATENCY, nullptr,
                                   nullptr) < 0)
      return failed();
    return ready([this] {
      auto state = pa_stream_get_state(stream_);
      return state == PA_STREAM_READY   ? progress::done
             : PA_STREAM_IS_GOOD(state) ? progress::waiting
                                        : progress::failed;
    });
  }

  bool is_alive() const noexcept override { return alive_; }

private:
  enum class progress { waiting, done, failed };

  /// Waits until PulseAudio's thread has got there. Not for ever: a server may be stopped, or
  /// PipeWire may run without a session manager, which would have to connect the stream.
  template <class State>
  sound_result<void> ready(State state) {
    late_ = false;
    auto api = pa_threaded_mainloop_get_api(loop_.get());
    auto timer = pa_context_rttime_new(
        context_, pa_rtclock_now() + patience,
        [](pa_mainloop_api*, pa_time_event*, const timeval*, void* p) {
          auto self = static_cast<pulse_output*>(p);
          self->late_ = true;
          pa_threaded_mainloop_signal(self->loop_.get(), 0);
        },
        this);
    while (state() == progress::waiting && !late_)
      pa_threaded_mainloop_wait(loop_.get());
    if (timer) api->time_free(timer);
    if (state() == progress::done) return {};
    if (late_)
      return tl::unexpected(sound_failure{
          sound_failure::kind_t::no_server, "PulseAudio: the server does not answer", {}});
    return failed();
  }

  tl::unexpected<sound_failure> failed() const {
    auto reason = context_ ? pa_strerror(pa_context_errno(context_)) : "no memory";
    return tl::unexpected(
        sound_failure{sound_failure::kind_t::no_server, std::string{"PulseAudio: "} + reason, {}});
  }

  void changed() {
    if (!PA_CONTEXT_IS_GOOD(pa_context_get_state(context_)) ||
        (stream_ && pa_stream_get_state(stream_) == PA_STREAM_FAILED))
      alive_ = false;
    pa_threaded_mainloop_signal(loop_.get(), 0);
  }

  void fill(std::size_t bytes) {
    while (bytes >= frame_bytes) {
      void* data = nullptr;
      auto size = std::min(bytes, pulse_period * frame_bytes);
      if (pa_stream_begin_write(stream_, &data, &size) < 0 || !data || size < frame_bytes) return;
      auto frames = std::min(size / frame_bytes, pulse_period);
      auto when = clock_.advance(static_cast<int>(frames), std::chrono::steady_clock::now());
      fill_(left_.data(), right_.data(), static_cast<int>(frames), when);
      interleave(left_.data(), right_.data(), frames, static_cast<float*>(data));
      pa_stream_write(stream_, data, frames * frame_bytes, nullptr, 0, PA_SEEK_RELATIVE);
      bytes -= std::min(bytes, frames * frame_bytes);
    }
  }

  callback fill_;
  bool late_ = false;  ///< the server did not answer in time
  frame_clock clock_{pulse_rate};
  std::array<float, pulse_period> left_{}, right_{};
  std::atomic<bool> alive_{true};
  std::unique_ptr<pa_threaded_mainloop, loop_freer> loop_;
  pa_context* context_ = nullptr;
  pa_stream* stream_ = nullptr;
};

}  // namespace

sound_result<std::unique_ptr<audio_output>> open_pulse_output() {
  auto output = std::make_unique<pulse_output>();
  if (auto opened = output->open(); !opened) return tl::unexpected(opened.error());
  return output;
}

}  // namespace fermata::midi
