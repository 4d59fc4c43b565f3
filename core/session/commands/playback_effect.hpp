#pragma once

#include "core/lang/value/environment.hpp"
#include "core/score/model/score.hpp"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fermata {

/// What a command asks of playback and of MIDI devices. The player carries it out
/// (messages/midi.hpp); nothing here changes the session.
namespace playback {

/// How music is played.
struct play_options {
  double tempo = 1;  ///< factor, 0.1..10
  bool loop = false;
  bool count_in = false;   ///< a measure of clicks first
  bool metronome = false;  ///< a click at each beat
  bool exact = false;      ///< as written, for machines, not as performed
  bool operator==(const play_options&) const = default;
};

/// A selection in a score that is not known yet, as typed.
struct selection_by_name {
  std::vector<std::string> words;  ///< a part and measures, in any order
  std::string from;                ///< the measure to begin at
  std::vector<std::string> solo, mute;  ///< parts
};

/// A score, or some of it.
struct passage {
  std::string name;                          ///< for messages: "measures 3-8", "Δ2"
  score_ptr score;                           ///< null: that of `expression` or `music`
  std::string expression;                    ///< to be evaluated; its music alone is played
  std::optional<value> music;                ///< without a score: this, alone, with the
  environment_ptr env;                       ///< defaults of this environment
  selection_by_name selection;               ///< of it, for `select_in_passage`
  std::optional<std::pair<int, int>> range;  ///< measures from 1, inclusive; empty: all
  std::vector<std::string> only{}, muted{};  ///< ids of parts; `only` empty: all
  bool follows_edits = false;                ///< the score of the session
  bool may_be_silent = false;                ///< it is played for its beats
};

/// Plays passages one after another; what was played before ends.
struct play {
  std::vector<passage> passages;
  play_options options;
};
struct pause {};
struct resume {};
struct stop {};
/// Continues at this measure, or rehearsal mark, of what is played.
struct seek {
  std::string measure;  ///< as typed
};
/// Empty: only says what the tempo is.
struct change_tempo {
  std::optional<double> factor;
};
struct change_metronome {
  bool on = false;
};
struct list_devices {};
/// Plays on this device from now on; an id, a name or a part of one. Empty: the default one.
struct connect {
  std::string device;
};
/// The device of sessions that have none of their own; empty: only says which one it is.
struct change_default {
  std::string device;
};
/// Ends everything that sounds or might sound.
struct panic {};

using request = std::variant<play, pause, resume, stop, seek, change_tempo, change_metronome,
                             list_devices, connect, change_default, panic>;

}  // namespace playback

}  // namespace fermata
