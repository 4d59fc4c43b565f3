#include "core/score/model/walk.hpp"
#include "core/session/timeline/branches.hpp"
#include "tests/core/session/two_branches.hpp"

#include <catch2/catch.hpp>

// What of a proposal is told by its diff is what can be taken of it, and nothing else is. By hand:
// a measure that says the key of the one that went is the same measure.

namespace fermata::untouched_measures_test {

namespace {

const std::string opening = "(key g :major) (time 3 4) (clef bass) ";
const std::string with_upbeat = "(part :cello (measure :pickup " + opening +
                                "(note c3 :q)) (measure (note d3 :h.)) (measure (note e3 :h.)) "
                                "(measure (note f3 :h.)))";
const std::string without_upbeat = "(part :cello (measure " + opening +
                                   "(note c3 :h.)) (measure (note d3 :h.)) (measure (note e3 "
                                   ":h.)) (measure (note f3 :h.)))";

bool is_open(const session_by_hand& s) {
  return find_proposal(s.state, 1)->state == proposal::state_t::open;
}

/// Key, metre and clef of the opening hold in all measures, and only the first says them.
void check_opening(const score& s) {
  auto& p = *s.parts.at(0);
  for (std::size_t m = 0; m < p.measures.size(); ++m) {
    auto state = state_at(p, m, {});
    CHECK(state.key_or_default().fifths == 1);
    CHECK(to_string(state.time_or_default()) == "3/4");
    CHECK(state.clef_or_default().line == 4);
    auto& items = std::as_const(*p.measures[m]).items;
    auto says = std::any_of(items.begin(), items.end(), [](auto& item) {
      return std::holds_alternative<attributes>(item.content);
    });
    CHECK(says == (m == 0));
  }
}

}  // namespace

TEST_CASE("a proposed deletion is taken by the number that its diff shows") {
  struct row {
    std::string piece, proposed, not_there, there, line;
  };
  for (auto& r : {
           row{with_upbeat, without("0"), "1", "0", "d3 | e3 | f3"},
           row{with_upbeat, without("0"), "2-3", "0-1", "d3 | e3 | f3"},
           row{with_upbeat, without("0 1"), "2-3", "0-1", "e3 | f3"},
           row{with_upbeat, without("0 1"), "2-3", "-1", "e3 | f3"},
           row{with_upbeat, without("1"), "0", "1", "c3 | e3 | f3"},
           row{without_upbeat, without("1"), "2", "1", "d3 | e3 | f3"},
           row{without_upbeat, without("2"), "1", "2", "c3 | e3 | f3"},
           row{without_upbeat, without("4"), "3", "4", "c3 | d3 | e3"},
           row{without_upbeat, without("1 2"), "3-4", "1-2", "e3 | f3"},
       }) {
    INFO(r.piece << '\n' << r.proposed);
    musician s;
    s.type(r.piece);
    propose(s, r.proposed);
    s.refuses("accept 1 " + r.not_there, "nothing changes in these measures");
    CHECK(is_open(s));
    s.must("accept 1 " + r.there);
    CHECK_FALSE(is_open(s));
    CHECK(line_of(*s.state.score) == r.line);
    check_opening(*s.state.score);
    s.must("undo");
    check_opening(*s.state.score);
  }
}

TEST_CASE("a deletion is taken without what else is proposed, and the other way round") {
  struct row {
    std::string proposed, asked, line, numbers;
  };
  auto put_e2 = [](const std::string& m) {
    return "(replace (measures " + m + ") (measure (note e2 :h.)))";
  };
  for (auto& r : {
           row{"(do " + without("0") + put_e2("2") + ")", "0", "d3 | e3 | f3", "123"},
           row{"(do " + without("0") + put_e2("2") + ")", "2", "c3 | d3 | e2 | f3", "0123"},
           row{"(do " + without("0") + put_e2("1") + put_e2("3") + ")", "0-1", "e2 | e3 | f3",
               "123"},
           row{"(do " + put_e2("3") + without("0 1") + ")", "0-1", "e3 | f3", "12"},
       }) {
    INFO(r.proposed << "   " << r.asked);
    musician s;
    s.type(with_upbeat);
    propose(s, r.proposed);
    auto outcome = s.command("accept 1 " + r.asked);
    INFO(outcome.output);
    REQUIRE(outcome.ok);
    CHECK(outcome.output.find("1 left out") != std::string::npos);
    CHECK(line_of(*s.state.score) == r.line);
    std::string numbers;
    for (auto& n : numbers_of(*s.state.score))
      numbers += n;
    CHECK(numbers == r.numbers);
    check_opening(*s.state.score);
  }
}

TEST_CASE("a measure that is deleted goes from the parts that rest in it as well") {
  for (std::string bar : {"1", "2", "3", "4"}) {
    for (auto cello :
         {"(measure (rest :w)) (measure (rest :w)) (measure (rest :w)) (measure (rest :w))",
          "(measure (note c3 :w)) (measure (rest :w)) (measure (rest :w)) (measure "
          "(note d3 :w))"}) {
      INFO(bar << "  " << cello);
      musician s;
      s.type("(score (part :violin (measure (key g :major) (note c5 :w)) (measure (note d5 :w)) "
             "(measure (note e5 :w)) (measure (note f5 :w))) (part :cello " +
             std::string{cello} + "))");
      auto deleted = s;
      deleted.type(without(bar));
      // Another measure is changed, and stays.
      auto other = bar == "1" ? "3" : bar == "2" ? "4" : bar == "3" ? "1" : "2";
      propose(s, "(do (replace (select :part 1 :measures " + std::string{other} +
                     ") (measure (note b5 :w))) " + without(bar) + ")");
      auto outcome = s.command("accept 1 " + bar);
      INFO(outcome.output);
      REQUIRE(outcome.ok);
      for (std::size_t p : {0u, 1u}) {
        CHECK(line_of(*s.state.score, p) == line_of(*deleted.state.score, p));
        CHECK(numbers_of(*s.state.score, p) == numbers_of(*deleted.state.score, p));
      }
    }
  }
}

TEST_CASE("parts that are equally long stay so when some measures of a proposal are taken") {
  musician s;
  s.type("(score (part :violin (measure (note d5 :w)) (measure (note e5 :w)) (measure (note f5 "
         ":w)) (measure (note g5 :w))) (part :cello (measure (note d3 :w)) (measure (rest :w)) "
         "(measure (rest :w)) (measure (rest :w))))");
  propose(s, "(do " + without("1 2") + insert("1", "b5") + ")");
  auto outcome = s.command("accept 1 1");
  INFO(outcome.output);
  CHECK(s.state.score->parts[0]->measures.size() == s.state.score->parts[1]->measures.size());
}

TEST_CASE("measures that are deleted together are not accepted one by one") {
  musician s;
  s.type(with_upbeat);
  propose(s, without("0 1"));
  s.refuses("accept 1 0", "measures 0 to 1 are deleted as one block");
  CHECK(is_open(s));
}

TEST_CASE("a measure that only says the key that holds is not changed") {
  struct row {
    std::string proposed, unchanged, changed;
  };
  for (auto& r : {
           // The key is said back behind a measure in another one.
           row{"(replace (measures 1) (measure (key d :major) (note c3 :h.)))", "2", "1"},
           row{"(replace (measures 2) (measure (key d :major) (note d3 :h.)))", "3", "2"},
           row{"(replace (measures 1 2) (measure (key d :major) (note c3 :h.)) (measure (key g "
               ":major) (note d3 :h.)))",
               "2", "1"},
           row{"(replace (measures 2) (measure (time 2 4) (note d3 :h)))", "3", "2"},
           // It is said again where it holds already.
           row{"(replace (measures 2 3) (measure (key g :major) (note d3 :h.)) (measure (note f2 "
               ":h.)))",
               "2", "3"},
       }) {
    INFO(r.proposed);
    musician s;
    s.type(without_upbeat);
    propose(s, r.proposed);
    s.refuses("accept 1 " + r.unchanged, "nothing changes in these measures");
    CHECK(is_open(s));
    s.must("accept 1 " + r.changed);
    CHECK_FALSE(is_open(s));
  }
  // Nothing else is proposed: it waits, and is taken as a whole.
  musician s;
  s.type(without_upbeat);
  propose(s, "(replace (measures 2) (measure (key g :major) (note d3 :h.)))");
  s.refuses("accept 1 2", "nothing changes in these measures");
  CHECK(is_open(s));
  s.must("accept 1");
}

TEST_CASE("a measure that changes with its key is taken by its number") {
  musician s;
  s.type(without_upbeat);
  propose(s, "(replace (measures 1 2) (measure (key d :major) (note c3 :h.)) (measure (key g "
             ":major) (note b2 :h.)))");
  s.must("accept 1 2");
  CHECK(line_of(*s.state.score) == "c3 | b2 | e3 | f3");
  CHECK(state_at(*s.state.score->parts[0], 0, {}).key_or_default().fifths == 1);
}

}  // namespace fermata::untouched_measures_test
