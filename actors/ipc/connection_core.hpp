#pragma once

#include "actors/ipc/ipc_settings.hpp"
#include "io/protocol/outgoing_lines.hpp"
#include "messages/ipc_connection.hpp"
#include "messages/session_manager.hpp"

#include <caf/io/typed_broker.hpp>
#include <caf/send.hpp>

#include <cstddef>
#include <functional>
#include <utility>

namespace fermata::actors {

/// What the parts of a connection share: its actor, its settings, and the lines to its client.
/// Owned by the connection and used on its thread only.
struct connection_core {
  ipc_connection_actor::broker_pointer self;
  session_manager_actor manager;
  ipc_settings_ptr settings;
  /// Sends the lines that are ready, as soon as the lines that have come are read.
  std::function<void()> flush;
  io::protocol::outgoing_lines lines{};

  ipc_connection_actor handle() const { return ipc_connection_actor{self}; }

  /// Events are made as the client takes them: with half of the limit untaken, they wait.
  bool has_room_for_events() const { return lines.unsent() < settings->max_unsent / 2; }

  /// Sends the connection a message after a while. Nobody is named as the sender: a broker keeps
  /// what comes after its end (CAF 0.17.6), and would keep itself with a message from itself.
  template <class Duration, class... Message>
  void send_later(Duration after, Message... message) {
    caf::delayed_anon_send(handle(), after, std::move(message)...);
  }

  /// Runs `work` on the shared workers; without any, on this thread.
  void run_on_worker(work_kind kind, std::function<void()> work) const {
    if (settings->workers)
      settings->workers->run(kind, std::move(work));
    else
      work();
  }
};

}  // namespace fermata::actors
