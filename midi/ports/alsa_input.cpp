#include "midi/ports/alsa_input.hpp"

#include "midi/ports/alsa_port.hpp"
#include "midi/sound/message_check.hpp"

#include <RtMidi.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <utility>

namespace fermata::midi {

namespace {

tl::unexpected<sound_failure> not_opened(sound_failure::kind_t kind, std::string message) {
  return tl::unexpected(sound_failure{kind, std::move(message), {}});
}

class alsa_input final : public input_port {
public:
  explicit alsa_input(message_receiver receiver) : receiver_(std::move(receiver)) {}

  sound_result<void> open(const std::string& source) {
    try {
      in_ = std::make_unique<RtMidiIn>(RtMidi::LINUX_ALSA, "Fermata");
      in_->setErrorCallback([](RtMidiError::Type, const std::string&,
                               void* p) { *static_cast<std::atomic<bool>*>(p) = true; },
                            &error_);
      // Exclusive messages and clock are passed on; active sensing says nothing here.
      in_->ignoreTypes(false, false, true);
      // RtMidi's own times are differences that do not add up (rtmidi #125).
      in_->setCallback(
          [](double, std::vector<unsigned char>* message, void* p) {
            auto now = std::chrono::steady_clock::now();
            if (message && is_complete_message(*message))
              static_cast<alsa_input*>(p)->receiver_(now, *message);
          },
          this);
      if (source.empty()) {
        in_->openVirtualPort("Fermata input");
      } else {
        auto other = connect_to_alsa_port(*in_, alsa_direction::sources, source, "in");
        if (other.empty())
          return not_opened(sound_failure::kind_t::no_device, "unknown ALSA port " + source);
        state_ = std::make_shared<open_alsa_port_state>(other);
        watch_alsa_port(state_);
      }
      // RtMidi does not count a virtual port as open.
      if (error_ || (!source.empty() && !in_->isPortOpen()))
        return not_opened(sound_failure::kind_t::refused, "cannot open the ALSA port " + source);
    } catch (const RtMidiError& e) {
      return not_opened(sound_failure::kind_t::refused, "ALSA: " + e.getMessage());
    }
    return {};
  }

  bool is_alive() const noexcept override { return !error_ && !state_->is_gone(); }

private:
  message_receiver receiver_;
  std::atomic<bool> error_{false};
  std::shared_ptr<open_alsa_port_state> state_ = std::make_shared<open_alsa_port_state>();
  std::unique_ptr<RtMidiIn> in_;  // destroyed first: it ends the calls of the receiver
};

}  // namespace

sound_result<std::shared_ptr<input_port>> open_alsa_input(const std::string& source,
                                                          message_receiver receiver) {
  if (!has_alsa_sequencer())
    return not_opened(sound_failure::kind_t::no_server, "there is no ALSA sequencer");
  auto port = std::make_shared<alsa_input>(std::move(receiver));
  if (auto done = port->open(source); !done) return tl::unexpected(done.error());
  return std::shared_ptr<input_port>{std::move(port)};
}

}  // namespace fermata::midi
