#include "midi/ports/jack_client.hpp"
#include "midi/ports/jack_clock.hpp"
#include "midi/synth/audio_output.hpp"

#include <array>
#include <atomic>

namespace fermata::midi {

namespace {

class jack_output final : public audio_output {
public:
  sound_result<void> open() {
    auto client = open_jack_client("fermata-synth", [this] { alive_ = false; });
    if (!client) return tl::unexpected(client.error());
    client_ = std::move(*client);
    jack_set_process_callback(
        client_.get(),
        [](jack_nframes_t frames, void* p) {
          return static_cast<jack_output*>(p)->process(frames);
        },
        this);
    return {};
  }

  int sample_rate() const override { return static_cast<int>(jack_get_sample_rate(client_.get())); }
  std::chrono::nanoseconds period() const override {
    return time_of_frames(jack_get_buffer_size(client_.get()), sample_rate());
  }

  sound_result<void> start(callback fill) override {
    fill_ = std::move(fill);
    // Not before it plays: opening an output only to see whether it answers shows nobody a port.
    for (std::size_t i = 0; i < ports_.size(); ++i)
      ports_[i] = jack_port_register(client_.get(), i == 0 ? "left" : "right",
                                     JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    if (!ports_[0] || !ports_[1])
      return tl::unexpected(
          sound_failure{sound_failure::kind_t::refused, "the JACK server has no free ports", {}});
    if (jack_activate(client_.get()) != 0)
      return tl::unexpected(sound_failure{
          sound_failure::kind_t::refused, "the JACK server does not start the synthesizer", {}});
    connect_to_speakers();
    return {};
  }

  bool is_alive() const noexcept override { return alive_; }

private:
  /// Whoever wants the sound elsewhere connects it there: not connecting is no error.
  void connect_to_speakers() {
    auto names = jack_get_ports(client_.get(), nullptr, JACK_DEFAULT_AUDIO_TYPE,
                                JackPortIsInput | JackPortIsPhysical);
    if (!names) return;
    for (std::size_t i = 0; i < ports_.size() && names[i]; ++i)
      (void)jack_connect(client_.get(), jack_port_name(ports_[i]), names[i]);
    jack_free(names);
  }

  int process(jack_nframes_t frames) {
    auto left = static_cast<float*>(jack_port_get_buffer(ports_[0], frames));
    auto right = static_cast<float*>(jack_port_get_buffer(ports_[1], frames));
    clock_.observe_cycle(client_.get(), frames);
    auto start = clock_.beginning();
    fill_(left, right, static_cast<int>(frames), steady_time{std::chrono::microseconds{start}});
    return 0;
  }

  callback fill_;
  jack_clock clock_;
  std::array<jack_port_t*, 2> ports_{};
  std::atomic<bool> alive_{true};
  jack_client_ptr client_;
};

}  // namespace

sound_result<std::unique_ptr<audio_output>> open_jack_output() {
  auto output = std::make_unique<jack_output>();
  if (auto opened = output->open(); !opened) return tl::unexpected(opened.error());
  return output;
}

}  // namespace fermata::midi
