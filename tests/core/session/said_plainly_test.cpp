#include "core/score/edit/edit.hpp"
#include "core/session/timeline/cursor_place.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

// What commands say and take: defaults that hold, filters that find all, refusals that help.

namespace fermata::said_plainly_test {

namespace {

std::size_t listed(musician& s, const std::string& command) {
  auto outcome = run_command(command, s.state, {}, s.now());
  INFO(outcome.output);
  REQUIRE(outcome.listing);
  return outcome.listing->size();
}

std::string said(musician& s, const std::string& command) {
  return run_command(command, s.state, {}, s.now()).output;
}

/// An assistant proposes to put other notes into the first three measures.
void propose(musician& s) {
  auto text = "(replace (measures 1 3) (seq (measure (note g4 :w)) (measure (note a4 :w)) "
              "(measure (note b4 :w))))";
  auto e = s.run(text);
  REQUIRE(e);
  s.happen(proposed(s.state, s.state.next_proposal, text, {"claude", "mcp"}, 1, *e, s.now()));
}

}  // namespace

TEST_CASE("the defaults that are shown are those that music gets") {
  musician s;
  // By hand from the list: C major, 4/4, treble.
  CHECK(said(s, "session set key") == "key = c-major");
  s.type("(note c5 :q)");
  auto typed = s.measure(1);
  CHECK(typed.find("(key :c :major)") != std::string::npos);
  musician same;
  same.must("session set key c major");
  same.type("(note c5 :q)");
  CHECK(same.measure(1) == typed);
  CHECK(summary(*s.state.score).find("C major") != std::string::npos);
}

TEST_CASE("what was set as a default is undone by the word default") {
  musician s;
  auto begin = said(s, "session set");
  auto env = s.state.env->defaults;
  for (auto [name, value] : {std::pair{"key", "d minor"},
                             {"time", "3/4"},
                             {"clef", "bass"},
                             {"part", "cello"},
                             {"tempo", "96"}}) {
    INFO(name);
    s.must("session set " + std::string{name} + ' ' + value);
    CHECK_FALSE(s.state.env->defaults == env);
    s.must("session set " + std::string{name} + " default");
    CHECK(s.state.env->defaults == env);
    CHECK(said(s, "session set") == begin);
  }
}

TEST_CASE("a metre is given as the form has it") {
  musician s;
  for (auto written : {"3/4", "3 4"}) {
    s.must("session set time " + std::string{written});
    CHECK(said(s, "session set time") == "time = 3/4");
    s.must("session set time default");
  }
  s.refuses("session set time 3 4 5", "invalid time");
  s.refuses("session set time nonsense", "invalid time");
}

TEST_CASE("a filtered :history shows all matches") {
  musician s;
  for (int i = 0; i < 26; ++i)
    s.type("(+ 1 " + std::to_string(i) + ")");
  CHECK(listed(s, "history") == 20);
  CHECK(listed(s, "history --all") == 20);
  for (auto filter : {"--code", "--grep +", "--since 10m", "--author you", "--until 0m"}) {
    INFO(filter);
    CHECK(listed(s, std::string{"history "} + filter) == 26);
    CHECK(listed(s, std::string{"history --limit 3 "} + filter) == 3);
  }
  CHECK(listed(s, "history 1:") == 26);
  CHECK(listed(s, "history --limit 99999999999999999999") == 26);
  s.refuses("history --limit 0", "is not a positive number");
  s.refuses("history --limit -3", "is not a positive number");
  s.refuses("history --limit three", "is not a positive number");
}

TEST_CASE("who leaves out the quotes, or takes the single ones, is told which are needed") {
  musician s;
  s.refuses("set pager less -R", "contain spaces: \"like this\"");
  s.must("set pager \"less -R\"");
  s.refuses("history --grep 'play d'", "Use double quotes");
  s.refuses("score 'my part' 1", "Use double quotes");
  CHECK(said(s, "history 5 6").find("single quotes") == std::string::npos);
}

TEST_CASE("the reason of a refusal needs no number where one proposal is open") {
  musician s;
  s.type("(part :violin (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w)))");
  s.refuses("reject too high", "no proposal is open");
  propose(s);
  s.must("reject too high");
  CHECK(s.state.proposals.back().reason == "too high");
  CHECK(s.state.proposals.back().state == proposal::state_t::rejected);
  propose(s);
  propose(s);
  s.refuses("reject too high", "more than one proposal is open");
  s.must("reject 2 too low");
  CHECK(s.state.proposals[1].reason == "too low");
}

TEST_CASE(
    "a proposal that was accepted in part stays open with the rest, and says what was accepted") {
  musician s;
  s.type("(part :violin (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w)))");
  propose(s);
  s.must("accept 1 2-3");
  auto all = said(s, "proposals --all");
  CHECK(all.find("open (measures 2 to 3 accepted)") != std::string::npos);
  s.must("accept 1");
  s.refuses("accept 1", "is already accepted");
  propose(s);
  s.must("accept 2");
  CHECK(said(s, "proposals --all").find("accepted  (replace") != std::string::npos);
  s.refuses("accept 2", "is already accepted");
}

TEST_CASE("music goes on at the beginning of a score that has become empty, and at the end of one "
          "that came") {
  musician s;
  s.type("(part :violin (measure (note c5 :w)) (measure (note d5 :w)))");
  auto piece = s.state.score;
  CHECK(same_place_in(*empty_score(), *s.state.score, s.state.env->cursor) == score_cursor{});
  musician fresh;
  CHECK(same_place_in(*piece, *fresh.state.score, fresh.state.env->cursor) == end_of(*piece, 0));
  CHECK(same_place_in(*piece, *s.state.score, s.state.env->cursor) == s.state.env->cursor);
}

}  // namespace fermata::said_plainly_test
