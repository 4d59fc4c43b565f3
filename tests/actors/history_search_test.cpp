#include "core/session/timeline/entry_text.hpp"
#include "tests/actors/session_fixture.hpp"
#include "tests/actors/slow_disk.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <memory>
#include <thread>

// Searches in what lies on disk, and what happens meanwhile.

namespace fermata::actors {

namespace {

struct long_session : session_under_test {
  std::shared_ptr<old_entries> disk = std::make_shared<old_entries>();

  long_session() {
    auto state = *setup.state;
    state.history = history::on_disk(20'000, disk);
    setup.state = std::make_shared<const session_state>(std::move(state));
    setup.loader = disk;
    start();
  }
  /// Does everything that is to be done; how often the session itself asked the disk meanwhile.
  std::int64_t asked_by_the_session() {
    std::int64_t asked = 0;
    auto& its_own = *caf::actor_cast<caf::abstract_actor*>(session);
    while (sched.has_job()) {
      auto& next = sched.next_job<caf::scheduled_actor>();
      auto is_session = static_cast<caf::abstract_actor*>(&next) == &its_own;
      auto before = disk->asked();
      sched.run_once();
      if (is_session) asked += disk->asked() - before;
    }
    return asked;
  }
  auto enter(submission what) {
    return self->request(session, caf::infinite, atom::submit_v, std::move(what));
  }
  template <class Pending>
  caf::expected<turn> turn_of(Pending& pending) {
    caf::expected<turn> out{caf::sec::unexpected_response};
    pending.receive([&](turn& t) { out = std::move(t); },
                    [&](caf::error& e) { out = std::move(e); });
    return out;
  }
};

std::int64_t index_of(const caf::expected<turn>& t) {
  REQUIRE(t);
  return t->entries.back()->index;
}

}  // namespace

TEST_CASE("what is entered during a search is answered first and stands before it") {
  long_session t;
  for (auto line : {":history --grep 777", ":hist 1: --grep nowhere --limit 5", ":diff 5 9"}) {
    auto size = t.snapshot()->history.size();
    auto searching = t.enter(t.line(line));
    auto sum = t.enter(t.line("(+ 1 2)"));
    t.sched.run();
    CHECK(index_of(t.turn_of(sum)) == size + 1);
    auto found = t.turn_of(searching);
    CHECK(index_of(found) == size + 2);
    CHECK(command_of(found).text == line);
  }
  auto found = t.submit(":history 7770:7779 --grep 7777");
  CHECK(command_of(found).output == "(1 entry of the timeline)");
  REQUIRE(found->listing);
  CHECK(found->listing->indices == std::vector<std::int64_t>{7'777});
  CHECK(to_text(*found->listing->at(0)) == "[7777] [you]: words 7777");
}

TEST_CASE("what goes back to an earlier state keeps its place in the line") {
  long_session t;
  auto branch = t.enter(t.line(":branch early from 3"));
  auto sum = t.enter(t.line("(+ 1 2)"));
  t.sched.run();
  CHECK(index_of(t.turn_of(branch)) == 20'001);
  CHECK(index_of(t.turn_of(sum)) == 20'002);
  CHECK(t.snapshot()->branches.size() == 2);
}

TEST_CASE("no command makes a session wait for the disk itself") {
  long_session t;
  for (auto& row : command_table()) {
    auto name = ':' + std::string{row.name};
    for (auto& line :
         {std::string{row.example}, name, name + " 5", name + " 5 9", name + " early from 3"}) {
      INFO(line);
      auto entered = t.enter(t.line(line));
      CHECK(t.asked_by_the_session() == 0);
      CHECK(t.turn_of(entered));
    }
  }
  CHECK(t.disk->asked() > 0);
}

TEST_CASE("a client that repeats a request whose entry has gone to the disk holds up nobody") {
  long_session t;
  auto disk = t.disk;
  eval_entry done, failed;
  done.text = "(note c4 :q)";
  failed.text = "(nonsense)";
  failed.failure = error{errc::unknown_form, "there is no form `nonsense`"};
  disk->put(7, done);
  disk->put(8, failed);
  auto state = *t.snapshot();
  state.answers = persistent_list{std::vector<kept_answer>{
      {"claude", "done", std::nullopt, 7, "(note c4 :q)", "1 note", 3, true},
      {"claude", "failed", std::nullopt, 8, "", "", 3, false},
      {"claude", "lost", std::nullopt, 9, "5", "", 3, false}}};
  t.self->send_exit(t.session, caf::exit_reason::user_shutdown);
  t.sched.run();
  t.setup.state = std::make_shared<const session_state>(std::move(state));
  t.start();
  auto again = [&](std::string key) {
    remote_evaluation what;
    what.text = "(note c4 :q)";
    what.source = client;
    what.idempotency_key = std::move(key);
    return t.self->request(t.session, caf::infinite, atom::propose_v, what);
  };
  auto answer_of = [](auto& pending) {
    caf::expected<remote_outcome> out{caf::sec::unexpected_response};
    pending.receive([&](remote_outcome& o) { out = std::move(o); },
                    [&](caf::error& e) { out = std::move(e); });
    return out;
  };
  auto entries = t.setup.state->history.size();
  auto first = again("done"), twice = again("done"), wrong = again("failed"), lost = again("lost");
  CHECK(t.asked_by_the_session() == 0);
  for (auto pending : {&first, &twice}) {
    auto answer = answer_of(*pending);
    REQUIRE(answer);
    CHECK(answer->entry->index == 7);
    CHECK(answer->output_text == "(note c4 :q)");
    CHECK(answer->delta_summary == "1 note");
    CHECK(answer->revision == 3);
    CHECK(answer->changed);
  }
  CHECK(t.disk->asked() == 3);  // both who asked for the same got it from one look
  auto failure = answer_of(wrong);
  REQUIRE_FALSE(failure);
  CHECK(problem_of(failure.error()) == problem::eval_error);
  // Where no evaluation is found nobody knows whether it went well; it is not done again.
  auto unknown = answer_of(lost);
  REQUIRE_FALSE(unknown);
  CHECK(problem_of(unknown.error()) == problem::failed);
  CHECK(detail_of(unknown.error()).message.find("entry 9") != std::string::npos);
  CHECK(t.snapshot()->history.size() == entries);
  CHECK(t.snapshot()->proposals.empty());

  // Whoever waits for the disk when the session ends is answered, too.
  t.self->send_exit(t.session, caf::exit_reason::user_shutdown);
  t.sched.run();
  t.start();
  auto waiting = again("done");
  t.sched.run_once();
  auto stopped = t.self->request(t.session, caf::infinite, atom::stop_v);
  t.sched.run();
  stopped.receive([] {}, [](caf::error& e) { FAIL(caf::to_string(e)); });
  auto closed = answer_of(waiting);
  REQUIRE_FALSE(closed);
  CHECK(problem_of(closed.error()) == problem::invalid_state);
}

TEST_CASE("messages that waited come with the line that looks back") {
  long_session t;
  REQUIRE(t.message("shall we?"));
  auto found = t.submit(":history --grep nowhere");
  REQUIRE(found);
  REQUIRE(found->entries.size() == 2);
  CHECK(std::holds_alternative<ai_message_entry>(found->entries[0]->kind));
  CHECK(command_of(found).output == "no matching entries");
}

TEST_CASE("a search that is interrupted looks at nothing any more") {
  long_session t;
  for (auto line : {":history --grep 7", ":branch early from 3"}) {
    auto before = t.disk->asked();
    auto what = t.line(line);
    what.cancelled = std::make_shared<std::atomic<bool>>(true);
    auto searching = t.enter(what);
    t.sched.run();
    auto found = t.turn_of(searching);
    CHECK_FALSE(command_of(found).ok);
    CHECK(command_of(found).output.find("interrupted") != std::string::npos);
    CHECK(t.disk->asked() == before);
  }
  CHECK(t.snapshot()->branches.empty());
  CHECK(t.submit("(+ 1 2)"));
}

TEST_CASE("a list of the whole timeline is not held by anybody") {
  long_session t;
  for (auto line : {":history 1:", ":history 1: --json"}) {
    auto before = t.disk->asked();
    auto all = t.submit(line);
    REQUIRE(all);
    CHECK(t.disk->asked() == before);
    REQUIRE(all->listing);
    CHECK(all->listing->size() == static_cast<std::size_t>(all->entries.back()->index - 1));
    CHECK(command_of(all).output.size() < 80);
  }
}

TEST_CASE("a session that ends answers those who search, and nobody reads on for them") {
  long_session t;
  auto searching = t.enter(t.line(":history --grep 7"));
  auto stopped = t.self->request(t.session, caf::infinite, atom::stop_v);
  t.sched.run();
  stopped.receive([] {}, [](caf::error& e) { FAIL(caf::to_string(e)); });
  auto found = t.turn_of(searching);
  REQUIRE_FALSE(found);
  CHECK(problem_of(found.error()) == problem::invalid_state);
  CHECK(t.disk->asked() == 0);
}

TEST_CASE("more searches than may wait are refused") {
  session_limits limits;
  limits.turns_waiting = 3;
  long_session t;
  t.self->send_exit(t.session, caf::exit_reason::user_shutdown);
  t.setup.limits = limits;
  t.start();
  std::vector<decltype(t.enter(t.line("")))> all;
  for (int i = 0; i < 5; ++i)
    all.push_back(t.enter(t.line(":history --grep nowhere")));
  t.sched.run();
  auto refused = 0;
  for (auto& pending : all)
    if (auto answer = t.turn_of(pending); !answer) {
      CHECK(problem_of(answer.error()) == problem::busy);
      ++refused;
    }
  CHECK(refused == 2);
}

}  // namespace fermata::actors
