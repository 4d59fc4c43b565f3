#pragma once

#include "actors/manager/session_manager.hpp"
#include "tests/actors/session_fixture.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace fermata::actors {

/// A manager over a home of its own, on the simulated clock.
struct managed_sessions : deterministic {
  temporary_folder home;
  timestamp clock{std::chrono::sys_days{std::chrono::year{2026} / 2 / 1}};
  session_manager_actor manager;

  managed_sessions() { begin(); }
  ~managed_sessions() { end(); }

  void begin(session_limits limits = {},
             const std::function<void(manager_setup&)>& change = nullptr) {
    manager_setup setup;
    setup.limits = limits;
    setup.home = home.path();
    setup.evaluate = &fermata::evaluate;
    setup.now = [this] { return clock += std::chrono::milliseconds{1}; };
    if (change) change(setup);
    manager = sys.spawn(session_manager, setup);
  }
  /// As at the end of the program.
  void end() {
    if (!manager) return;
    auto pending = self->request(manager, caf::infinite, atom::stop_v);
    sched.run();
    pending.receive([] {}, [](caf::error& e) { FAIL(caf::to_string(e)); });
    manager = nullptr;
    sched.run();
  }
  caf::expected<session_ref> create(std::string name) {
    return ask<session_ref>(manager, atom::create_v, std::move(name));
  }
  caf::expected<session_ref> find(std::string name) {
    return ask<session_ref>(manager, atom::find_v, std::move(name));
  }
  caf::expected<turn> submit(const session_ref& s, std::string text) {
    return ask<turn>(s.actor, atom::submit_v, session_under_test::line(std::move(text)));
  }
  session_snapshot snapshot(const session_ref& s) {
    return *ask<session_snapshot>(s.actor, atom::snapshot_v);
  }
};

using summaries = std::vector<session_summary>;

inline bool has(const summaries& all, std::string_view slug) {
  return std::any_of(all.begin(), all.end(), [&](auto& s) { return s.meta.slug == slug; });
}

inline std::string output_of(const caf::expected<turn>& t) {
  REQUIRE(t);
  REQUIRE_FALSE(t->entries.empty());
  if (auto eval = std::get_if<eval_entry>(&t->entries.back()->kind))
    return eval->failure ? eval->failure->first().message : eval->output_text;
  return std::get<command_entry>(t->entries.back()->kind).output;
}

}  // namespace fermata::actors
