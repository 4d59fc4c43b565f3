#include "midi/synth/synth_port.hpp"

#include "midi/sound/message_check.hpp"
#include "midi/synth/soundfont.hpp"

#include <boost/lockfree/spsc_queue.hpp>

#include <algorithm>
#include <array>

namespace fermata::midi {

namespace {

constexpr std::size_t most_waiting = 16'384, most_bytes = 64;

class synth_port final : public output_port {
public:
  synth_port(std::unique_ptr<fluid_engine> engine, std::unique_ptr<audio_output> output)
    : engine_(std::move(engine)), output_(std::move(output)) {}

  sound_result<void> start() {
    return output_->start([this](float* left, float* right, int frames, steady_time when) {
      render(left, right, frames, when);
    });
  }

  bool send(std::uint8_t group, std::span<const std::uint8_t> message,
            steady_time due) noexcept override {
    if (!is_alive() || !is_complete_message(message) || message.size() > most_bytes) return false;
    waiting w;
    w.due = due;
    w.group = group;
    w.size = static_cast<std::uint8_t>(message.size());
    std::copy(message.begin(), message.end(), w.bytes.begin());
    return queue_.push(w);
  }

  /// Two periods, so that a message is there before the period in which it is due.
  std::chrono::nanoseconds look_ahead() const noexcept override { return 2 * output_->period(); }
  bool is_alive() const noexcept override { return output_->is_alive(); }
  int groups() const noexcept override { return engine_->groups(); }
  std::size_t longest_message() const noexcept override { return most_bytes; }

private:
  struct waiting {
    steady_time due;
    std::uint8_t group = 0, size = 0;
    std::array<std::uint8_t, most_bytes> bytes{};
  };

  void render(float* left, float* right, int frames, steady_time when) {
    auto rate = output_->sample_rate();
    for (int done = 0; done < frames;) {
      auto n = std::min(fluid_engine::block, frames - done);
      auto end = when + time_of_frames(done + n, rate);
      while (!queue_.empty() && queue_.front().due < end) {
        auto& w = queue_.front();
        engine_->apply(w.group, {w.bytes.data(), w.size});
        queue_.pop();
      }
      engine_->render(left + done, right + done, 1, n);
      done += n;
    }
  }

  boost::lockfree::spsc_queue<waiting> queue_{most_waiting};
  std::unique_ptr<fluid_engine> engine_;
  std::unique_ptr<audio_output> output_;  // its thread ends before what it renders with
};

}  // namespace

sound_result<std::shared_ptr<output_port>> open_synth_port(const synth_settings& settings) {
  auto soundfont = soundfont_in_use(settings.soundfont);
  if (!soundfont) return tl::unexpected(soundfont.error());
  auto output = open_audio_output(settings.audio_output);
  if (!output) return tl::unexpected(output.error());
  auto engine = fluid_engine::make(*soundfont, (*output)->sample_rate(), fluid_engine::most_groups,
                                   settings.gain);
  if (!engine) return tl::unexpected(engine.error());
  auto port = std::make_shared<synth_port>(std::move(*engine), std::move(*output));
  if (auto started = port->start(); !started) return tl::unexpected(started.error());
  return std::shared_ptr<output_port>{std::move(port)};
}

}  // namespace fermata::midi
