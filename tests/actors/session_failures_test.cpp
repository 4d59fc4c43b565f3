#include "tests/actors/session_fixture.hpp"

#include <catch2/catch.hpp>

// What goes wrong: evaluators that die or dawdle, a disk that is full, the end of everything.

namespace fermata::actors {

namespace {

const eval_entry& eval_of(const turn& t) { return std::get<eval_entry>(t.entries.back()->kind); }

bool has_system_entry(const history& h, std::string_view name) {
  for (std::int64_t i = 1; i <= h.size(); ++i)
    if (auto e = std::get_if<system_entry>(&h.at(i)->kind); e && e->event == name) return true;
  return false;
}

/// Turns until it is told to stop, and says why it stopped.
result<evaluation> dawdle(const evaluation_request& request) {
  while (true)
    if (auto why = request.interrupted()) return fail({*why, "stopped"});
}

/// A store whose disk is full while `full` is set; it counts what it wrote.
struct full_disk {
  bool full = false;
  int written = 0;
};
store_actor::behavior_type store_on(store_actor::pointer, std::shared_ptr<full_disk> disk) {
  return {
      [](atom::load) -> caf::result<loaded_session> { return loaded_session{}; },
      [disk](atom::append, const journal_batch&) -> caf::result<void> {
        if (disk->full) return make_problem(problem::failed, "No space left on device");
        ++disk->written;
        return caf::unit;
      },
      [](atom::checkpoint, const session_snapshot&) -> caf::result<void> { return caf::unit; },
      [](atom::checkpoint, atom::restore, const session_snapshot&) -> caf::result<void> {
        return caf::unit;
      },
      [](atom::checkpoint, atom::when_due, const session_snapshot&) -> caf::result<void> {
        return caf::unit;
      },
      [](atom::flush) -> caf::result<void> { return caf::unit; },
      [](atom::reload) -> caf::result<io::offered_score> {
        return make_problem(problem::failed, "nobody has changed it");
      },
      [](atom::taken, const io::offered_score&) {},
      [](atom::follow) {},
      [](atom::sync) {},
  };
}

}  // namespace

TEST_CASE("an evaluator that dies once costs nothing but a note") {
  session_under_test t;
  auto deaths = std::make_shared<int>(0);
  t.setup.evaluate = [deaths](const evaluation_request& r) {
    if (r.text == "(+ 1 2)" && (*deaths)++ == 0)
      throw 42;  // not a std::exception: it ends the worker
    return fermata::evaluate(r);
  };
  t.start();
  auto pending = t.self->request(t.session, caf::infinite, atom::submit_v,
                                 session_under_test::line("(+ 1 2)"));
  t.sched.run();
  t.advance(std::chrono::seconds{1});
  pending.receive([](const turn& x) { CHECK(eval_of(x).output_text == "3"); },
                  [](caf::error& e) { FAIL(caf::to_string(e)); });
  CHECK(eval_of(*t.submit("(+ 2 2)")).output_text == "4");
  CHECK(has_system_entry(t.snapshot()->history, "evaluator-restarted"));
}

TEST_CASE("an expression that kills every evaluator fails, and those behind it do not") {
  session_under_test t;
  t.setup.evaluate = [](const evaluation_request& r) {
    if (r.text == "(deadly)") throw 42;
    return fermata::evaluate(r);
  };
  t.start();
  auto deadly = t.self->request(t.session, caf::infinite, atom::submit_v,
                                session_under_test::line("(deadly)"));
  auto harmless = t.self->request(t.session, caf::infinite, atom::submit_v,
                                  session_under_test::line("(+ 1 2)"));
  t.sched.run();
  for (int i = 0; i < 5; ++i)
    t.advance(std::chrono::seconds{1});
  deadly.receive(
      [](const turn& x) {
        REQUIRE(eval_of(x).failure);
        CHECK(eval_of(x).failure->first().code == errc::internal);
      },
      [](caf::error& e) { FAIL(caf::to_string(e)); });
  harmless.receive([](const turn& x) { CHECK(eval_of(x).output_text == "3"); },
                   [](caf::error& e) { FAIL(caf::to_string(e)); });
}

TEST_CASE("a library that throws is an error of the line, not the end of the evaluator") {
  session_under_test t;
  t.setup.evaluate = [](const evaluation_request& r) -> result<evaluation> {
    if (r.text == "(throw)") throw std::runtime_error("out of ideas");
    return fermata::evaluate(r);
  };
  t.start();
  auto turn = t.submit("(throw)");
  REQUIRE(turn);
  REQUIRE(eval_of(*turn).failure);
  CHECK(eval_of(*turn).failure->first().message.find("out of ideas") != std::string::npos);
  CHECK_FALSE(has_system_entry(t.snapshot()->history, "evaluator-restarted"));
}

TEST_CASE("Ctrl-C stops an evaluation, which is an entry and changes nothing") {
  session_under_test t;
  t.setup.evaluate = dawdle;
  t.start();
  auto line = session_under_test::line("(loop)");
  line.cancelled = std::make_shared<std::atomic<bool>>(true);
  auto turn = t.ask<fermata::turn>(t.session, atom::submit_v, line);
  REQUIRE(turn);
  REQUIRE(eval_of(*turn).failure);
  CHECK(eval_of(*turn).failure->first().code == errc::cancelled);
}

TEST_CASE("an evaluation that takes too long is stopped by the clock") {
  session_under_test t;
  t.setup.evaluate = dawdle;
  t.setup.limits.wall_time = std::chrono::milliseconds{1};
  t.start();
  auto turn = t.submit("(loop)");
  REQUIRE(turn);
  CHECK(eval_of(*turn).failure->first().code == errc::budget_exceeded);
}

TEST_CASE("on a full disk a line is refused and nothing has happened") {
  session_under_test t;
  auto disk = std::make_shared<full_disk>();
  t.setup.store = t.sys.spawn(store_on, disk);
  t.start();
  REQUIRE(t.submit("(def x 1)"));
  disk->full = true;
  for (auto line : {"(def x 2)", ":undo", "// words", ":set display summary"}) {
    INFO(line);
    auto refused = t.submit(line);
    REQUIRE_FALSE(refused);
    CHECK(problem_of(refused.error()) == problem::failed);
  }
  CHECK_FALSE(t.message("hello"));
  CHECK(t.snapshot()->history.size() == 1);
  CHECK(t.snapshot()->queue.empty());
  disk->full = false;
  auto turn = t.submit("x");
  REQUIRE(turn);
  CHECK(eval_of(*turn).output_text == "1");
  CHECK(turn->entries[0]->index == 2);
  CHECK(disk->written == 2);
  t.self->send_exit(t.setup.store, caf::exit_reason::user_shutdown);
  t.setup.store = nullptr;
}

TEST_CASE("on a full disk what there is can be seen, and nothing is said to be kept") {
  session_under_test t;
  auto disk = std::make_shared<full_disk>();
  t.setup.store = t.sys.spawn(store_on, disk);
  t.start();
  REQUIRE(t.submit("(part :piano (measure (note c4 :w)))"));
  REQUIRE(t.submit(":history"));
  disk->full = true;
  struct row {
    std::string line, shows;
  };
  for (auto& r : {row{":score", "c4"}, row{":score --summary", "1 part"}, row{":help undo", "undo"},
                  row{":history", "(2 entries of the timeline)"}, row{":blame 1", "c4"},
                  row{":set display", "display"}, row{":redo", "nothing to redo"},
                  row{":histroy", ":history"}, row{":session info", "test"}, row{":ai", ""},
                  row{":reload", "nobody has changed it"}}) {
    INFO(r.line);
    auto seen = t.submit(r.line);
    REQUIRE(seen);
    REQUIRE(seen->entries.size() == 2);
    auto& command = std::get<command_entry>(seen->entries[0]->kind);
    CHECK(command.output.find(r.shows) != std::string::npos);
    auto& remark = std::get<system_entry>(seen->entries[1]->kind);
    CHECK(remark.event == "not-written");
    CHECK(remark.text.find("No space left on device") != std::string::npos);
    // They are in no timeline, so they have no number.
    CHECK(seen->entries[0]->index == 0);
    CHECK(seen->entries[1]->index == 0);
    CHECK(seen->after->history.size() == 2);
    if (r.line == ":history") {
      REQUIRE(seen->listing);
      CHECK(seen->listing->size() == 2);
    }
  }
  for (auto line : {":undo", ":set display summary", ":session tag draft", ":ai off", ":branch b",
                    ":time (+ 1 2)", "// words", "(+ 1 2)"}) {
    INFO(line);
    auto refused = t.submit(line);
    REQUIRE_FALSE(refused);
    CHECK(problem_of(refused.error()) == problem::failed);
  }
  CHECK(t.snapshot()->history.size() == 2);
  disk->full = false;
  auto again = t.submit(":score");
  REQUIRE(again);
  CHECK(again->entries.size() == 1);
  CHECK(again->entries[0]->index == 3);
  t.self->send_exit(t.setup.store, caf::exit_reason::user_shutdown);
  t.setup.store = nullptr;
}

TEST_CASE("a session that nothing can be written of has all of it for whoever saves it elsewhere") {
  session_under_test t;
  t.setup.not_saved_reason = "the disk is read-only";
  t.start();
  REQUIRE(t.submit("(def x 1)"));
  REQUIRE(t.submit(":session tag draft"));
  REQUIRE(t.submit("(note c4 :q)"));
  auto rest = t.ask<unwritten_transitions>(t.session, atom::unwritten_v);
  REQUIRE(rest);
  auto state = empty_session(t.setup.state->meta);
  for (auto& what : rest->all) {
    auto next = apply(state, what);
    REQUIRE(next);
    state = *next;
  }
  CHECK(*state.score == *t.snapshot()->score);
  CHECK(state.history.size() == 3);
  CHECK(state.meta.tags == std::vector<std::string>{"draft"});
}

TEST_CASE("at the end everybody who waits is answered") {
  for (bool killed : {false, true}) {
    session_under_test t;
    t.setup.evaluate = dawdle;
    t.setup.limits.wall_time = std::chrono::milliseconds{1};
    t.start();
    auto first = t.self->request(t.session, caf::infinite, atom::submit_v,
                                 session_under_test::line("(one)"));
    auto second = t.self->request(t.session, caf::infinite, atom::submit_v,
                                  session_under_test::line("(two)"));
    remote_evaluation what;
    what.text = "(three)";
    what.source = client;
    auto third = t.self->request(t.session, caf::infinite, atom::preview_v, what);
    // The session takes all three in; the evaluators do not get to run.
    for (int i = 0; i < 3; ++i) {
      t.sched.prioritize(t.session);
      t.sched.run_once();
    }
    if (killed)
      t.self->send_exit(t.session, caf::exit_reason::kill);
    else
      t.self->send(t.session, atom::stop_v);
    t.sched.prioritize(t.session);
    t.sched.run_once();
    t.sched.run();
    int answered = 0;
    auto count = [&](caf::error& e) {
      CHECK((problem_of(e) == problem::invalid_state || problem_of(e) == problem::unavailable));
      ++answered;
    };
    first.receive([&](const turn&) { ++answered; }, count);
    second.receive([&](const turn&) { ++answered; }, count);
    third.receive([&](const remote_outcome&) { ++answered; }, count);
    CHECK(answered == 3);
    // Afterwards there is nobody.
    auto late = t.submit("(+ 1 1)");
    REQUIRE_FALSE(late);
    CHECK(problem_of(late.error()) == problem::unavailable);
  }
}

TEST_CASE("too many lines at once are refused, not piled up") {
  session_under_test t;
  t.setup.limits.turns_waiting = 3;
  t.start();
  std::vector<caf::error> refused;
  int done = 0;
  auto ask_often = [&](caf::event_based_actor* self, int times) {
    for (int i = 0; i < times; ++i)
      self->request(t.session, caf::infinite, atom::submit_v, session_under_test::line("(+ 1 1)"))
          .then([&](const turn&) { ++done; }, [&](caf::error& e) { refused.push_back(e); });
  };
  t.sys.spawn(ask_often, 10);
  t.sched.run();
  // One runs and three wait.
  CHECK(done == 4);
  REQUIRE(refused.size() == 6);
  CHECK(problem_of(refused[0]) == problem::busy);
}

}  // namespace fermata::actors
