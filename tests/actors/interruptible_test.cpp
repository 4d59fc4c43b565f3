#include "actors/work/interruptible.hpp"

#include "tests/actors/session_fixture.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

// Long work of a command, and a Ctrl-C that comes when it has begun.

namespace fermata::actors {

namespace {

using flag = std::shared_ptr<std::atomic<bool>>;

/// A session with a long score. The clock is read when a turn begins, and again when its command
/// runs: from then on its flag may be set.
struct long_score : session_under_test {
  flag cancelled = std::make_shared<std::atomic<bool>>(false);
  bool is_to_be_cancelled = false;
  int readings = 0;

  long_score() {
    setup.now = [this] {
      if (is_to_be_cancelled && ++readings == 2) cancelled->store(true);
      return clock += std::chrono::milliseconds{1};
    };
    start();
    REQUIRE(submit("(add (apply seq (repeat-times 4000 (note c4 :q))));"));
  }
  /// The answer to a command whose flag is set when it has begun.
  caf::expected<turn> interrupted(std::string text) {
    auto what = line(std::move(text));
    what.cancelled = cancelled;
    cancelled->store(false);
    is_to_be_cancelled = true;
    readings = 0;
    auto answer = ask<turn>(session, atom::submit_v, what);
    is_to_be_cancelled = false;
    return answer;
  }
};

std::vector<std::string> copies(std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i)
    out.emplace_back(1'000, 'x');
  return out;
}

}  // namespace

TEST_CASE("work whose flag is not set comes to its end") {
  for (auto& not_set : {flag{}, std::make_shared<std::atomic<bool>>(false)}) {
    auto done = interruptibly(not_set, [] { return copies(1'000).size(); });
    REQUIRE(done);
    CHECK(*done == 1'000);
  }
}

TEST_CASE("work is stopped where it allocates once its flag is set") {
  auto set = std::make_shared<std::atomic<bool>>(false);
  std::size_t steps = 0;
  auto done = interruptibly(set, [&] {
    for (; steps < 1'000'000; ++steps) {
      if (steps == 10) set->store(true);
      copies(100);
    }
    return steps;
  });
  REQUIRE_FALSE(done);
  CHECK(done.error().first().code == errc::cancelled);
  CHECK(steps == 10);
  // Afterwards memory is there for everybody, whatever the flag says.
  CHECK(copies(1'000).size() == 1'000);
}

TEST_CASE("a command that writes a long score is interrupted and changes nothing") {
  long_score s;
  auto before = s.snapshot();
  auto answer = s.interrupted(":score --musicxml");
  REQUIRE(answer);
  auto& c = command_of(answer);
  CHECK_FALSE(c.ok);
  CHECK(c.output.find("interrupted; nothing was changed") != std::string::npos);
  CHECK(s.snapshot()->score == before->score);
  // The next one is not.
  auto next = s.submit(":score --musicxml");
  REQUIRE(next);
  CHECK(command_of(next).ok);
}

TEST_CASE("a command that comes to its end before it looks is not interrupted") {
  long_score s;
  auto answer = s.interrupted(":help");
  REQUIRE(answer);
  CHECK(command_of(answer).ok);
}

}  // namespace fermata::actors
