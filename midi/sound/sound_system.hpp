#pragma once

#include "midi/sound/input_port.hpp"
#include "midi/sound/output_port.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fermata::midi {

/// What needs the sound libraries of the system: MIDI ports, and the synthesizer. They are loaded
/// when first used (sound_library.hpp), since they would double the time that the program takes to
/// start.

struct sound_failure {
  enum class kind_t : std::uint8_t {
    no_server,  ///< no MIDI or sound system answers
    no_device,  ///< no device has this name; or no sound device at all
    lost,       ///< the device went away
    refused,    ///< the system did not allow it
    no_soundfont,
    interrupted,
    file,      ///< a file could not be read or written
    internal,  ///< a library failed without a reason
  } kind = kind_t::internal;
  std::string message;  ///< what, and where
  std::string advice;   ///< what to do; may be empty
};

template <class T>
using sound_result = tl::expected<T, sound_failure>;

/// Something that MIDI messages can be sent to, or that sends them.
struct device {
  /// Stable: the system, then client and port as that system names them, never an index:
  /// "jack:a2j:out", "alsa:Midi Through:Midi Through Port-0", "synth", "virtual".
  std::string id;
  std::string name;    ///< for people: "Midi Through Port-0"
  std::string system;  ///< "JACK", "ALSA", "FluidSynth", "virtual"
  bool operator==(const device&) const = default;
};

/// The synthesizer, and the virtual port to which other programs connect: "Fermata" for what is
/// played, "Fermata input" for what is recorded.
inline constexpr const char* synth_id = "synth";
inline constexpr const char* virtual_id = "virtual";

inline device synth_device() { return {synth_id, "Synthesizer", "FluidSynth"}; }

/// How the synthesizer sounds. Empty: as found (`soundfont_in_use`, `audio_output_in_use`).
struct synth_settings {
  std::string soundfont;     ///< a file, .sf2 or .sf3
  std::string audio_output;  ///< "jack", "pulse", "alsa"
  double gain = 0.5;         ///< 0..10; 1 is loud
};

/// What the synthesizer consists of.
struct synth_parts {
  std::string soundfont;     ///< a file
  std::string audio_output;  ///< "jack", "pulse", "alsa"
};

/// One message of a score that is rendered to a sound file.
struct rendered_message {
  std::chrono::nanoseconds time{};  ///< from the beginning
  std::uint8_t group = 0;
  std::uint8_t size = 3;
  std::uint8_t bytes[3] = {};
};

struct render_job {
  std::vector<rendered_message> messages;  ///< in order
  std::chrono::nanoseconds end{};          ///< of the music; the last notes then fade out
  int groups = 1;                          ///< of 16 channels
  std::string file;                        ///< .wav, .flac or .ogg
  int sample_rate = 48'000;
  synth_settings synth;
  std::function<void(double)> progress{};  ///< called with 0..1; may be null
  const std::atomic<bool>* cancelled = nullptr;
};

struct render_summary {
  std::int64_t frames = 0;
  double peak = 0;  ///< of the samples, before any limiting; above 1 means it was scaled down
  std::string soundfont;
};

class sound_system {
public:
  sound_system() = default;
  sound_system(const sound_system&) = delete;
  sound_system& operator=(const sound_system&) = delete;
  virtual ~sound_system() = default;

  // All but `watch`'s callback are called on one thread at a time, and may block for some
  // milliseconds; none prints anything.

  /// What can be opened now. The synthesizer is listed if a soundfont and a sound output were
  /// found.
  virtual std::vector<device> devices() = 0;
  /// Why systems are missing from the list: no JACK server, no ALSA sequencer, no soundfont, no
  /// sound output.
  virtual std::vector<sound_failure> missing() = 0;
  /// Opens a device by its id. The system is kept alive by the port.
  virtual sound_result<std::shared_ptr<output_port>> open(const std::string& id,
                                                          const synth_settings& synth) = 0;
  /// What the synthesizer would use, or why it does not play; opens nothing for longer than it
  /// takes to see that.
  virtual sound_result<synth_parts> examine_synth(const synth_settings& synth) = 0;
  /// The sources of MIDI messages that can be opened now, without Fermata itself.
  virtual std::vector<device> input_devices() = 0;
  /// Why systems are missing from that list.
  virtual std::vector<sound_failure> missing_inputs() = 0;
  /// Opens one of them by its id.
  virtual sound_result<std::shared_ptr<input_port>> open_input(const std::string& id,
                                                               message_receiver receiver) = 0;
  /// Called on any thread whenever devices may have come or gone, or an open one was lost. Null:
  /// nobody is told any more; the call returns after the last call of the old one.
  virtual void watch(std::function<void()> changed) = 0;
  /// Renders to a file, as a new one that replaces an old one only when it is complete.
  virtual sound_result<render_summary> render(const render_job& job) = 0;

  /// From now on, a process for each opened port of another program or device ends what sounds
  /// there when this process is killed. It is `PROGRAM midi-guard ID`, which calls `run_guard` and
  /// nothing else; "/proc/self/exe" is this program. Empty: no such processes, as at first.
  virtual void guard_ports(const std::string& program) = 0;
  /// What that process does, with its standard input; returns at the end of the other one. The
  /// answer is the exit status.
  virtual int run_guard(const std::string& id, int standard_input) = 0;
};

}  // namespace fermata::midi

/// The entry point of the library `fermata_sound`. `version` is FERMATA_SOUND_VERSION of the
/// caller; null if the library was built for another one.
extern "C" fermata::midi::sound_system* fermata_make_sound_system(int version);
#define FERMATA_SOUND_VERSION 3
