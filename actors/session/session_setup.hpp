#pragma once

#include "actors/work/evaluator.hpp"
#include "actors/work/worker_pool.hpp"
#include "core/memory_meter.hpp"
#include "core/session/commands/command.hpp"
#include "messages/evaluator.hpp"
#include "messages/midi.hpp"
#include "messages/recording.hpp"
#include "messages/session.hpp"
#include "messages/session_manager.hpp"
#include "messages/store.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace fermata::actors {

/// What a session may hold before it says `busy`, and how long things may take.
struct session_limits {
  std::size_t turns_waiting = 64;  ///< of its front ends, and as many of all clients
  std::size_t turns_of_client = 16;
  std::size_t messages_waiting = 256;
  std::size_t message_bytes = std::size_t{64} * 1024;
  std::size_t messages_bytes = std::size_t{4} << 20;  ///< of all that wait
  /// Of what clients have asked for and that waits, of all together.
  std::size_t waiting_bytes = std::size_t{32} << 20;
  /// Of one client; of all together four times as many, beyond which each may have one.
  std::size_t previews_waiting = 64;
  std::size_t open_proposals = 100;
  std::chrono::milliseconds wall_time{10'000};  ///< of the user's evaluations
  /// Of all evaluations of all sessions that have these limits.
  std::shared_ptr<memory_pool> memory = std::make_shared<memory_pool>();
  std::chrono::milliseconds remote_wall_time{5'000};  ///< of those of clients
  /// What a preview or proposal may take for the first and for the second time, before it waits for
  /// a lane in which it may take the whole time (fair_queue.hpp).
  std::array<std::chrono::milliseconds, 2> preview_slices{std::chrono::milliseconds{50},
                                                          std::chrono::milliseconds{500}};
  /// What clients may add to the journal: at most so much at once, and all together so much, of
  /// which a part comes back with time (client_budget.hpp).
  std::uint64_t client_line_bytes = std::uint64_t{16} << 20;
  std::uint64_t client_bytes = std::uint64_t{256} << 20,
                client_bytes_per_hour = std::uint64_t{64} << 20;
  std::int64_t entries_between_checkpoints = 100;
  std::int64_t entries_in_memory = 10'000;
};

/// Everything a session is started with.
struct session_setup {
  session_snapshot state;
  store_actor store;  ///< null: nothing is kept
  /// Why there is no store where there should be one: whoever asks for something to be on the disk
  /// is told. Empty: there is one, or nobody expects it.
  std::string not_saved_reason;
  entry_loader_ptr loader;      ///< old entries on disk; null: all stay in memory
  caf::weak_actor_ptr manager;  ///< null: commands that need it fail
  evaluate_function evaluate;
  history_lookup other_sessions;                         ///< for `$Out[slug:n]`; may be null
  other_open_sessions open_sessions;                     ///< for commands; may be null
  std::function<timestamp()> now;                        ///< the clock
  wall_clock clock{};                                    ///< the local time of the user
  std::function<void(const session_snapshot&)> publish;  ///< told what is shown; may be null
  session_limits limits;
  worker_pool_ptr workers;  ///< where what blocks is done; null: on the actors' own thread
  player_actor player;      ///< null: nothing can be heard
  recorder_actor recorder;  ///< null: nothing can be recorded
  quantizer_actor quantizer;
  std::filesystem::path folder;  ///< of the session; empty: nothing is kept
};

}  // namespace fermata::actors
