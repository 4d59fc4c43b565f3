#pragma once

#include "core/session/commands/playback_effect.hpp"
#include "core/session/commands/playback_status.hpp"
#include "core/session/commands/setting_table.hpp"
#include "core/session/timeline/entry.hpp"
#include "messages/atoms.hpp"
#include "messages/session.hpp"
#include "midi/sound/sound_system.hpp"
#include "midi/transport/transport_thread.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/fwd.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

// --- devices -------------------------------------------------------------------------------------

/// The available devices, and why others are missing.
struct device_list {
  std::vector<midi::device> devices;
  std::vector<midi::sound_failure> missing;
};
/// The same for inputs.
struct input_list {
  std::vector<midi::device> inputs;
  std::vector<midi::sound_failure> missing;
};

/// A device that was opened; without a port: it is the one that is already in use.
struct opened_device {
  midi::device device;
  std::shared_ptr<midi::output_port> port;
};

/// The device on which an output plays.
struct connected_device {
  midi::device device;
  int groups = 1;  ///< of 16 channels
  std::size_t longest_message = 0;  ///< in bytes
};

/// Notified when devices are added or removed.
using device_observer_actor = caf::typed_actor<caf::reacts_to<atom::changed>>;

/// Knows the devices of all sound systems and opens them. The sound library is loaded with the
/// first request, on a worker, as is everything that may block.
using midi_hub_actor = caf::typed_actor<
    // The devices that are there now.
    caf::replies_to<atom::list>::with<device_list>,
    // Opens a device, given by id, name or part of a name; empty: the synthesizer, or else the
    // first one. The last text is the id of the device in use, which is not opened again; it may be
    // empty. Errors: not_found with the nearest name, unavailable with the reasons.
    caf::replies_to<atom::connect, std::string, midi::synth_settings,
                    std::string>::with<opened_device>,
    // The inputs that are there now; opens no sound output, as `list` does.
    caf::replies_to<atom::listen>::with<input_list>,
    // Opens an input by its id. Errors: as above.
    caf::replies_to<atom::listen, std::string,
                    midi::message_receiver>::with<std::shared_ptr<midi::input_port>>,
    // Closes a port that is no longer used.
    caf::reacts_to<atom::disconnect, std::shared_ptr<midi::input_port>>,
    // Closes a port that the transport has let go of.
    caf::reacts_to<atom::disconnect, std::shared_ptr<midi::output_port>>,
    // This actor is told of changes from now on, until it ends.
    caf::reacts_to<atom::observe, device_observer_actor>,
    // INTERNAL, from a thread of a sound system: devices may have come or gone.
    caf::reacts_to<atom::changed>>;

/// A change of the device of an output.
struct device_change {
  std::string name;
  bool is_back = false;  ///< otherwise lost
};

/// Told what the transport of an output does.
using output_listener_actor =
    caf::typed_actor<caf::reacts_to<midi::transport_event_t>, caf::reacts_to<device_change>>;

/// An open output: the transport thread, and the device on which it plays. A device that is lost is
/// opened again as soon as it is back.
using midi_out_actor = device_observer_actor::extend<
    // Plays on this device from now on; nothing changes if it is the one in use. Errors: those of
    // the hub; then it stays as it was.
    caf::replies_to<atom::connect, std::string, midi::synth_settings>::with<connected_device>,
    // For the transport, in order.
    caf::reacts_to<midi::transport_command_t>,
    // INTERNAL, from the transport.
    caf::reacts_to<midi::transport_event_t>,
    // INTERNAL: time to send what the transport had no room for.
    caf::reacts_to<atom::flush>>;

// --- playback ------------------------------------------------------------------------------------

/// Passages to be prepared.
struct preparation_job {
  std::vector<playback::passage> passages;
  bool exact = false;
  midi::playback_plan_ptr before;  ///< of the first passage, before an edit; null: none
  std::shared_ptr<std::atomic<bool>> cancelled;  ///< may be null
};
/// One of them, ready to be played.
struct prepared_passage {
  score_ptr score;
  midi::playback_plan_ptr plan;
  midi::time_range range;
  std::optional<std::pair<int, int>> measures;  ///< those of the passage, also after an edit
  std::vector<bool> silent;                     ///< parts, by index
};
struct prepared_passages {
  std::vector<prepared_passage> all;
};

