#include "core/session/turn/fair_queue.hpp"
#include "tests/actors/session_fixture.hpp"

#include <catch2/catch.hpp>

#include <vector>

// What Ctrl-C stops, what ends with a client that hangs up, and whom a slow preview delays.

namespace fermata::actors {

namespace {

using flag = std::shared_ptr<std::atomic<bool>>;

/// "(loop)" turns until it is told to stop; everything else is evaluated.
result<evaluation> loops(const evaluation_request& request) {
  if (request.text != "(loop)") return fermata::evaluate(request);
  while (true)
    if (auto why = request.interrupted()) return fail({*why, "stopped"});
}

struct allowed_client : session_under_test {
  allowed_client() {
    setup.evaluate = loops;
    start();
    REQUIRE(submit(":ai allow claude"));
    REQUIRE(submit("(note g4 :w)"));
  }
  /// The session reads one message; no evaluator gets to run.
  void let_it_read(int messages = 1) {
    for (int i = 0; i < messages; ++i) {
      sched.prioritize(session);
      sched.run_once();
    }
  }
  auto ask_for(std::string text, flag cancelled = nullptr, std::string key = {}) {
    remote_evaluation what;
    what.text = std::move(text);
    what.source = client;
    what.cancelled = std::move(cancelled);
    what.idempotency_key = std::move(key);
    return self->request(session, caf::infinite, atom::propose_v, what);
  }
};

bool is_cancelled(const caf::error& e) {
  auto cause = detail_of(e).cause;
  return !cause.diagnostics.empty() && cause.first().code == errc::cancelled;
}
auto expect_cancelled() {
  return std::pair{[](const remote_outcome&) { FAIL("it was done"); },
                   [](caf::error& e) { CHECK(is_cancelled(e)); }};
}
auto expect_done() {
  return std::pair{[](const remote_outcome& o) { CHECK(o.entry); },
                   [](caf::error& e) { FAIL(detail_of(e).message); }};
}

template <class Pending, class Expected>
void receive(Pending& pending, Expected expected) {
  pending.receive(expected.first, expected.second);
}

}  // namespace

TEST_CASE("Ctrl-C while a client delays the user's line stops the client and cancels the line") {
  for (std::string text : {"(note c4 :w)", "(+ 1 1)", ":undo", ":ai off", ":time (note c4 :w)"}) {
    CAPTURE(text);
    allowed_client t;
    auto before = t.snapshot();
    auto theirs = t.ask_for("(loop)");
    auto mine = session_under_test::line(text);
    mine.cancelled = std::make_shared<std::atomic<bool>>(false);
    auto line = t.self->request(t.session, caf::infinite, atom::submit_v, mine);
    t.let_it_read(2);
    mine.cancelled->store(true);
    t.self->send(t.session, atom::cancel_v);
    t.let_it_read();
    t.sched.run();
    receive(theirs, expect_cancelled());
    line.receive(
        [&](const turn& x) {
          REQUIRE(x.entries.size() == 1);
          CHECK(is_failure(*x.entries[0]));
          auto eval = std::get_if<eval_entry>(&x.entries[0]->kind);
          if (eval) CHECK(eval->failure->first().code == errc::cancelled);
        },
        [](caf::error& e) { FAIL(detail_of(e).message); });
    auto after = t.snapshot();
    CHECK(after->revision == before->revision);
    CHECK(after->score == before->score);
    CHECK(after->history.size() == before->history.size() + 2);
    // The next one is evaluated.
    CHECK(t.submit("(note d4 :w)")->after->revision == before->revision + 1);
  }
}

TEST_CASE("a message cancelled with Ctrl-C is not sent") {
  allowed_client t;
  auto theirs = t.ask_for("(loop)");
  auto mine = session_under_test::line("// hello");
  mine.cancelled = std::make_shared<std::atomic<bool>>(false);
  auto line = t.self->request(t.session, caf::infinite, atom::submit_v, mine);
  t.let_it_read(2);
  mine.cancelled->store(true);
  t.self->send(t.session, atom::cancel_v);
  t.let_it_read();
  t.sched.run();
  receive(theirs, expect_cancelled());
  line.receive([](const turn&) { FAIL("it was sent"); },
               [](caf::error& e) { CHECK(problem_of(e) == problem::failed); });
}

TEST_CASE("Ctrl-C stops what holds my line and nothing else that clients wait for") {
  allowed_client t;
  auto first = t.ask_for("(loop)");
  auto second = t.ask_for("(note c4 :w)");
  auto mine = session_under_test::line("(note d4 :w)");
  mine.cancelled = std::make_shared<std::atomic<bool>>(false);
  auto line = t.self->request(t.session, caf::infinite, atom::submit_v, mine);
  t.let_it_read(3);
  mine.cancelled->store(true);
  t.self->send(t.session, atom::cancel_v);
  t.let_it_read();
  t.sched.run();
  receive(first, expect_cancelled());
  receive(second, expect_done());
  line.receive([](const turn& x) { CHECK(is_failure(*x.entries[0])); },
               [](caf::error& e) { FAIL(detail_of(e).message); });
  // With no line waiting it stops nothing.
  auto third = t.ask_for("(note e4 :w)");
  t.self->send(t.session, atom::cancel_v);
  t.sched.run();
  receive(third, expect_done());
}

TEST_CASE("what a client asked for ends when it hangs up, and is done when it comes back") {
  for (bool has_begun : {true, false}) {
    CAPTURE(has_begun);
    allowed_client t;
    auto size = t.snapshot()->history.size();
    auto hung_up = std::make_shared<std::atomic<bool>>(!has_begun);
    auto theirs = t.ask_for("(note c4 :w)", hung_up, "k1");
    t.let_it_read();
    hung_up->store(true);
    auto line = t.self->request(t.session, caf::infinite, atom::submit_v,
                                session_under_test::line("(+ 1 1)"));
    t.sched.run();
    receive(theirs, expect_cancelled());
    line.receive([](const turn& x) { CHECK_FALSE(is_failure(*x.entries.back())); },
                 [](caf::error& e) { FAIL(detail_of(e).message); });
    CHECK(t.snapshot()->revision == 1);
    // What was begun is in the timeline; what was not, is not.
    CHECK(t.snapshot()->history.size() == size + 1 + has_begun);
    auto again = t.ask_for("(note c4 :w)", nullptr, "k1");
    t.sched.run();
    receive(again, expect_done());
    CHECK(t.snapshot()->revision == 2);
  }
}

TEST_CASE("a short evaluation that was interrupted changes nothing either") {
  session_under_test t;
  auto pressed = std::make_shared<std::atomic<bool>>(false);
  // Ctrl-C comes while it runs; it ends before it looks.
  t.setup.evaluate = [pressed](const evaluation_request& r) {
    pressed->store(true);
    return fermata::evaluate(r);
  };
  t.start();
  auto line = session_under_test::line("(note c4 :w)");
  line.cancelled = pressed;
  auto turn = t.ask<fermata::turn>(t.session, atom::submit_v, line);
  REQUIRE(turn);
  CHECK(std::get<eval_entry>(turn->entries[0]->kind).failure->first().code == errc::cancelled);
  CHECK(t.snapshot()->revision == 0);
}

// --- previews of several clients -----------------------------------------------------------------

TEST_CASE("clients who preview what never ends do not delay another's preview or proposal") {
  for (std::string method : {"preview", "propose"}) {
    CAPTURE(method);
    session_under_test t;
    t.setup.evaluate = loops;
    t.setup.limits.preview_slices = {std::chrono::milliseconds{1}, std::chrono::milliseconds{2}};
    t.setup.limits.remote_wall_time = std::chrono::milliseconds{5};
    t.start();
    std::vector<std::string> answered;
    auto ask_all = [&](caf::event_based_actor* self, const std::string& by) {
      auto ask = [&, self](std::string caller, std::string text) {
        remote_evaluation what;
        what.text = std::move(text);
        what.source = client;
        what.caller = caller;
        auto done = [&, caller](const remote_outcome&) { answered.push_back(caller); };
        auto failed = [&, caller](caf::error& e) {
          CHECK(detail_of(e).cause.first().code == errc::budget_exceeded);
          answered.push_back(caller);
        };
        if (by == "preview")
          self->request(t.session, caf::infinite, atom::preview_v, what).then(done, failed);
        else
          self->request(t.session, caf::infinite, atom::propose_v, what).then(done, failed);
      };
      for (int i = 0; i < 3; ++i)
        for (int again = 0; again < 2; ++again)
          ask("slow", "(loop)"), ask(std::to_string(i), "(loop)");
      ask("quick", "(note c4 :w)");
    };
    t.sys.spawn(ask_all, method);
    t.sched.run();
    REQUIRE(answered.size() == 13);
    // It waits for the first, short time of one of them, and for nobody's end.
    CHECK(answered.front() == "quick");
  }
}

TEST_CASE("a client's proposals are numbered in the order in which it made them") {
  session_under_test t;
  t.setup.evaluate = [](const evaluation_request& r) {
    // The first one needs more than its first time.
    if (r.text == "(note c4 :w)")
      for (int i = 0; i < 100'000'000 && !r.interrupted(); ++i) {
      }
    return loops(r);
  };
  t.setup.limits.preview_slices = {std::chrono::milliseconds{0}, std::chrono::milliseconds{0}};
  t.setup.limits.remote_wall_time = std::chrono::milliseconds{1};
  t.start();
  std::vector<std::int64_t> numbers;
  auto ask_both = [&](caf::event_based_actor* self, int) {
    for (auto text : {"(note c4 :w)", "(note d4 :w)"}) {
      remote_evaluation what;
      what.text = text;
      what.source = client;
      self->request(t.session, caf::infinite, atom::propose_v, what)
          .then([&](const remote_outcome& o) { numbers.push_back(*o.proposal); },
                [](caf::error& e) { FAIL(detail_of(e).message); });
    }
  };
  t.sys.spawn(ask_both, 0);
  t.sched.run();
  REQUIRE(numbers == std::vector<std::int64_t>{1, 2});
  CHECK(t.snapshot()->proposals[0].text == "(note c4 :w)");
}

TEST_CASE("one client that asks too much is told so, the others are not") {
  session_under_test t;
  t.setup.limits.previews_waiting = 3;
  t.start();
  int busy = 0, done = 0;
  auto ask_all = [&](caf::event_based_actor* self, int) {
    for (auto& [caller, times] : {std::pair{"a", 10}, std::pair{"b", 1}})
      for (int i = 0; i < times; ++i) {
        remote_evaluation what;
        what.text = "(+ 1 1)";
        what.source = client;
        what.caller = caller;
        self->request(t.session, caf::infinite, atom::preview_v, what)
            .then([&](const remote_outcome&) { ++done; },
                  [&](caf::error& e) {
                    CHECK(problem_of(e) == problem::busy);
                    ++busy;
                  });
      }
  };
  t.sys.spawn(ask_all, 0);
  t.sched.run();
  // One is under way and three wait; and the one of the other.
  CHECK(done == 5);
  CHECK(busy == 6);
}

namespace {
struct queued_job {
  std::string caller;
  int what = 0;
  std::size_t level = 0;
};
}  // namespace

TEST_CASE("who was served last comes last, and one at a time") {
  fair_queue<queued_job> q{2};
  for (int i = 1; i <= 3; ++i)
    q.push({"a", i});
  q.push({"b", 4});
  CHECK(q.size() == 4);
  CHECK(q.take(0)->what == 1);
  CHECK(q.take(0)->what == 4);
  CHECK_FALSE(q.take(0));
  q.done("a");
  CHECK(q.take(0)->what == 2);
  q.done("b");
  q.push({"b", 5});
  CHECK(q.take(1)->what == 5);
  q.done("a");
  CHECK(q.size_of("a") == 1);
  CHECK(q.take_all().size() == 1);
  CHECK(q.size() == 0);
}

TEST_CASE("what needs more time than others waits for a lane of its own") {
  fair_queue<queued_job> q{2};
  q.push({"a", 1});
  q.push({"a", 2});
  auto slow = *q.take(0);
  REQUIRE(q.can_demote(slow));
  q.demote(slow);
  // Not overtaken by what its caller asked for later, and not in the lane of quick things.
  CHECK_FALSE(q.take(0));
  q.push({"b", 3});
  CHECK(q.take(0)->what == 3);
  auto again = *q.take(1);
  CHECK(again.what == 1);
  CHECK_FALSE(q.can_demote(again));
  q.done("a");
  CHECK(q.take(0)->what == 2);
}

TEST_CASE("Ctrl-C is answered before the worker has let go of what it made") {
  session_under_test t;
  auto runs = 0;
  t.setup.evaluate = [&](const evaluation_request& request) {
    ++runs;
    return fermata::evaluate(request);
  };
  t.start();
  auto read_one = [&] {
    t.sched.prioritize(t.session);
    t.sched.run_once();
  };
  auto mine = session_under_test::line("(note c4 :w)");
  mine.cancelled = std::make_shared<std::atomic<bool>>(false);
  auto line = t.self->request(t.session, caf::infinite, atom::submit_v, mine);
  read_one();  // the worker has the job, and no time yet
  mine.cancelled->store(true);
  t.self->send(t.session, atom::cancel_v);
  read_one();
  line.receive(
      [&](const turn& x) {
        auto& entry = std::get<eval_entry>(x.entries.back()->kind);
        REQUIRE(entry.failure);
        CHECK(entry.failure->first().code == errc::cancelled);
      },
      [](caf::error& e) { FAIL(detail_of(e).message); });
  t.sched.run();
  CHECK(runs == 0);
  CHECK(t.snapshot()->score->parts.empty());
  // The next line has a worker of its own.
  auto next = t.submit("(+ 1 1)");
  REQUIRE(next);
  CHECK(std::get<eval_entry>(next->entries.back()->kind).output_text == "2");
  CHECK(runs == 1);
}

TEST_CASE("a line that needs more memory than all evaluations may take changes nothing") {
  session_under_test t;
  t.setup.limits.memory = std::make_shared<memory_pool>(std::uint64_t{32} << 20);
  t.start();
  REQUIRE(t.submit("(note g4 :w)"));
  auto before = t.snapshot();
  for (std::string text : {"(repeat-times 9000000 (note c4 :64))",
                           "(apply seq (map (fn [i] (note c4 :64)) (range 0 500000)))"}) {
    auto done = t.submit(text);
    REQUIRE(done);
    auto& entry = std::get<eval_entry>(done->entries.back()->kind);
    REQUIRE(entry.failure);
    CHECK(entry.failure->first().code == errc::budget_exceeded);
    CHECK(entry.failure->first().message.find("32 MiB") != std::string::npos);
    CHECK(t.snapshot()->score == before->score);
    CHECK(t.setup.limits.memory->in_use() == 0);
  }
  REQUIRE(t.submit("(note a4 :w)"));
  CHECK(t.snapshot()->score != before->score);
}

}  // namespace fermata::actors
