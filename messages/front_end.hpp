#pragma once

#include "messages/midi.hpp"
#include "messages/recording.hpp"
#include "messages/session.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace fermata {

/// Notifications from a session to a front end, in the order of the session's events.
namespace front_end_events {

/// The session that lines now go to. Also sent after the session terminated unexpectedly and the
/// manager restarted it.
struct opened {
  turn what;           ///< the messages that were pending there, and the session after it
  bool again = false;  ///< the same session as before, restarted
};
/// The reply to the submitted line.
struct answered {
  turn what;
};
/// The line was not accepted, or another session could not be opened: it is busy, or an internal
/// error occurred. The session is unchanged.
struct refused {
  std::string message;
  std::string line = {};  ///< to be put back into the input line
};
/// Changes in the session: entries, pending messages, settings.
struct changed {
  session_snapshot after;
};
/// No session could be opened, or none is left.
struct lost {
  std::string message;
};
/// Where playback is. If nobody looks, only the newest is kept.
struct played {
  playback_status status;
};
/// What is being recorded. If nobody looks, only the newest is kept.
struct recorded {
  recording_status status;
};
/// The existing sessions, by slug, for completion.
struct session_list {
  std::vector<std::string> slugs;
};
/// The process that ran the sessions has ended, and this one runs them next. Sent only to a front
/// end that was attached to another process.
struct host_ended {
  std::string session;     ///< slug of the session that was open here; empty: none yet
  bool over_line = false;  ///< perhaps because of a line from this front end
};
}  // namespace front_end_events

using front_end_event =
    std::variant<front_end_events::opened, front_end_events::answered, front_end_events::refused,
                 front_end_events::changed, front_end_events::lost, front_end_events::session_list,
                 front_end_events::host_ended, front_end_events::played,
                 front_end_events::recorded>;
using front_end_event_ptr = std::shared_ptr<front_end_event>;

/// A terminal or a script: the session that its lines go to, and their results. Its output goes to
/// the thread that owns the terminal, which is not an actor; so it sends no replies.
using front_end_actor = session_observer_actor::extend<
    // Opens the session with this name, or the last one if it is empty; creates it if it does not
    // exist.
    caf::reacts_to<atom::find, std::string>,
    // Lines go to the session with this slug from now on.
    caf::reacts_to<atom::activate, std::string>,
    // A line for the session.
    caf::reacts_to<atom::submit, submission>,
    // The flag of that line is set: it is cancelled even if it is still queued.
    caf::reacts_to<atom::cancel>,
    // Pauses playback, or continues it; stops it.
    caf::reacts_to<atom::pause>, caf::reacts_to<atom::stop>,
    // Where playback is: answered by `played`.
    caf::reacts_to<atom::transport>,
    // INTERNAL, from the player and the recorder.
    caf::reacts_to<playback_status>, caf::reacts_to<recording_status>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::front_end_event_ptr)
