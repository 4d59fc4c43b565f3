#pragma once

#include "core/session/commands/recording_effect.hpp"
#include "core/session/commands/recording_status.hpp"
#include "io/store/take_file.hpp"
#include "messages/atoms.hpp"
#include "messages/midi.hpp"
#include "midi/transcription/take.hpp"
#include "midi/transcription/transcribe.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/fwd.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

// --- inputs --------------------------------------------------------------------------------------

/// A message that was played on an input.
struct played_message {
  std::uint32_t input = 0;  ///< the number that the recorder gave the input
  midi::steady_time at;
  std::vector<std::uint8_t> bytes;  ///< one complete MIDI 1.0 message
};

/// An input was opened, could not be, or was lost; or some of its messages were.
struct input_change {
  enum class what_t : std::uint8_t { opened, failed, lost, messages_lost };
  std::uint32_t input = 0;
  what_t what = what_t::opened;
  std::string reason{};     ///< of a failure
  std::uint64_t count = 0;  ///< of the messages
};

using input_listener_actor =
    caf::typed_actor<caf::reacts_to<played_message>, caf::reacts_to<input_change>>;

/// An open input. One that is lost is opened again as soon as it is back.
using midi_in_actor = device_observer_actor::extend<
    // INTERNAL: time to check whether it is still there, or back.
    caf::reacts_to<atom::follow>>;

// --- takes ---------------------------------------------------------------------------------------

/// A take that was recorded.
struct recorded_take {
  int number = 0;
  io::stored_take what;
};
using recorded_take_ptr = std::shared_ptr<const recorded_take>;

/// A request to the recorder on behalf of a session.
struct recording_job {
  recording::request what;
  std::string session;  ///< slug
  std::string folder;   ///< of the session, where its takes are
  session_actor of;     ///< a take that it records ends with it; may be null
  entry_source who{};   ///< on whose behalf a take is transcribed that ends by itself
  std::optional<playback_job> with{};  ///< of `start`: what is played meanwhile
  wall_clock clock{};                  ///< the user's local time
};

/// What a job did.
struct recording_reply {
  std::string text;  ///< for the user
  /// Of `keep` and a stop: the take.
  recorded_take_ptr take;
  /// The setting of config.toml that is to be changed, and its value; empty: none.
  std::pair<std::string, std::string> setting{};
};

/// What was played on the inputs lately, as a take that ends now.
struct remembered_music {
  midi::take music;
  std::vector<std::string> inputs;  ///< names of those that are open
};

using recording_observer_actor = caf::typed_actor<caf::reacts_to<recording_status>>;

/// Keeps what is played on the inputs: the last ten minutes in memory, and takes on disk. One take
/// is recorded at a time, by any session.
using recorder_actor = input_listener_actor::extend<
    // What the player plays, for the beats of takes.
    caf::reacts_to<played_beat>, caf::reacts_to<playback_end>,
    // Errors: unavailable without inputs, invalid_state while a take is being recorded, not_found
    // for an unknown take or input, failed if the take cannot be written; those of the player for
    // what is to be played. A take that ends with what is played is transcribed by a command of its
    // session.
    caf::replies_to<recording_job>::with<recording_reply>,
    // Ends the recording of this session; an empty reply: there is none. Error: invalid_state if
    // another session is recording.
    caf::replies_to<atom::stop, std::string>::with<recording_reply>,
    // What was played in this time before now, at most ten minutes. Changes nothing.
    caf::replies_to<atom::list, std::chrono::milliseconds>::with<remembered_music>,
    // A setting of config.toml was changed: `midi-input` or `midi-thru`.
    caf::reacts_to<atom::prefer, std::string, std::string>,
    // This actor is told the status now and at each change, until it ends.
    caf::reacts_to<atom::observe, recording_observer_actor>,
    // INTERNAL: time to write what was recorded.
    caf::reacts_to<atom::flush>,
    // INTERNAL: everything that was played before `stop` has arrived.
    caf::reacts_to<atom::when_due>,
    // INTERNAL: devices have come or gone.
    caf::reacts_to<atom::changed>>;

// --- quantizing ----------------------------------------------------------------------------------

/// A take to be transcribed.
struct quantization_job {
  recorded_take_ptr take;  ///< null: to be read from the folder
  std::string folder;      ///< of the session
  recording::quantize how;
  score_ptr to{};  ///< the score to which the notation is added; may be null
  std::shared_ptr<std::atomic<bool>> cancelled;  ///< may be null
  bool of_client = false;  ///< waits for other clients' takes, and no user's for it
};

/// A take in notation.
struct quantized_take {
  int number = 0;         ///< 0: it was not kept
  std::size_t notes = 0;  ///< that were played
  std::chrono::nanoseconds length{};
  std::vector<midi::transcription> readings;  ///< the likeliest first
  std::size_t chosen = 0;                     ///< index of the wanted one
  std::string text;                           ///< of that: Fermata text that adds it to the score
};

/// Transcribes takes on workers: those of users one after another, likewise those of clients.
using quantizer_actor = caf::typed_actor<
    // Errors: eval_error because there are no notes or no such reading, not_found for an unknown
    // take, failed when it was interrupted.
    caf::replies_to<quantization_job>::with<quantized_take>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::played_message)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::input_change)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::recording_job)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::recording_reply)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::recording_status)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::remembered_music)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::quantization_job)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::quantized_take)
