#include "core/session/commands/command.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

namespace fermata::command_lines_test {

namespace {

command_outcome run(const session_by_hand& s, std::string_view text) {
  return run_command(text, s.state, {}, s.clock);
}

}  // namespace

TEST_CASE("what is refused is not repeated in all its length") {
  musician m;
  auto long_word = std::string(2 << 20, 'x');
  for (auto typed :
       {long_word, "session " + long_word, "history " + long_word, "history --" + long_word,
        "set " + long_word, "display " + long_word, "score " + long_word, "doc " + long_word,
        "explain " + long_word, "help " + long_word, "undo 1 " + long_word}) {
    INFO(typed.substr(0, 20));
    auto outcome = run(m, typed);
    CHECK_FALSE(outcome.ok);
    CHECK(outcome.output.size() < 3'000);
  }
}

TEST_CASE("a word of a command ends where one of an expression does") {
  for (std::string blank : {" ", "\t", "\u00a0", "\u3000"}) {
    auto parsed = parse_command("history" + blank + "1:2" + blank + "--code");
    REQUIRE(parsed);
    CHECK(parsed->spec->name == "history");
    CHECK(parsed->args == std::vector<std::string>{"1:2"});
    CHECK(parsed->option("code"));
  }
}

TEST_CASE("some measures are shown in the same shape, in few words as in many") {
  musician m;
  m.type("(part :piano (measure (note c4 :w)) (measure (note d4 :h) (note e4 :h)))");
  auto plain = run(m, "score 2").output, compact = run(m, "score 2 --compact").output;
  CHECK(plain.find("(measure") != std::string::npos);
  CHECK(compact.find("(measure") != std::string::npos);
  CHECK(compact.find("(score") == std::string::npos);
  CHECK(compact.size() <= plain.size());
}

}  // namespace fermata::command_lines_test
