#include "actors/work/interruptible.hpp"
#include "core/session/timeline/decide.hpp"
#include "io/json/journal_json.hpp"
#include "tests/actors/managed_sessions.hpp"

#include <catch2/catch.hpp>

#include <string>

// Ctrl-C between the evaluation of a large change and its writing.

namespace fermata::actors::interrupted_commit_test {

namespace {

using flag = std::shared_ptr<std::atomic<bool>>;

const std::string large = "(add (apply seq (repeat-times 20000 (note c4 :8))))";

struct large_commits : managed_sessions {
  session_ref piece;
  bool evaluated = false;

  large_commits() {
    end();
    begin({}, [this](manager_setup& setup) {
      setup.evaluate = [this](const evaluation_request& request) {
        evaluated = true;
        return fermata::evaluate(request);
      };
    });
    piece = *create("piece");
    REQUIRE(submit(piece, "(note g4 :w)"));
  }
  std::uintmax_t journal_size() {
    return std::filesystem::file_size(home.path() / "sessions" / "piece" / "history.jsonl");
  }
  /// Ctrl-C comes after so many further messages to anybody, when the evaluation is done.
  caf::expected<turn> interrupted(const std::string& text, int steps) {
    auto what = session_under_test::line(text);
    what.cancelled = std::make_shared<std::atomic<bool>>(false);
    evaluated = false;
    auto pending = self->request(piece.actor, caf::infinite, atom::submit_v, what);
    while (!evaluated && sched.has_job())
      sched.run_once();
    for (int i = 0; i < steps && sched.has_job(); ++i)
      sched.run_once();
    what.cancelled->store(true);
    self->send(piece.actor, atom::cancel_v);
    sched.run();
    caf::expected<turn> answer{caf::sec::unexpected_response};
    pending.receive([&](turn& t) { answer = std::move(t); },
                    [&](caf::error& e) { answer = std::move(e); });
    return answer;
  }
};

bool was_interrupted(const turn& t) {
  auto eval = std::get_if<eval_entry>(&t.entries.back()->kind);
  return eval && eval->failure && eval->failure->first().code == errc::cancelled;
}

}  // namespace

TEST_CASE("at whatever moment Ctrl-C comes, a large commit is done or has changed nothing") {
  auto interrupted = 0, done = 0;
  for (int steps = 0; steps < 12; ++steps) {
    CAPTURE(steps);
    large_commits t;
    auto before = t.snapshot(t.piece);
    auto size = t.journal_size();
    auto answer = t.interrupted(large, steps);
    REQUIRE(answer);
    auto after = t.snapshot(t.piece);
    CHECK(after->history.size() == before->history.size() + 1);
    if (was_interrupted(*answer)) {
      ++interrupted;
      CHECK(after->score == before->score);
      CHECK(after->revision == before->revision);
      CHECK(after->undo.size() == before->undo.size());
      CHECK(t.journal_size() < size + 2'000);
    } else {
      ++done;
      CHECK(after->revision == before->revision + 1);
    }
    // The session goes on, and what it says is what is on disk.
    CHECK(output_of(t.submit(t.piece, "(+ 1 1)")) == "2");
    auto now = t.snapshot(t.piece);
    t.end();
    t.begin();
    auto again = t.find("piece");
    REQUIRE(again);
    CHECK(*t.snapshot(*again)->score == *now->score);
    CHECK(t.snapshot(*again)->revision == now->revision);
  }
  // Before the session reads the outcome, and while the lines are made.
  CHECK(interrupted == 2);
  CHECK(done > 0);
}

TEST_CASE("the end of the session writes a large commit whose lines are being made") {
  large_commits t;
  auto pending = t.self->request(t.piece.actor, caf::infinite, atom::submit_v,
                                 session_under_test::line(large));
  t.evaluated = false;
  while (!t.evaluated)
    t.sched.run_once();
  // The session reads the outcome.
  t.sched.prioritize(t.piece.actor);
  t.sched.run_once();
  t.end();
  auto answered = false;
  pending.receive([&](const turn& x) { answered = x.after->revision == 2; },
                  [](caf::error& e) { FAIL(detail_of(e).message); });
  CHECK(answered);
  t.begin();
  auto again = t.find("piece");
  REQUIRE(again);
  CHECK(t.snapshot(*again)->revision == 2);
}

TEST_CASE("the lines of a transition are given up at the first question after the flag is set") {
  session_meta meta;
  meta.slug = meta.name = "test";
  auto s = empty_session(meta);
  evaluation_request request;
  request.text = large;
  request.env = s.env;
  request.score = s.score;
  auto outcome = evaluate(request);
  REQUIRE(outcome);
  auto made = evaluated(s, {large, {}, {}, {}}, outcome, {});
  auto whole = io::transition_line(made);
  auto set = std::make_shared<std::atomic<bool>>(true);
  auto stopped = interruptibly(set, [&] { return io::transition_line(made); });
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().first().code == errc::cancelled);
  set->store(false);
  auto again = interruptibly(set, [&] { return io::transition_line(made); });
  REQUIRE(again);
  CHECK(*again == whole);
}

}  // namespace fermata::actors::interrupted_commit_test
