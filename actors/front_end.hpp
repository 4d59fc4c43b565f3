#pragma once

#include "io/terminal/inbox.hpp"
#include "messages/front_end.hpp"
#include "messages/session_manager.hpp"

#include <caf/actor_system.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <functional>
#include <string>

namespace fermata::actors {

namespace front_end_events = fermata::front_end_events;

/// Where a thread that owns a terminal (or reads a script) sends its lines. It never waits: what
/// comes of these calls arrives in its inbox, in the order in which it happened.
class front_end_port {
public:
  front_end_port() = default;
  front_end_port(const front_end_port&) = delete;
  front_end_port& operator=(const front_end_port&) = delete;
  virtual ~front_end_port() = default;

  /// Opens the session that was used last, or the one with this name, which is made when there is
  /// none. One of that name in the archive stays there: once a session is open another is made, and
  /// the first one is refused. Answered by `opened`, or by `lost`; by `refused` once one is open.
  virtual void open(std::string name) = 0;
  /// Lines go to this session from now on. Answered by `opened` or `refused`.
  virtual void change_to(std::string slug) = 0;
  /// Answered by `answered` or `refused`. One at a time.
  virtual void submit(submission line) = 0;
  /// The cancel flag of the submitted line was set: if the line is still queued, it is cancelled.
  virtual void interrupt() = 0;
  /// Pauses playback, or continues it. Nothing is entered in the timeline.
  virtual void toggle_pause() = 0;
  /// Stops playback, likewise.
  virtual void stop_playback() = 0;
  /// Answered by `played`, after what was requested before.
  virtual void ask_playback() = 0;
};

/// The connection between a thread that owns a terminal and the sessions.
///
/// The thread never waits for an actor: it makes requests through these functions, which return at
/// once, and polls its inbox for the results. An actor in between holds the current session,
/// observes it, and reopens it when the manager has restored it after a crash. It numbers nothing
/// and keeps no state of the session: what is to be shown, and in which order, is decided by the
/// session and comes as turns and snapshots. There may be several front-ends; each has its own
/// current session.
class front_end final : public front_end_port {
public:
  using inbox = io::inbox<front_end_event>;
  using listener = std::function<void(front_end_event)>;

  /// The inbox must outlive the actor system. The destructor lets go of the session and leaves it
  /// as it is.
  /// `player`, `recorder`: null: nothing can be heard or recorded.
  front_end(caf::actor_system& system, session_manager_actor manager, inbox& events,
            player_actor player = {}, recorder_actor recorder = {});
  /// `hear` is called on any thread, one call after the other.
  front_end(caf::actor_system& system, session_manager_actor manager, listener hear,
            player_actor player = {}, recorder_actor recorder = {});
  ~front_end() override;

  void open(std::string name) override;
  void change_to(std::string slug) override;
  void submit(submission line) override;
  void interrupt() override;
  void toggle_pause() override;
  void stop_playback() override;
  void ask_playback() override;

private:
  front_end_actor actor_;
};

}  // namespace fermata::actors
