#pragma once

#include "actors/session/session.hpp"
#include "actors/system_config.hpp"
#include "core/lang/evaluation/evaluate.hpp"
#include "messages/errors.hpp"

#include <caf/all.hpp>
#include <caf/detail/test_actor_clock.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <catch2/catch.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace fermata::actors {

/// Actors on the test's own thread and clock: nothing runs until the test says so, in the order
/// that it says.
struct deterministic {
  system_config config = system_config::for_tests();
  caf::actor_system sys{config};
  caf::scoped_actor self{sys, true};
  caf::scheduler::test_coordinator& sched =
      dynamic_cast<caf::scheduler::test_coordinator&>(sys.scheduler());

  deterministic() { sched.clock().current_time += std::chrono::hours{1}; }
  ~deterministic() { sched.run(); }

  void advance(caf::timespan t) {
    sched.advance_time(t);
    sched.run();
  }

  /// Asks and runs everything until the answer is there.
  template <class R, class Handle, class... Ts>
  caf::expected<R> ask(const Handle& to, Ts&&... xs) {
    caf::expected<R> out{caf::sec::unexpected_response};
    auto pending = self->request(to, caf::infinite, std::forward<Ts>(xs)...);
    sched.run();
    pending.receive([&](R& x) { out = std::move(x); }, [&](caf::error& e) { out = std::move(e); });
    return out;
  }
};

inline const entry_source musician{};
inline const entry_source client{"claude", "mcp"};

/// A session without a store, with the real evaluator unless a test gives another one.
struct session_under_test : deterministic {
  session_actor session;
  timestamp clock{std::chrono::sys_days{std::chrono::year{2026} / 2 / 1}};
  session_setup setup;

  session_under_test() {
    session_meta meta;
    meta.slug = meta.name = "test";
    setup.state = std::make_shared<const session_state>(empty_session(meta));
    setup.evaluate = &fermata::evaluate;
    setup.now = [this] { return clock += std::chrono::milliseconds{1}; };
  }
  ~session_under_test() {
    if (session) self->send_exit(session, caf::exit_reason::user_shutdown);
    session = nullptr;
    sched.run();
  }

  void start() { session = sys.spawn(actors::session, setup); }

  static submission line(std::string text) { return {std::move(text), musician, nullptr, false}; }
  caf::expected<turn> submit(std::string text) {
    return ask<turn>(session, atom::submit_v, line(std::move(text)));
  }
  caf::expected<message_receipt> message(std::string text) {
    return ask<message_receipt>(session, atom::enqueue_v,
                                incoming_message{std::move(text), client});
  }
  caf::expected<remote_outcome> propose(std::string text) {
    remote_evaluation what;
    what.text = std::move(text);
    what.source = client;
    return ask<remote_outcome>(session, atom::propose_v, what);
  }
  session_snapshot snapshot() { return *ask<session_snapshot>(session, atom::snapshot_v); }
};

/// The command that a turn ended with.
inline const command_entry& command_of(const caf::expected<turn>& t) {
  REQUIRE(t);
  return std::get<command_entry>(t->entries.back()->kind);
}

}  // namespace fermata::actors
