#pragma once

#include "actors/session/client_budget.hpp"
#include "actors/session/session_setup.hpp"
#include "actors/work/evaluator.hpp"
#include "actors/work/journal_writer.hpp"
#include "messages/midi.hpp"
#include "messages/session.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace fermata::actors {

/// What the parts of a session share: its state, its limits and the actors that it talks to. Owned
/// by the session actor and used on its thread only.
struct session_core {
  session_core(session_actor::pointer self, const session_setup& setup);

  session_actor::pointer self;
  session_limits limits;
  std::function<timestamp()> now;
  wall_clock clock;
  history_lookup other_sessions;
  other_open_sessions open_sessions;
  caf::weak_actor_ptr manager_address;
  std::string not_saved_reason;  ///< why nothing can be saved; empty: it can, or nobody expects it
  worker_pool_ptr workers;
  evaluate_function evaluate;
  player_actor player;  ///< null: nothing can be heard
  recorder_actor recorder;
  quantizer_actor quantizer;
  std::filesystem::path folder;  ///< empty: nothing is kept
  client_budget budget;
  std::optional<journal_writer> writer;
  bool stopping = false;
  /// Adds a System entry, as soon as its turn comes.
  std::function<void(std::string event, std::string text)> note;

  const session_state& planned() const { return *writer->planned(); }
  const session_snapshot& shown() const { return writer->shown(); }

  /// Null when sessions cannot be managed here.
  session_manager_actor manager() const;

  /// Whether another process writes to the session.
  bool is_read_only() const { return !shown()->written_by.empty(); }
  caf::error read_only_error() const;
  caf::error not_kept() const;
  /// The error for a client when clients have written to the journal as much as they may for now.
  std::optional<caf::error> over_budget();
  /// Counts what clients have written.
  void charge(const journal_batch& batch);

  /// An evaluation of `text` on a state.
  evaluation_request request_for(std::string text, session_snapshot on) const;
  /// A note that an evaluator died and was restarted.
  void evaluator_died(const caf::error& reason) const;
};

}  // namespace fermata::actors