/// Makes plans of scores on a worker, one job after another.
using plan_maker_actor = caf::typed_actor<
    // Errors: eval_error, because the music has no end, too many notes or nothing that sounds.
    caf::replies_to<preparation_job>::with<prepared_passages>>;

/// A beat of what is being played.
struct played_beat {
  std::uint64_t playback = 0;  ///< id of the playback
  std::string session;         ///< slug
  midi::steady_time due;       ///< when it is heard
  int number = 1;              ///< in its measure; 1: the downbeat
  midi::time_change metre{};   ///< the time signature
};
/// Playback has ended, or something else is played.
struct playback_end {
  std::uint64_t playback = 0;
};
/// Told the beats of what is played.
using beat_listener_actor =
    caf::typed_actor<caf::reacts_to<played_beat>, caf::reacts_to<playback_end>>;

/// A request to the player on behalf of a session.
struct playback_job {
  playback::request what;
  std::string session;      ///< slug
  session_actor of;         ///< observed for edits while its score is played; may be null
  setting_values settings;  ///< of the session
  entry_source who;
  std::shared_ptr<std::atomic<bool>> cancelled;  ///< Ctrl-C, while it is prepared; may be null
};

/// What a job did.
struct playback_reply {
  std::string text;  ///< for the user
  /// Of `connect`: the id of the device, which the session remembers; empty: the default one. Of
  /// `change_default`: what is to be written to config.toml; empty: nothing.
  std::string device{};
  std::uint64_t playback = 0;  ///< of `play`: its id
};

using playback_observer_actor = caf::typed_actor<caf::reacts_to<playback_status>>;

/// Plays music: one playback at a time, of any session. Prepares it on a worker, follows the edits
/// of the session whose score is played, and tells observers where it is.
using player_actor = output_listener_actor::extend<
    // Errors: eval_error if the music cannot be played, unavailable without devices, invalid_state
    // if nothing is being played, not_found for an unknown device.
    caf::replies_to<playback_job>::with<playback_reply>,
    // Stops if there is playback; does not fail.
    caf::reacts_to<atom::stop>,
    // Stops the playback with this id, if it is still going on.
    caf::reacts_to<atom::stop, std::uint64_t>,
    // Pauses playback, or continues it.
    caf::reacts_to<atom::pause>,
    // Sends a message at once on the device of the session, for a client. Errors as above.
    caf::replies_to<atom::send, playback_job,
                    std::vector<std::vector<std::uint8_t>>>::with<midi::device>,
    // Devices, as the hub knows them.
    caf::replies_to<atom::list>::with<device_list>,
    caf::replies_to<atom::transport>::with<playback_status>,
    // `midi-device` of config.toml was changed.
    caf::reacts_to<atom::prefer, std::string>,
    // This actor is told the status now, at each beat and at each change, until it ends.
    caf::reacts_to<atom::observe, playback_observer_actor>,
    // Plays one message at once, as it was played on an input. Ignored while no device is open.
    caf::reacts_to<atom::thru, std::vector<std::uint8_t>>,
    // Opens the default device for that, unless one is in use. Errors: those of the hub.
    caf::replies_to<atom::thru>::with<midi::device>,
    // This actor is told the beats from now on, until it ends.
    caf::reacts_to<atom::follow, beat_listener_actor>,
    // What happens in the session whose score is played.
    caf::reacts_to<session_event>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::device_list)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::opened_device)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::connected_device)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::input_list)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::midi::message_receiver)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(std::shared_ptr<fermata::midi::input_port>)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::device_change)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::preparation_job)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::prepared_passages)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::played_beat)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::playback_end)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::playback_job)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::playback_reply)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::playback_status)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::midi::synth_settings)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::midi::device)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::midi::transport_command_t)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::midi::transport_event_t)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(std::shared_ptr<fermata::midi::output_port>)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(std::vector<std::vector<std::uint8_t>>)
