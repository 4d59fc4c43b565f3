#include "actors/front_end.hpp"
#include "actors/manager/session_manager.hpp"
#include "tests/actors/session_fixture.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <random>

// Several terminals on one session, and many clients that speak at the same time.

namespace fermata::actors {

namespace {

namespace event = front_end_events;

void run_in_any_order(deterministic& t, std::mt19937& dice) {
  while (t.sched.has_job()) {
    std::shuffle(t.sched.jobs.begin(), t.sched.jobs.end(), dice);
    t.sched.run_once();
  }
}

caf::behavior talker(caf::event_based_actor* self, session_actor to, int who, int count) {
  return {[=](int n) {
    if (n == count) return self->quit();
    incoming_message message{std::to_string(n), {"client" + std::to_string(who), "ipc"}};
    self->request(to, caf::infinite, atom::enqueue_v, message)
        .then([=](const message_receipt&) { self->send(self, n + 1); },
              // Come again when the user has read some.
              [=](caf::error&) { self->delayed_send(self, std::chrono::milliseconds{200}, n); });
  }};
}

/// A terminal that types line after line, each when the one before was answered.
struct typing {
  explicit typing(caf::actor_system& sys, const session_manager_actor& manager)
    : end(sys, manager, inbox) {
    end.open("Together");
  }
  void hear(int lines) {
    for (auto& n : inbox.take()) {
      if (auto opened = std::get_if<event::opened>(&n)) take(opened->what);
      if (auto answered = std::get_if<event::answered>(&n)) take(answered->what);
      if (auto refused = std::get_if<event::refused>(&n)) refusals.push_back(refused->message);
      if (auto changed = std::get_if<event::changed>(&n)) {
        // What is told never goes back.
        CHECK(changed->after->history.size() >= seen);
        seen = changed->after->history.size();
      }
    }
    if (ready && typed < lines) {
      ready = false;
      end.submit(session_under_test::line("(+ " + std::to_string(++typed) + " 0)"));
    }
  }
  void take(const turn& t) {
    for (auto& e : t.entries)
      shown.push_back(e->index);
    // Its own entries come with the answer and in no other way.
    if (!t.entries.empty()) CHECK(seen < t.entries.back()->index);
    seen = std::max(seen, t.after->history.size());
    ready = true;
  }

  front_end::inbox inbox;
  front_end end;
  std::vector<std::int64_t> shown;
  std::vector<std::string> refusals;
  std::int64_t seen = 0;
  int typed = 0;
  bool ready = false;
};

}  // namespace

TEST_CASE("three terminals and 64 clients on one session agree on one order") {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    INFO("seed " << seed);
    std::mt19937 dice{seed};
    temporary_folder home;
    deterministic t;
    manager_setup setup;
    timestamp clock{std::chrono::sys_days{std::chrono::year{2026} / 2 / 1}};
    setup.home = home.path();
    setup.evaluate = &fermata::evaluate;
    setup.now = [&clock] { return clock += std::chrono::milliseconds{1}; };
    setup.limits.messages_waiting = 100;
    auto manager = t.sys.spawn(session_manager, setup);
    REQUIRE(t.ask<session_ref>(manager, atom::create_v, std::string{"Together"}));
    constexpr int lines = 12, clients = 64, messages = 3;
    {
      typing first{t.sys, manager}, second{t.sys, manager}, third{t.sys, manager};
      std::array<typing*, 3> terminals{&first, &second, &third};
      run_in_any_order(t, dice);
      auto session = t.ask<session_ref>(manager, atom::find_v, std::string{"together"});
      REQUIRE(session);
      for (int who = 0; who < clients; ++who)
        t.self->send(t.sys.spawn(talker, session->actor, who, messages), 0);
      for (int round = 0; round < 200; ++round) {
        for (auto* terminal : terminals)
          terminal->hear(lines);
        run_in_any_order(t, dice);
        t.advance(std::chrono::milliseconds{200});
      }
      // What still waits comes with one more line.
      first.hear(lines + 1);
      run_in_any_order(t, dice);
      std::vector<std::int64_t> all;
      for (auto* terminal : terminals) {
        terminal->hear(0);
        CHECK(terminal->refusals.empty());
        CHECK(std::is_sorted(terminal->shown.begin(), terminal->shown.end()));
        all.insert(all.end(), terminal->shown.begin(), terminal->shown.end());
      }
      // Every entry was shown in exactly one terminal as its own, and told to all.
      std::sort(all.begin(), all.end());
      auto state = *t.ask<session_snapshot>(session->actor, atom::snapshot_v);
      REQUIRE(state->history.size() == 3 * lines + 1 + clients * messages);
      REQUIRE(all.size() == static_cast<std::size_t>(state->history.size()));
      for (std::size_t i = 0; i < all.size(); ++i)
        CHECK(all[i] == static_cast<std::int64_t>(i + 1));
      for (auto* terminal : terminals)
        CHECK(terminal->seen == state->history.size());
      // Nobody's words overtake each other.
      std::map<std::string, int> next;
      for (std::int64_t i = 1; i <= state->history.size(); ++i)
        if (auto said = std::get_if<ai_message_entry>(&state->history.at(i)->kind))
          CHECK(said->content == std::to_string(next[state->history.at(i)->source.author]++));
    }
    auto ended = t.self->request(manager, caf::infinite, atom::stop_v);
    t.sched.run();
    ended.receive([] {}, [](caf::error& e) { FAIL(caf::to_string(e)); });
  }
}

}  // namespace fermata::actors
