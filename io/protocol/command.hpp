#pragma once

#include "core/session/commands/command_request.hpp"
#include "core/session/commands/recording_effect.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata::io::protocol {

/// A checked request that is not a pure query. The owner of the sessions visits these; `session` is
/// empty for the active one.

struct say_hello {
  std::string client, version, protocol_version;
  std::string channel;  ///< "ipc" or "mcp"
  std::string token;    ///< required over TCP
};
/// A message for the user.
struct post_message {
  std::string session, text, idempotency_key;
};
struct evaluate_text {
  enum class mode_t : std::uint8_t { eval, preview, propose };
  std::string session, text;
  mode_t mode = mode_t::eval;
  std::optional<std::uint64_t> expect_rev;
  std::string idempotency_key;
};
struct undo_changes {
  std::string session;
  std::int64_t count = 1;
  std::optional<std::uint64_t> expect_rev;
  std::string idempotency_key;
};
/// The decision on a proposal by the person at the client that made it.
struct answer_proposal {
  std::string session;
  std::int64_t number = 0;
  bool accept = false;
};
struct create_session {
  std::string name;
};
struct switch_session {
  std::string session;
};
struct save_session {
  std::string session;
};
/// Replies when something happened after `revision` or after entry `entry`, or after `timeout`.
struct wait_for_change {
  std::string session;
  std::optional<std::uint64_t> revision;
  std::optional<std::int64_t> entry;
  std::chrono::milliseconds timeout{25'000};
};
/// Streams events. `kinds` empty: all. `since`: the last entry that was seen.
struct subscribe_events {
  std::string session;
  std::vector<std::string> kinds;
  std::optional<std::int64_t> since;
};
struct unsubscribe_events {
  std::int64_t subscription = 0;
};
/// Cancels a request of the same connection.
struct cancel_request {
  boost::json::value request;  ///< its id
};

/// This connection is a terminal (or a script) of the user: later lines are entered in the user's
/// name. `key` proves it.
struct attach_front_end {
  std::string key;
};
/// Its lines go to this session from now on: if empty, the last one used, created if there is none.
struct front_end_open {
  std::string session;
};
/// The same for the existing session with this slug.
struct front_end_switch {
  std::string session;
};
/// A line of the user.
struct front_end_submit {
  std::string text;
  std::string channel;  ///< "terminal" or "script"
  std::string folder;   ///< base of relative file names
  std::size_t columns = 80;
  bool unicode = true, accessible = false, preview = false;
};
/// Ctrl-C: cancels the submitted line.
struct front_end_interrupt {};
/// A key of the user: pauses playback or continues it, or stops it.
struct front_end_playback {
  enum class action_t : std::uint8_t { pause, stop } action = action_t::pause;
};

/// The playback devices, and what is playing.
struct list_midi_devices {};
/// Plays music in the client's name, or stops it: a command of the prompt.
struct control_playback {
  std::string session;
  command_request command;
};
/// MIDI messages, to be sent at once.
struct send_midi {
  std::string session;
  std::vector<std::vector<std::uint8_t>> messages;
};

/// A take, or what was played lately, in notation.
struct get_recording {
  std::string session;
  recording::quantize how;
  std::optional<std::chrono::milliseconds> last{};  ///< instead of a take
};
/// The notes that were played lately.
struct get_input_buffer {
  std::chrono::milliseconds last{};
};

using command =
    std::variant<say_hello, post_message, evaluate_text, undo_changes, answer_proposal,
                 create_session, switch_session, save_session, wait_for_change, subscribe_events,
                 unsubscribe_events, cancel_request, attach_front_end, front_end_open,
                 front_end_switch, front_end_submit, front_end_interrupt, front_end_playback,
                 list_midi_devices, control_playback, send_midi, get_recording, get_input_buffer>;

}  // namespace fermata::io::protocol
