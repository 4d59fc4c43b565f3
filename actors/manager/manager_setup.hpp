#pragma once

#include "actors/session/session_setup.hpp"
#include "actors/session/snapshot_board.hpp"
#include "actors/work/worker_pool.hpp"
#include "core/session/catalog/creation_allowance.hpp"
#include "io/store/loading_progress.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>

namespace fermata::actors {

/// What all sessions of a process have in common.
struct manager_setup {
  std::filesystem::path home;  ///< where sessions are kept; empty: nothing is kept
  evaluate_function evaluate;
  std::function<timestamp()> now;
  wall_clock clock{};  ///< the user's local time
  session_limits limits;
  /// How far sessions that are being opened have been read; whoever shares it shows that, and can
  /// stop it. May be null.
  std::shared_ptr<io::loading_progress> loading;
  /// `commit` of config.toml: which music enters the score where the session does not say it.
  commit_rule commit_by_default = commit_rule::notation;
  /// When more sessions than this are loaded, unused ones are unloaded, the one that was used
  /// longest ago first; none that was used in the last `unused_after`.
  std::size_t most_loaded = 32;
  std::chrono::milliseconds unused_after{2'000};
  creation_limits new_sessions;  ///< of clients
  worker_pool_ptr workers;       ///< where blocking work is done; null: on the actors' own thread
  player_actor player;           ///< null: nothing can be heard
  recorder_actor recorder;       ///< null: nothing can be recorded
  quantizer_actor quantizer;     ///< null: takes cannot be written down
  /// Where sessions publish their states; whoever shares it reads them without a message.
  std::shared_ptr<snapshot_board> board = std::make_shared<snapshot_board>();
};
/// The home of the user, the language's evaluator, the clock of the system.
manager_setup default_manager_setup();

}  // namespace fermata::actors
