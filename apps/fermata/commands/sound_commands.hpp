#pragma once

#include "core/result.hpp"
#include "midi/sound/sound_system.hpp"
#include "midi/transport/playback_plan.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata::app {

/// What of a score file is heard.
struct music_options {
  std::string input;
  std::string measures;  ///< "5", "5:8", "5:"; empty: all
  std::vector<std::string> parts;
  bool exact = false;  ///< as written, not as performed
};

struct render_options : music_options {
  std::string output, soundfont;
  int sample_rate = 48'000;
  std::optional<double> gain;  ///< empty: that of config.toml
};
/// A score file to a sound file.
int render_command(const render_options& o);

struct play_options : music_options {
  std::string device, soundfont;
  std::string tempo = "100%";
  bool loop = false, metronome = false, clock = false;
  int count_in = 0;            ///< beats
  std::optional<double> gain;  ///< empty: that of config.toml
};
/// Plays a score file until its end.
int play_command(const play_options& o);

struct devices_options {
  bool json = false;
};
/// Lists the playback devices, and why others are missing.
int devices_command(const devices_options& o);

/// What a process does that this program starts for itself, `fermata midi-guard ID`: it ends what
/// sounds on a device when the program is killed (midi/ports/guard_process.hpp).
int midi_guard_command(const std::string& id);

/// A score file as it is to be heard.
struct chosen_music {
  midi::playback_plan_ptr plan;
  midi::time_range range;
  std::vector<bool> silent;  ///< parts, by index
};
/// Reads it and says on standard error what is wrong with it; empty: it cannot be played.
std::optional<chosen_music> music_of_file(const music_options& o);

/// Prints what is wrong with config.toml, whose other settings are used.
void complain_about_config();
/// A setting of sound from config.toml, or its default; empty for "auto".
std::string sound_setting(std::string_view name);
/// The synthesizer as config.toml sets it up; the command line, unless empty, comes first.
midi::synth_settings synth_of(const std::string& soundfont, std::optional<double> gain);

/// Prints a failure and its advice to standard error.
void complain(const midi::sound_failure& failure);

}  // namespace fermata::app
