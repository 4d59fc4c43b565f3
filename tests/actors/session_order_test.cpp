#include "tests/actors/session_fixture.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

// The promise of a session: indices without a gap, what waited before the line, the order of the
// reply is the order of the history. Held under many orders in which the actors may run.

namespace fermata::actors {

namespace {

/// Runs everything that can run, in an order drawn from `dice`.
void run_shuffled(deterministic& t, std::mt19937& dice) {
  while (t.sched.has_job()) {
    std::shuffle(t.sched.jobs.begin(), t.sched.jobs.end(), dice);
    t.sched.run_once();
  }
}

/// What came back to those who asked.
struct answers {
  std::vector<turn> turns;
  std::vector<message_receipt> receipts;
  std::vector<caf::error> errors;
};

/// Somebody who sends `count` messages, each after the answer to the one before.
caf::behavior sender(caf::event_based_actor* self, session_actor to, int who, int count,
                     std::shared_ptr<answers> all) {
  return {[=](int n) {
    if (n == count) return self->quit();
    auto text = std::to_string(who) + "/" + std::to_string(n);
    self->request(to, caf::infinite, atom::enqueue_v, incoming_message{text, client})
        .then(
            [=](const message_receipt& r) {
              all->receipts.push_back(r);
              self->send(self, n + 1);
            },
            [=](caf::error& e) { all->errors.push_back(e); });
  }};
}

/// Somebody at a terminal who types `count` lines; `waits`: each after the answer to the one
/// before.
caf::behavior typist(caf::event_based_actor* self, session_actor to, int count, bool waits,
                     std::shared_ptr<answers> all) {
  return {[=](int n) {
    if (n == count) return;  // ends by itself when the last answer is there
    auto line = session_under_test::line("(+ " + std::to_string(n) + " 1)");
    self->request(to, caf::infinite, atom::submit_v, line)
        .then(
            [=](const turn& t) {
              all->turns.push_back(t);
              if (waits) self->send(self, n + 1);
            },
            [=](caf::error& e) { all->errors.push_back(e); });
    if (!waits) self->send(self, n + 1);
  }};
}

void check_timeline(const history& h) {
  for (std::int64_t i = 1; i <= h.size(); ++i)
    REQUIRE(h.at(i)->index == i);
}

void check_turns(const answers& all, const history& h) {
  for (auto& t : all.turns) {
    REQUIRE_FALSE(t.entries.empty());
    for (std::size_t i = 0; i < t.entries.size(); ++i) {
      // A turn is a stretch of the history as it is.
      REQUIRE(t.entries[i]->index == t.entries.front()->index + static_cast<std::int64_t>(i));
      REQUIRE(h.at(t.entries[i]->index) == t.entries[i]);
      auto is_line = std::holds_alternative<eval_entry>(t.entries[i]->kind);
      REQUIRE(is_line == (i + 1 == t.entries.size()));
    }
  }
}

}  // namespace

TEST_CASE("whoever runs first, the timeline has no gap and every turn is a stretch of it") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937 dice{seed};
    session_under_test t;
    t.start();
    auto all = std::make_shared<answers>();
    for (int who = 0; who < 5; ++who)
      t.self->send(t.sys.spawn(sender, t.session, who, 6, all), 0);
    t.self->send(t.sys.spawn(typist, t.session, 5, true, all), 0);
    t.self->send(t.sys.spawn(typist, t.session, 5, false, all), 0);
    run_shuffled(t, dice);
    auto last = t.submit("(+ 0 0)");
    REQUIRE(last);
    all->turns.push_back(*last);
    CHECK(all->errors.empty());
    CHECK(all->turns.size() == 11);
    CHECK(all->receipts.size() == 30);
    auto state = t.snapshot();
    check_timeline(state->history);
    check_turns(*all, state->history);
    // 30 messages and 11 lines, nothing twice and nothing left.
    CHECK(state->history.size() == 41);
    CHECK(state->queue.empty());
    // Each sender's messages stand in the order in which it sent them.
    std::vector<int> next(5, 0);
    for (std::int64_t i = 1; i <= state->history.size(); ++i)
      if (auto said = std::get_if<ai_message_entry>(&state->history.at(i)->kind)) {
        auto who = said->content[0] - '0', n = said->content[2] - '0';
        CHECK(n == next[static_cast<std::size_t>(who)]++);
      }
  }
}

TEST_CASE("64 clients at once: everyone is answered, the bound of the queue holds") {
  session_under_test t;
  t.setup.limits.messages_waiting = 100;
  t.start();
  auto all = std::make_shared<answers>();
  std::mt19937 dice{7};
  for (int who = 0; who < 64; ++who)
    t.self->send(t.sys.spawn(sender, t.session, who, 3, all), 0);
  run_shuffled(t, dice);
  // 100 fit; each sender stops at its first refusal.
  CHECK(all->receipts.size() == 100);
  for (auto& e : all->errors) {
    CHECK(problem_of(e) == problem::busy);
    CHECK(detail_of(e).retry_after_ms);
  }
  CHECK(t.submit("")->entries.size() == 100);
}

TEST_CASE("what arrives while I wait for a result is shown with my next line") {
  session_under_test t;
  t.start();
  auto pending = t.self->request(t.session, caf::infinite, atom::submit_v,
                                 session_under_test::line("(+ 1 2)"));
  // The session begins the turn; the evaluator has not run yet.
  t.sched.prioritize(t.session);
  t.sched.run_once();
  auto words = t.self->request(t.session, caf::infinite, atom::enqueue_v,
                               incoming_message{"meanwhile", client});
  t.sched.prioritize(t.session);
  t.sched.run_once();
  t.sched.run();
  std::size_t in_first = 0;
  pending.receive([&](const turn& x) { in_first = x.entries.size(); },
                  [](caf::error& e) { FAIL(caf::to_string(e)); });
  words.receive([](const message_receipt&) {}, [](caf::error& e) { FAIL(caf::to_string(e)); });
  CHECK(in_first == 1);
  auto next = t.submit("(+ 2 2)");
  REQUIRE(next->entries.size() == 2);
  CHECK(std::get<ai_message_entry>(next->entries[0]->kind).content == "meanwhile");
}

TEST_CASE("a query is answered while an evaluation runs") {
  session_under_test t;
  t.start();
  REQUIRE(t.submit("(def x 1)"));
  auto pending = t.self->request(t.session, caf::infinite, atom::submit_v,
                                 session_under_test::line("(def x 2)"));
  t.sched.prioritize(t.session);
  t.sched.run_once();
  auto query = t.self->request(t.session, caf::infinite, atom::snapshot_v);
  t.sched.prioritize(t.session);
  t.sched.run_once();
  // Only the session has run: the answer is there, the evaluation is not.
  session_snapshot during;
  query.receive([&](session_snapshot& s) { during = s; },
                [](caf::error& e) { FAIL(caf::to_string(e)); });
  CHECK(during->history.size() == 1);
  t.sched.run();
  pending.receive([](const turn& x) { CHECK(x.entries[0]->index == 2); },
                  [](caf::error& e) { FAIL(caf::to_string(e)); });
  // What was read stays as it was.
  CHECK(during->history.size() == 1);
}

}  // namespace fermata::actors
