#pragma once

#include "actors/manager/session_manager.hpp"
#include "actors/midi/player.hpp"
#include "messages/recording.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace fermata::actors {

/// The actors that nobody else holds, for as long as the program runs, and their end.
///
/// main makes one after the actor system and calls `shut_down` before both go: listeners first
/// (their owner does that, so that nothing new comes in), then playback, then all sessions with
/// everything written out. The actor system's destructor waits for every actor, so one that hangs
/// would hang the program: after the grace period the manager is killed and the caller told.
///
///     int main() {
///       block_stop_signals();              // before any thread exists
///       actors::system_config config;
///       caf::actor_system sys{config};
///       actors::actor_runtime all{sys, actors::default_manager_setup()};
///       ...
///       auto late = all.shut_down(std::chrono::seconds{5});
///     }
class actor_runtime {
public:
  /// `sound`: for the player; without a loader there is none.
  actor_runtime(caf::actor_system& sys, manager_setup setup, player_setup sound = {});
  ~actor_runtime();
  actor_runtime(const actor_runtime&) = delete;
  actor_runtime& operator=(const actor_runtime&) = delete;

  const session_manager_actor& sessions() const { return sessions_; }
  /// Null: nothing can be heard.
  const player_actor& player() const { return player_; }
  /// Null: nothing can be recorded.
  const recorder_actor& recorder() const { return recorder_; }
  const quantizer_actor& quantizer() const { return quantizer_; }

  /// Saves and ends all sessions. Answers an empty text, or what did not end in time or could not
  /// be saved. A second call does nothing.
  std::string shut_down(std::chrono::milliseconds grace);

private:
  caf::actor_system& sys_;
  midi_hub_actor hub_;
  player_actor player_;
  recorder_actor recorder_;
  quantizer_actor quantizer_;
  session_manager_actor sessions_;
};

/// Blocks SIGINT, SIGTERM and SIGHUP for this thread and all that it starts, so that main can wait
/// for them with sigwait; a child process has to unblock them. Ignores SIGPIPE.
void block_stop_signals();

}  // namespace fermata::actors
