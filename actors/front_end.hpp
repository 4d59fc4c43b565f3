#pragma once

#include "io/terminal/inbox.hpp"
#include "messages/front_end.hpp"
#include "messages/session_manager.hpp"

#include <caf/all.hpp>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata::actors {

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
}  // namespace front_end_news

using front_end_event =
    std::variant<front_end_news::opened, front_end_news::answered, front_end_news::refused,
                 front_end_news::changed, front_end_news::lost, front_end_news::known>;

/// The connection between a thread that owns a terminal and the sessions.
///
/// The thread never waits for an actor: it says what it wants through these functions, which return
/// at once, and polls its inbox for what comes of it. An actor in between keeps the current
/// session, observes it, and opens it anew when it died and its manager has brought it back. It
/// numbers nothing and keeps no state of the session: what is to be shown, and in which order, is
/// decided by the session and comes as turns and snapshots. There may be several front-ends; each
/// has its own current session.
class front_end {
public:
  using inbox = io::inbox<front_end_event>;

  /// The inbox must outlive the actor system. The destructor lets go of the session and leaves it
  /// as it is.
  front_end(caf::actor_system& system, session_manager_actor manager, inbox& news);
  ~front_end();
  front_end(const front_end&) = delete;
  front_end& operator=(const front_end&) = delete;

  /// Opens the session that was used last, or the one with this name, which is made when there is
  /// none. One of that name in the archive stays there: once a session is open another is made, and
  /// the first one is refused. Answered by `opened`, or by `lost`; by `refused` once one is open.
  void open(std::string name);
  /// Lines go to this session from now on. Answered by `opened` or `refused`.
  void change_to(std::string slug);
  /// Answered by `answered` or `refused`. One at a time.
  void submit(submission line);
  /// The flag of the line that was submitted is set: when it waits for others, it is given up.
  void interrupt();

private:
  front_end_actor actor_;
};

}  // namespace fermata::actors
