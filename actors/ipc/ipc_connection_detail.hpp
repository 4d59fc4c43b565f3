#pragma once

#include "actors/front_end.hpp"
#include "actors/ipc/ipc_connection.hpp"
#include "actors/ipc/ipc_reply.hpp"
#include "messages/errors.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>

#include <boost/json/array.hpp>
#include <fmt/format.h>

/// What the files of a connection share; nobody else includes it. `ipc_connection.cpp` has the
/// socket, `ipc_request.cpp` the way of a request, `ipc_commands.cpp` one function per command,
/// `ipc_events.cpp` what happens in sessions.

namespace fermata::actors {

namespace json = boost::json;
using io::protocol::fault;
using io::protocol::fault_code;

}  // namespace fermata::actors

namespace fermata {

struct ipc_request {
  std::shared_ptr<io::protocol::incoming> memory;  ///< holds what `what` points into
  io::protocol::call what;
  io::protocol::reply_queue::place to;
  io::protocol::query seen;
  std::optional<io::protocol::command> command;  ///< none: a query
  entry_source who;  ///< the client, as it was called when the request came
  caf::actor_addr relied_on;
  bool writes = false;
  bool done = false;
  std::size_t bytes = 0;  ///< of its line; of a batch the first one has them all
  /// Set when nobody waits for it any more; null: it does not take long.
  std::shared_ptr<std::atomic<bool>> interrupted;
  /// What a long job does on its thread; answers the line of its reply, if it makes one.
  std::function<std::string()> work;
  /// What is done with it instead of replying with that line. May be null.
  std::function<void()> when_done;
  /// Why its work came to no end, when that threw; empty: it did not.
  std::string broken;

  void interrupt() {
    if (interrupted) interrupted->store(true);
  }
};

}  // namespace fermata

namespace fermata::actors {

struct ipc_connection_state::waiter {
  job_ptr of;
  std::string slug;
  std::optional<std::uint64_t> revision;
  std::optional<std::int64_t> entry;
  std::set<std::string, std::less<>> what;

  bool is_content(const session_state& s, bool something_happened) const {
    if (revision && s.revision > *revision) return true;
    if (entry && s.history.size() > *entry) return true;
    return something_happened && !revision && !entry;
  }
  json::object result(const session_state& s, bool changed) const {
    json::array kinds;
    for (const auto& kind : what)
      kinds.emplace_back(kind);
    return {{"session", s.meta.slug},
            {"revision", s.revision},
            {"changed", changed},
            {"entries", s.history.size()},
            {"what", std::move(kinds)}};
  }
};

struct ipc_connection_state::subscription {
  std::int64_t number = 0;
  io::protocol::envelope style = io::protocol::envelope::json_rpc;
  std::string slug;
  std::set<std::string, std::less<>> kinds;
  std::int64_t seen = 0;                   ///< index of the last entry that was sent
  bool resumed = true;                     ///< from where its client asked for
  io::protocol::reply_queue::place reply;  ///< the one that names it; no event leaves before it
  /// What it missed and lies on disk, read beforehand, up to this entry; null: nothing.
  entry_loader_ptr missed;
  std::int64_t read_up_to = 0;
  std::int64_t events = 0;  ///< sent so far
  /// What the client is still to be told: everything after `seen`. It grows no longer than one
  /// event while the client takes nothing, however much happens.
  std::optional<session_event> due;
  bool list_changed = false;  ///< as `due`, of the list of sessions
  bool reading = false;       ///< entries it has not been told of are read from the disk
};

/// A further terminal of the user's, whose lines come over this connection.
struct ipc_connection_state::window {
  explicit window(caf::actor_system& system, session_manager_actor manager,
                  front_end::listener hear)
    : end(system, std::move(manager), std::move(hear)) {}
  window(const window&) = delete;
  window& operator=(const window&) = delete;
  /// What it has submitted is given up, as when a terminal is closed.
  ~window() { interrupt(); }
  void interrupt() {
    if (!cancelled) return;
    cancelled->store(true);
    end.interrupt();
  }

  front_end end;
  io::protocol::envelope style = io::protocol::envelope::short_form;
  std::shared_ptr<std::atomic<bool>> cancelled;  ///< of the line that was submitted
  bool changed = false;                          ///< it has not been told yet of the last change
};

struct ipc_connection_state::observed {
  caf::actor_addr actor;
  session_snapshot last;
};

template <class Next>
void ipc_connection_state::with_session(const job_ptr& j, std::string_view wanted, Next next) {
  rely_on(j, manager_);
  auto found = [this, j, next](session_ref& ref) {
    if (j->done) return;
    rely_on(j, ref.actor);
    auto go_to_it = [this, j, next](const session_ref& it) {
      next(it);
      // A query may still ask which session is the active one.
      if (j->command) found_state(j);
    };
    if (!j->writes) return go_to_it(ref);
    // `:ai off` stops every write, whatever it writes to.
    with_snapshot(j, ref, [this, j, go_to_it, ref](const session_snapshot& s) {
      if (policy_for(*s, j->who.author) == remote_policy::deny)
        refused(j, fault{fault_code::not_permitted,
                         fmt::format("the user does not allow {} to make changes", j->who.author),
                         "only read, or ask the user to allow changes with :ai",
                         {{"policy", to_string(remote_policy::deny)}}});
      else
        go_to_it(ref);
    });
  };
  auto missing = [this, j](const caf::error& e) { refused(j, e); };
  if (wanted.empty())
    self_->request(manager_, caf::infinite, atom::active::value).then(found, missing);
  else
    self_->request(manager_, caf::infinite, atom::find::value, std::string{wanted})
        .then(found, missing);
}

template <class Next>
void ipc_connection_state::with_snapshot(const job_ptr& j, const session_ref& ref, Next next) {
  self_->request(ref.actor, caf::infinite, atom::snapshot::value)
      .then(
          [j, next](const session_snapshot& s) {
            if (!j->done) next(s);
          },
          [this, j](const caf::error& e) { refused(j, e); });
}

template <class Next>
void ipc_connection_state::with_observed(const job_ptr& j, const session_ref& ref, Next next) {
  if (auto known = sessions_.find(ref.slug);
      known != sessions_.end() && known->second.actor == ref.actor.address()) {
    next(known->second.last);
    return;
  }
  self_
      ->request(ref.actor, caf::infinite, atom::observe::value,
                session_observer_actor{ipc_connection_actor{self_}})
      .then(
          [this, j, next, slug = ref.slug,
           address = ref.actor.address()](const session_snapshot& s) {
            sessions_[slug] = {address, s};
            if (!j->done) next(s);
          },
          [this, j](const caf::error& e) { refused(j, e); });
}

template <class Handle>
void ipc_connection_state::rely_on(const job_ptr& j, const Handle& actor) {
  rely_on(j, actor.address());
}

}  // namespace fermata::actors
