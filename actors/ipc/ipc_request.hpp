#pragma once

#include "io/protocol/dispatch.hpp"
#include "io/protocol/reply_queue.hpp"
#include "messages/ipc_connection.hpp"

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace fermata {

/// A request of a client, from its line to its reply.
struct ipc_request {
  std::shared_ptr<io::protocol::incoming> memory;  ///< holds what `what` points into
  io::protocol::call what;
  io::protocol::reply_queue::place to;
  io::protocol::query seen;
  std::optional<io::protocol::command> command;  ///< none: a query
  entry_source who;            ///< the client, as it was called when the request began
  caf::actor_addr depends_on;  ///< whose end means that there is no answer
  bool writes = false;
  bool done = false;
  std::size_t bytes = 0;  ///< of its line; of a batch the first one has them all
  /// Set when nobody waits for it any more; null: it does not take long.
  std::shared_ptr<std::atomic<bool>> interrupted;
  /// What is done on a worker; returns the line of its reply, if it makes one.
  std::function<std::string()> work;
  /// What is done with it instead of replying with that line. May be null.
  std::function<void()> when_done;
  /// Why its work failed, when that threw; empty: it did not.
  std::string failure;

  void interrupt() {
    if (interrupted) interrupted->store(true);
  }

  /// Does its work on whatever thread. What that throws (no memory, a fault of ours) is kept: its
  /// client waits for an answer, and those behind it for their turn.
  template <class Work>
  std::string run_guarded(Work do_it) {
    try {
      return do_it();
    } catch (const std::exception& e) {
      failure = e.what();
    } catch (...) {
    }
    if (failure.empty()) failure = "it ended without giving a reason";
    return {};
  }
};

}  // namespace fermata
