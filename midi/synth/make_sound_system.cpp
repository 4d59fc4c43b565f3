#include "midi/ports/guard_process.hpp"
#include "midi/ports/port_system.hpp"
#include "midi/sound/sound_system.hpp"
#include "midi/synth/audio_output.hpp"
#include "midi/synth/sound_file.hpp"
#include "midi/synth/soundfont.hpp"
#include "midi/synth/synth_port.hpp"

namespace fermata::midi {

namespace {

class system_of_this_machine final : public sound_system {
public:
  std::vector<device> devices() override {
    auto all = ports_.devices();
    // While it plays, its output may not answer anybody else. JACK is tried first.
    auto playing = synth_.lock();
    if ((playing && playing->is_alive()) ||
        (soundfont_in_use({}) && (ports_.has_jack() || audio_output_in_use({}))))
      all.insert(all.begin(), synth_device());
    return all;
  }

  std::vector<sound_failure> missing() override {
    auto all = ports_.missing();
    if (auto font = soundfont_in_use({}); !font) all.push_back(font.error());
    if (auto output = audio_output_in_use({}); !output) all.push_back(output.error());
    return all;
  }

  sound_result<synth_parts> examine_synth(const synth_settings& wanted) override {
    auto font = soundfont_in_use(wanted.soundfont);
    if (!font) return tl::unexpected(font.error());
    auto output = audio_output_in_use(wanted.audio_output);
    if (!output) return tl::unexpected(output.error());
    return synth_parts{std::move(*font), std::move(*output)};
  }

  sound_result<std::shared_ptr<output_port>> open(const std::string& id,
                                                  const synth_settings& synth) override {
    if (id == synth_id) {
      auto port = open_synth_port(synth);
      if (port) synth_ = *port;
      return port;
    }
    if (port_system::is_port(id)) return ports_.open(id);
    return tl::unexpected(sound_failure{sound_failure::kind_t::no_device,
                                        "there is no MIDI device `" + id + "`",
                                        "`fermata devices` lists the devices."});
  }

  std::vector<device> input_devices() override { return ports_.input_devices(); }
  std::vector<sound_failure> missing_inputs() override { return ports_.missing(); }
  sound_result<std::shared_ptr<input_port>> open_input(const std::string& id,
                                                       message_receiver receiver) override {
    return ports_.open_input(id, std::move(receiver));
  }
  void watch(std::function<void()> changed) override { ports_.watch(std::move(changed)); }
  sound_result<render_summary> render(const render_job& job) override {
    return render_to_file(job);
  }
  void guard_ports(const std::string& program) override { ports_.guard_with(program); }
  int run_guard(const std::string& id, int standard_input) override {
    // The name "fermata" is left to the process that it guards.
    port_system ports{"fermata-guard"};
    return midi::run_guard(ports, id, standard_input);
  }

private:
  port_system ports_;
  std::weak_ptr<output_port> synth_;  ///< that was opened last
};

}  // namespace

}  // namespace fermata::midi

extern "C" __attribute__((visibility("default"))) fermata::midi::sound_system*
fermata_make_sound_system(int version) {
  if (version != FERMATA_SOUND_VERSION) return nullptr;
  return new fermata::midi::system_of_this_machine;
}
