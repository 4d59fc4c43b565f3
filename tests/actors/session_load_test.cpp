#include "actors/front_end.hpp"
#include "tests/actors/managed_sessions.hpp"

#include <catch2/catch.hpp>

#include <vector>

namespace fermata::actors {

namespace {

struct session_that_allows : session_under_test {
  explicit session_that_allows(session_limits limits = {}) {
    setup.limits = std::move(limits);
    auto state = *setup.state;
    state.policy = remote_policy::allow;
    setup.state = std::make_shared<const session_state>(std::move(state));
    start();
  }
  auto write(const std::string& text, const std::string& caller) {
    remote_evaluation what;
    what.text = text;
    what.source = client;
    what.caller = caller;
    return self->request(session, caf::infinite, atom::propose_v, what);
  }
};

int time_to_retry(const caf::error& e) {
  CHECK(problem_of(e) == problem::busy);
  return detail_of(e).retry_after_ms.value_or(0);
}

}  // namespace

TEST_CASE("a typed line comes before what clients have waiting, and clients take turns") {
  session_that_allows t;
  std::vector<decltype(t.write("", ""))> asked;
  for (int i = 1; i <= 10; ++i)
    asked.push_back(t.write("(+ 100 " + std::to_string(i) + ")", "a"));
  for (int i = 1; i <= 2; ++i)
    asked.push_back(t.write("(+ 200 " + std::to_string(i) + ")", "b"));
  auto typed = t.self->request(t.session, caf::infinite, atom::submit_v, t.line("(+ 1 1)"));
  t.sched.run();
  std::vector<std::string> outputs;
  auto timeline = t.snapshot()->history;
  for (std::int64_t i = 1; i <= timeline.size(); ++i)
    outputs.push_back(std::get<eval_entry>(timeline.at(i)->kind).output_text);
  // The first one had begun when the line came.
  CHECK(outputs == std::vector<std::string>{"101", "2", "102", "201", "103", "202", "104", "105",
                                            "106", "107", "108", "109", "110"});
  typed.receive([](turn& answer) { CHECK(answer.entries.back()->index == 2); },
                [](caf::error& e) { FAIL(caf::to_string(e)); });
  for (auto& a : asked)
    a.receive([](remote_outcome&) {}, [](caf::error& e) { FAIL(caf::to_string(e)); });
}

TEST_CASE("a client with too many evaluations waiting is told when to try again") {
  session_that_allows t;
  std::vector<decltype(t.write("", ""))> asked;
  for (int i = 0; i < 100; ++i)
    asked.push_back(t.write("(+ 1 2)", "a"));
  auto other = t.write("(+ 3 4)", "b");
  t.sched.run();
  int done = 0, told = 0;
  for (auto& a : asked)
    a.receive([&](remote_outcome&) { ++done; },
              [&](caf::error& e) {
                CHECK(time_to_retry(e) > 0);
                ++told;
              });
  CHECK(done >= 16);
  CHECK(told >= 80);
  other.receive([](remote_outcome& o) { CHECK(o.output_text == "7"); },
                [](caf::error& e) { FAIL(caf::to_string(e)); });
}

TEST_CASE("messages that wait are bounded in bytes, and so is the text of what waits to be run") {
  session_limits limits;
  limits.messages_bytes = 40'000;
  limits.waiting_bytes = 32'000;
  session_that_allows t{std::move(limits)};
  const std::string words(10'000, 'x');
  int taken = 0;
  caf::error full;
  while (!full && taken < 1'000) {
    auto receipt = t.message(words);
    if (receipt)
      ++taken;
    else
      full = receipt.error();
  }
  CHECK(taken == 4);
  CHECK(time_to_retry(full) > 0);
  std::vector<decltype(t.write("", ""))> asked;
  const std::string long_text = "(str \"" + std::string(12'000, 'x') + "\")";
  for (int i = 0; i < 4; ++i)
    asked.push_back(t.write(long_text, "client " + std::to_string(i)));
  t.sched.run();
  // One is under way, and two of 12,000 bytes wait: a third one would be more than 32,000.
  int told = 0;
  for (auto& a : asked)
    a.receive([](remote_outcome&) {},
              [&](caf::error& e) { told += problem_of(e) == problem::busy ? 1 : 0; });
  CHECK(told == 1);
}

TEST_CASE("sessions that nobody uses are unloaded and come back as they were") {
  managed_sessions m;
  m.end();
  auto board = std::make_shared<snapshot_board>();
  m.begin({}, [&](manager_setup& setup) {
    setup.board = board;
    setup.most_loaded = 3;
  });
  std::vector<std::string> names{"a", "b", "c", "d", "e", "f"};
  for (auto& name : names) {
    auto made = m.create(name);
    REQUIRE(made);
    REQUIRE(m.submit(*made, "(def x \"" + name + "\")"));
    if (name == "b")
      REQUIRE(m.ask<message_receipt>(made->actor, atom::enqueue_v,
                                     incoming_message{"words", client, {}}));
  }
  // None before it has not been asked for for a while.
  for (auto& name : names)
    CHECK(board->find(name));
  m.clock += std::chrono::seconds{10};
  m.advance(std::chrono::seconds{2});
  // Three too many: those used longest ago, but for the one where something waits for the user.
  CHECK_FALSE(board->find("a"));
  CHECK(board->find("b"));
  CHECK_FALSE(board->find("c"));
  CHECK(board->find("f"));  // the active one
  auto loaded = std::count_if(names.begin(), names.end(),
                              [&](auto& name) { return board->find(name) != nullptr; });
  CHECK(loaded <= 4);
  for (auto& name : names) {
    auto again = m.find(name);
    REQUIRE(again);
    CHECK(output_of(m.submit(*again, "x")) == '"' + name + '"');
  }
}

TEST_CASE("a session that a window has left is unloaded like any other") {
  front_end::inbox inbox;
  managed_sessions m;
  m.end();
  auto board = std::make_shared<snapshot_board>();
  m.begin({}, [&](manager_setup& setup) {
    setup.board = board;
    setup.most_loaded = 1;
  });
  for (auto name : {"first", "second"})
    REQUIRE(m.create(name));
  front_end window{m.sys, m.manager, inbox};
  for (auto name : {"first", "second"}) {
    window.change_to(name);
    m.sched.run();
    CHECK(board->find(name));
  }
  m.clock += std::chrono::seconds{10};
  m.advance(std::chrono::seconds{2});
  CHECK_FALSE(board->find("first"));
  CHECK(board->find("second"));  // the window is there
  window.change_to("first");
  m.sched.run();
  CHECK(board->find("first"));
}

TEST_CASE("whoever asks for a session while it is unloaded gets it") {
  managed_sessions m;
  m.end();
  m.begin({}, [](manager_setup& setup) { setup.most_loaded = 1; });
  auto first = m.create("first");
  REQUIRE(first);
  REQUIRE(m.submit(*first, "(def x 1)"));
  REQUIRE(m.create("second"));
  m.clock += std::chrono::seconds{10};
  m.sched.advance_time(std::chrono::seconds{2});
  // The manager has asked it to rest, or is about to.
  std::vector<decltype(m.self->request(m.manager, caf::infinite, atom::find_v, std::string{}))> all;
  for (int step = 0; step < 40; ++step) {
    if (step % 4 == 0)
      all.push_back(m.self->request(m.manager, caf::infinite, atom::find_v, std::string{"first"}));
    m.sched.try_run_once();
  }
  m.sched.run();
  for (auto& asked : all)
    asked.receive([](session_ref& found) { CHECK(found.slug == "first"); },
                  [](caf::error& e) { FAIL(caf::to_string(e)); });
  auto again = m.find("first");
  REQUIRE(again);
  CHECK(output_of(m.submit(*again, "x")) == "1");
}

TEST_CASE("a client that makes sessions in a loop is told when to try again, the user never") {
  managed_sessions m;
  m.end();
  m.begin({}, [](manager_setup& setup) {
    setup.new_sessions.one_client = 3;
    setup.new_sessions.one_client_interval = std::chrono::milliseconds{60'000};
  });
  auto by_client = [&](const std::string& name) {
    return m.ask<session_ref>(m.manager, atom::create_v, atom::client_v, name, std::string{});
  };
  for (int i = 0; i < 3; ++i)
    REQUIRE(by_client("claude"));
  auto told = by_client("claude");
  REQUIRE_FALSE(told);
  CHECK(problem_of(told.error()) == problem::busy);
  CHECK(detail_of(told.error()).retry_after_ms.value_or(0) > 0);
  CHECK(by_client("another"));
  CHECK(m.create("mine"));
}

}  // namespace fermata::actors
