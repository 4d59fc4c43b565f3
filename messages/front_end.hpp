#pragma once

#include "messages/session.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace fermata {

/// What a front-end hears from its session, in the order in which it happened there.
namespace front_end_news {

/// This session is the one that lines go to now. Also told when the session died and the manager
/// has brought it back.
struct opened {
  turn what;           ///< what had waited there, and the session after it
  bool again = false;  ///< the same session as before, restarted
};
/// The answer to the line that was submitted.
struct answered {
  turn what;
};
/// The line was not taken, or another session could not be opened: it is busy, or something broke.
/// The session is as it was.
struct refused {
  std::string message;
  std::string line = {};  ///< what was not entered and belongs back into the line that is edited
};
/// Something happened in the session: entries, messages that wait, settings.
struct changed {
  session_snapshot after;
};
/// No session could be opened, or none is left.
struct lost {
  std::string message;
};
/// The sessions that there are, by slug, for completion.
struct known {
  std::vector<std::string> slugs;
};
/// The process that ran the sessions has ended, and this one is the next to run them. Only told to
/// a front-end that was attached to another process.
struct host_ended {
  std::string session;     ///< slug of the one that was open here; empty: none yet
  bool over_line = false;  ///< maybe over the line that it had taken from this front-end
};
}  // namespace front_end_news

using front_end_event =
    std::variant<front_end_news::opened, front_end_news::answered, front_end_news::refused,
                 front_end_news::changed, front_end_news::lost, front_end_news::known,
                 front_end_news::host_ended>;
using front_end_event_ptr = std::shared_ptr<front_end_event>;

/// A terminal, or a script: which session its lines go to, and what comes of them. What it has to
/// say goes to the thread that owns the terminal, which is no actor; so nothing is answered here.
using front_end_actor = session_observer_actor::extend<
    // Opens the session of this name, or the last one when it is empty, and makes it when there is
    // none.
    caf::reacts_to<atom::find, std::string>,
    // Lines go to the session with this slug from now on.
    caf::reacts_to<atom::activate, std::string>,
    // A line for the session.
    caf::reacts_to<atom::submit, submission>,
    // The flag of that line is set: it is given up where it waits.
    caf::reacts_to<atom::cancel>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::front_end_event_ptr)
