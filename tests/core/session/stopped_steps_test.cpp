#include "core/memory_meter.hpp"
#include "core/score/model/content_hash.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/timeline/decide.hpp"
#include "tests/core/session/session_values.hpp"

#include <catch2/catch.hpp>

#include <string>

// Each long step of a turn stops at the first question that is answered with yes, whichever that
// is, and leaves what it was given as it was.

namespace fermata::stopped_steps_test {

namespace {

/// Stops `work` at its first question, then at its second, and so on until it is done; returns how
/// often it was stopped. `check` is called each time.
template <class Work, class Check>
std::size_t stopped_everywhere(Work work, Check check) {
  constexpr std::size_t between_questions = 4 << 10;
  for (std::size_t n = 0;; ++n) {
    std::size_t asked = 0;
    auto stopped = false;
    {
      memory_meter meter{
          std::make_shared<memory_pool>(),
          [&] { return asked++ == n ? std::optional{errc::cancelled} : std::nullopt; },
          between_questions};
      try {
        memory_meter::stoppable from_here;
        work();
      } catch (const evaluation_stopped& stop) {
        stopped = error_of(stop).first().code == errc::cancelled;
      }
    }
    if (!stopped) return n;
    check();
  }
}

struct long_session : session_by_hand {
  long_session() {
    REQUIRE(run(music));
    type(music);
  }
  std::string music = "(add (apply seq (repeat-times 3000 (note c4 :q))))";
};

}  // namespace

TEST_CASE("a commit that is stopped anywhere changes nothing") {
  session_by_hand s;
  s.type("(note g4 :w)");
  auto before = s.state.score;
  auto hash = content_hash(*before);
  evaluation_request request;
  request.text = "(add (apply seq (repeat-times 600 (note c4 :q))))";
  request.env = s.state.env;
  request.score = before;
  auto stops = 0;
  for (std::size_t n = 0;; ++n) {
    std::size_t asked = 0;
    memory_meter meter{std::make_shared<memory_pool>(), [&] {
                         return asked++ == n ? std::optional{errc::cancelled} : std::nullopt;
                       }};
    auto done = evaluate(request);
    if (done) break;
    ++stops;
    CHECK(done.error().first().code == errc::cancelled);
    CHECK(content_hash(*before) == hash);
  }
  CHECK(stops > 3);
}

TEST_CASE("`:undo` and `:redo` of many measures stop anywhere and change nothing") {
  long_session s;
  auto check_command = [&](const char* name) {
    auto before = s.state;
    auto hash = content_hash(*before.score);
    auto done = false;
    auto stops = stopped_everywhere(
        [&] { done = run_command(std::string{name}, s.state, entry_source{}, timestamp{}).ok; },
        [&] {
          CHECK(s.state.score == before.score);
          CHECK(s.state.undo.size() == before.undo.size());
          CHECK(content_hash(*s.state.score) == hash);
        });
    CHECK(stops > 0);
    CHECK(done);
  };
  check_command("undo");
  auto change = undo_change(s.state, 1);
  REQUIRE(change);
  command_entry entry;
  entry.delta = change->delta;
  entry.env_change = change->env_change;
  entry.revision_before = s.state.revision;
  entry.revision_after = s.state.revision + 1;
  auto t = committed(s.state, entry, {}, {});
  t.events.insert(t.events.end(), change->steps.begin(), change->steps.end());
  s.happen(t);
  REQUIRE(s.state.score->parts.empty());
  check_command("redo");
}

}  // namespace fermata::stopped_steps_test
