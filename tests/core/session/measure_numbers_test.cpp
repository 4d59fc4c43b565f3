#include "core/score/model/measure_names.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

// Every command calls a measure by the number that is printed. Numbers and places are counted by
// hand: the upbeat is 0 and stands in the first place.

namespace fermata::measure_numbers_test {

namespace {

const std::string with_upbeat =
    "(part :violin (measure :pickup (note g4 :q)) (measure (note a4 :w)) (measure (note b4 :w)))";

struct asked {
  std::string text;
  int first, last;
};

void check(const score& s, const std::vector<asked>& rows,
           const std::vector<std::size_t>& parts = {}) {
  for (auto& [text, first, last] : rows) {
    INFO(text);
    auto got = parse_measures(text, s, parts);
    REQUIRE(got);
    CHECK(*got == std::pair{first, last});
  }
}

std::string output(const session_by_hand& s, const std::string& line) {
  auto done = run_command(line, s.state, {}, s.clock);
  return done.output;
}

bool has(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("measures are asked for by the numbers that are printed") {
  session_by_hand upbeat, divided, lettered;
  upbeat.type(with_upbeat);
  check(*upbeat.state.score, {{"0", 1, 1},
                              {"1", 2, 2},
                              {"0-1", 1, 2},
                              {"0:1", 1, 2},
                              {"1-", 2, to_the_end},
                              {"-1", 1, 2},
                              {"-0", 1, 1},
                              {"-1:", 3, to_the_end},
                              {"-3:-2", 1, 2},
                              {"3", 4, 4},
                              {"2-5", 3, 6}});
  divided.type("(part :violin (measure (note a4 :w)) (measure :pickup (note g4 :q)) "
               "(measure (note b4 :w)))");
  check(*divided.state.score,
        {{"1", 1, 1}, {"X1", 2, 2}, {"1-X1", 1, 2}, {"X1-", 2, to_the_end}, {"2", 3, 3}});
  lettered.type("(part :violin (measure :number \"12\" (note a4 :w)) "
                "(measure :number \"12a\" (note g4 :w)) (measure :number \"13\" (note b4 :w)))");
  check(*lettered.state.score, {{"12", 1, 1}, {"12a", 2, 2}, {"12a-13", 2, 3}, {"14", 4, 4}});
  for (auto& [s, text, said] : std::vector<std::tuple<score_ptr, std::string, std::string>>{
           {lettered.state.score, "5", "there is no measure 5; Violin has 12 to 13"},
           {divided.state.score, "0", "there is no measure 0; Violin has 1 to 2"},
           {divided.state.score, "X2", "there is no measure X2; Violin has 1 to 2"},
           {divided.state.score, "2X", "`2X` is not a range of measures"},
           {upbeat.state.score, "1-0", "`1-0` is an empty range"},
           {upbeat.state.score, "-4:", "reaches back further than the 3 measures there are"}}) {
    INFO(text);
    auto got = parse_measures(text, *s);
    REQUIRE_FALSE(got);
    CHECK(has(got.error().first().message, said));
  }
}

TEST_CASE("of parts that number differently the part asked for counts, else the first that can") {
  session_by_hand s;
  s.type("(part :flute (measure (note c5 :w)) (measure (note d5 :w)))");
  s.type("(part :violin (measure :pickup (note g4 :q)) (measure (note a4 :w)) "
         "(measure (note b4 :w)))");
  check(*s.state.score, {{"0", 1, 1}, {"2", 2, 2}, {"1-2", 1, 2}, {"0-2", 1, 3}});
  check(*s.state.score, {{"2", 3, 3}, {"1", 2, 2}}, {1});
  for (auto line : {"score violin 1", "score 1 violin"}) {
    CHECK(has(output(s, line), "a4"));
    CHECK_FALSE(has(output(s, line), "g4"));
  }
  CHECK(has(output(s, "blame 1 violin"), "a4 :w"));
}

TEST_CASE("a measure behind the last one has the number that it would get") {
  session_by_hand s;
  s.type(with_upbeat);
  auto& violin = *s.state.score->parts[0];
  CHECK(printed_number(violin, 0) == "0");
  CHECK(printed_number(violin, 2) == "2");
  CHECK(printed_number(violin, 3) == "3");
  CHECK(printed_number(*s.state.score, 5) == "5");
  CHECK(printed_number(score{}, 0) == "1");
  CHECK(index_past_end(violin, "3") == 3);
  CHECK_FALSE(index_past_end(violin, "2"));
  CHECK(has(output(s, "score 3"), "3 does not exist"));
}

TEST_CASE("what a piece with an upbeat is shown, blamed and looked back at by is its numbers") {
  session_by_hand s;
  s.type(with_upbeat);                                      // 1
  s.type("(replace (measures 1) (measure (note e5 :w)))");  // 2
  CHECK(has(output(s, "score 0"), "g4"));
  CHECK(has(output(s, "score 1"), ":number \"1\""));
  CHECK_FALSE(has(output(s, "score 1"), ":number \"2\""));
  CHECK(has(output(s, "blame 1"), "e5 :w"));
  CHECK(has(output(s, "blame 0"), "g4 :q"));
  CHECK(has(output(s, "blame 0-1"), "measure 0\nbeat 1      g4 :q"));
  CHECK(has(output(s, "blame 0-1"), "measure 1\nbeat 1      e5 :w"));
  CHECK(has(output(s, "blame 3"), "measure 3 does not exist; Violin has the measures 0 to 2"));
  auto listed = [&](const std::string& line) {
    return run_command(line, s.state, {}, s.clock).listing->indices;
  };
  CHECK(listed("history --measures 1") == std::vector<std::int64_t>{1, 2});
  CHECK(listed("history --measures 0") == std::vector<std::int64_t>{1});
}

TEST_CASE("a proposal is taken by the numbers that its diff shows") {
  struct row {
    std::string proposed, heading, not_there, there;
  };
  for (auto& r : {row{"(replace (measures 1) (measure (note e5 :w)))",
                      "measure 1\n- (measure :number \"1\"", "2", "1"},
                  row{"(delete (measures 2))", "measure 2, deleted", "1", "2"},
                  row{"(measure (note e5 :w))", "measure 3, new", "2", "3"}}) {
    INFO(r.proposed);
    musician s;
    s.type(with_upbeat);
    propose(s, r.proposed);
    auto diff = output(s, "diff 1");
    INFO(diff);
    CHECK(has(diff, r.heading));
    s.refuses("accept 1 " + r.not_there, "nothing changes in these measures");
    s.must("accept 1 " + r.there);
    CHECK(find_proposal(s.state, 1)->state == proposal::state_t::accepted);
  }
}

TEST_CASE("what was accepted of a proposal is remembered by its numbers") {
  musician s;
  s.type(with_upbeat);
  propose(s, "(replace (measures 1 2) (measure (note e5 :w)) (measure (note f5 :w)))");
  s.must("accept 1 1");
  CHECK(has(output(s, "proposals --all"), "open (measure 1 accepted)"));
}

TEST_CASE("measures that only get other numbers are named by those they had") {
  musician s;
  s.type(with_upbeat);
  propose(s, "(insert-measure (measures 1) (measure (note e5 :w)))");
  auto diff = output(s, "diff 1");
  INFO(diff);
  CHECK(has(diff, "measure 1, new"));
  CHECK(has(diff, "measures 1 to 2: number +1"));
}

TEST_CASE("conflicts of branches name measures by their numbers, and so do merges") {
  musician s;
  s.type(with_upbeat);
  s.must("branch b");
  s.must("switch-branch b");
  s.type("(replace (measures 1) (measure (note e5 :w)))");
  s.must("switch-branch main");
  s.type("(replace (measures 1) (measure (note f5 :w)))");
  s.refuses("merge b", "measure 1 changed on both branches");
  s.refuses("merge b", "`:merge b 1 --theirs`");
  s.refuses("merge b 7", "measure 7 does not exist; b has the measures 0 to 2");
  s.must("merge b 1 --theirs");
  CHECK(has(output(s, "score 1"), "e5"));
}

TEST_CASE("blame tells of all parts that have the measures, each under its name") {
  musician s;
  s.type("(part :flute (measure (note c5 :w)) (measure (note d5 :w)))");
  s.type("(part :bass (measure (note c3 :w)) (measure (note d3 :w)) "
         "(measure (rehearsal \"B\") (note e3 :w)))");
  auto name = s.state.score->parts[1]->name;
  auto both = output(s, "blame 2");
  INFO(both);
  CHECK(has(both, "Flute, measure 2\nbeat 1      d5 :w"));
  CHECK(has(both, name + ", measure 2\nbeat 1      d3 :w"));
  for (auto line : {"blame 3", "blame B"}) {
    INFO(line);
    CHECK(output(s, line).substr(0, output(s, line).find('\n')) == name + ", measure 3");
    CHECK(has(output(s, line), "e3 :w"));
  }
  auto all = output(s, "blame 1-3");
  for (auto note : {"c5 :w", "d5 :w", "c3 :w", "d3 :w", "e3 :w"})
    CHECK(has(all, note));
  CHECK(has(output(s, "score 3"), "e3"));
  CHECK_FALSE(has(output(s, "score 3"), "Flute"));
  CHECK_FALSE(has(output(s, "blame 2 flute"), "Flute, measure"));
  s.refuses("blame 3 flute", "measure 3 does not exist; Flute has the measures 1 to 2");
  s.refuses("blame 4", "measure 4 does not exist; " + name + " has the measures 1 to 3");
  s.refuses("blame 1-4", "measure 4 does not exist");
}

TEST_CASE("blame follows a certain number of measures, of all parts together") {
  musician s;
  std::string bars;
  for (int i = 0; i < 40; ++i)
    bars += "(measure (note c4 :w))";
  s.type("(part :flute " + bars + ")");
  s.must("blame 1-");
  s.type("(part :oboe " + bars + ")");
  s.refuses("blame 2-", "this range covers 39 measures of 2 parts; `:blame` takes at most 32");
  s.must("blame 2-33");
  s.must("blame 1- oboe");
}

}  // namespace fermata::measure_numbers_test
