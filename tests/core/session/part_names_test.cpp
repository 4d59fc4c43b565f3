#include "core/session/commands/command.hpp"
#include "core/session/commands/query.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

// A part is called by its id, its name, or the instrument that it was written for, wherever one
// names it.

namespace fermata::part_names_test {

namespace {

command_outcome run(const session_by_hand& s, std::string_view text) {
  return run_command(text, s.state, {}, s.clock);
}

/// The entries that `:history --part` lists.
std::vector<std::int64_t> of_part(const session_by_hand& s, const std::string& name) {
  auto outcome = run(s, "history --part \"" + name + '"');
  INFO(outcome.output);
  REQUIRE(outcome.listing);
  return outcome.listing->indices;
}
using numbers = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("the word that makes a part names it wherever a part is named") {
  // By hand, from the table of instruments: what each is called in print is another word.
  for (auto [word, printed] : {std::pair{"cello", "Violoncello"},
                               {"double-bass", "Contrabass"},
                               {"horn", "Horn in F"},
                               {"glockenspiel", "Glockenspiel"}}) {
    session_by_hand s;
    s.type("(part :piano (measure (note c4 :w)))");
    s.type("(part :" + std::string{word} + " (measure (note c3 :w)) (measure (note d3 :w)))");
    INFO(word);
    for (std::string name : {std::string{word}, std::string{printed}, std::string{"P2"}}) {
      INFO(name);
      auto quoted = '"' + name + '"';
      CHECK(run(s, "score " + quoted).output.find("d3") != std::string::npos);
      CHECK(run(s, "score " + quoted).output.find("c4") == std::string::npos);
      CHECK(run(s, "score " + quoted + " 2").output.find("d3") != std::string::npos);
      auto drawn = run(s, "score " + quoted + " --staff");
      auto view = std::get_if<view_effect>(&drawn.requested_effect);
      REQUIRE(view);
      CHECK(view->part == std::size_t{1});
      CHECK(run(s, "blame 1 " + quoted).output.find("In[2]") != std::string::npos);
      CHECK(of_part(s, name) == numbers{2});
    }
    auto edited = s.type("(replace (select :part \"" + std::string{word} +
                         "\" :measures 2) (measure (note e3 :w)))");
    CHECK_FALSE(is_failure(*edited));
    CHECK(of_part(s, word) == numbers{2, 3});
    CHECK_FALSE(is_failure(*s.type("(cursor :part \"" + std::string{word} + "\")")));
  }
}

TEST_CASE("who has the name of an instrument goes before who plays it") {
  session_by_hand s;
  s.type("(part :contrabass (measure (note c2 :w)))");
  CHECK(of_part(s, "double-bass") == numbers{1});
  s.type("(part \"Double Bass\" (measure (note d3 :w)))");
  CHECK(run(s, "score double-bass").output.find("d3") != std::string::npos);
  CHECK(run(s, "score double-bass").output.find("c2") == std::string::npos);
  CHECK(of_part(s, "double-bass") == numbers{2});
  CHECK(of_part(s, "contrabass") == numbers{1});
}

TEST_CASE("a part with a name of its own is called by its instrument too") {
  session_by_hand s;
  s.type("(part :cello :name \"Basso continuo\" (measure (note c3 :w)))");
  s.type("(part :flute (measure (note c5 :w)))");
  s.type("(replace (select :part \"cello\" :measures 1) (measure (note d3 :w)))");
  CHECK(run(s, "score cello").output.find("d3") != std::string::npos);
  CHECK(of_part(s, "cello") == numbers{1, 3});
}

TEST_CASE("of two parts for one instrument a command that wants one asks which") {
  session_by_hand s;
  s.type("(part :violin :name \"Violin I\" (measure (note c5 :w)))");
  s.type("(part :violin :name \"Violin II\" (measure (note d5 :w)))");
  auto both = run(s, "score violin").output;
  CHECK(both.find("c5") != std::string::npos);
  CHECK(both.find("d5") != std::string::npos);
  for (auto command : {"blame 1 violin", "score violin --staff"}) {
    auto asked = run(s, command);
    CHECK_FALSE(asked.ok);
    CHECK(asked.output.find("more than one part is called `violin`: P1, P2") == 0);
  }
  CHECK(run(s, "blame 1 \"violin ii\"").output.find("d5") != std::string::npos);
}

TEST_CASE("what a part was called before still finds what was done to it") {
  session_by_hand s;
  s.type("(part :flute (measure (note c5 :w)))");
  s.type("(part \"Solo\" (measure (note d5 :w)))");
  s.type("(delete \"Solo\")");
  CHECK(of_part(s, "solo") == numbers{2, 3});
  auto renamed = std::make_shared<score>(*s.state.score);
  auto changed = std::make_shared<part>(*renamed->parts[0]);
  changed->name = "Piper";
  changed->instruments.clear();
  renamed->parts[0] = changed;
  command_entry named{":rename",
                      "done",
                      true,
                      diff_snapshots(s.state.score, renamed),
                      s.state.revision,
                      s.state.revision + 1,
                      {}};
  s.happen(committed(s.state, std::move(named), {}, s.now()));
  CHECK(of_part(s, "Flute") == numbers{1, 4});
  CHECK(of_part(s, "Piper") == numbers{4});
  CHECK(of_part(s, "P1") == numbers{1, 4});
}

TEST_CASE("a part that never was is told from one that nothing was done to") {
  session_by_hand s;
  auto nothing = run(s, "history --part nope");
  CHECK_FALSE(nothing.ok);
  CHECK(nothing.output == "no part `nope` exists, now or earlier\nThe score is empty.");
  s.type("(part :flute (measure (note c5 :w)))");
  s.type("(part \"Solo\" (measure (note d5 :w)))");
  s.type("(delete \"Solo\")");
  nothing = run(s, "history --part nope");
  CHECK_FALSE(nothing.ok);
  CHECK(nothing.output == "no part `nope` exists, now or earlier\nThe only part is Flute.");
  for (auto command : {"history --part flute --errors", "history --part solo --errors",
                       "history --part flute --measures 7"}) {
    auto outcome = run(s, command);
    CHECK(outcome.ok);
    CHECK(outcome.output == "no matching entries");
  }
}

}  // namespace fermata::part_names_test
