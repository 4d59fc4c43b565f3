#include "core/score/edit/edit.hpp"
#include "core/session/commands/blame.hpp"
#include "core/session/proposals/proposals.hpp"
#include "core/session/timeline/affected_ranges.hpp"
#include "core/session/timeline/score_text.hpp"
#include "tests/core/score/edit_at_random.hpp"
#include "tests/core/session/session_values.hpp"

#include <catch2/catch.hpp>

namespace fermata::renumbered_measures_test {

namespace {

using testing::bar;
using testing::one_part;

/// Five measures, of which the first has the time.
score_ptr five_measures() { return one_part({"c4:w", "d4:w", "e4:w", "f4:w", "g4:w"}); }

score_ptr must(result<score_ptr> s) {
  REQUIRE(s);
  return *s;
}

/// The numbers of all measures, part by part.
std::vector<std::string> numbers(const score& s) {
  std::vector<std::string> all;
  for (auto& p : s.parts)
    for (auto& m : p->measures)
      all.push_back(m->number);
  return all;
}

/// What comes of `a` when of its change to `b` only these measures are taken.
score_ptr taken_of(const score_ptr& a, const score_ptr& b, int first, int last, std::size_t taken,
                   std::size_t left_out) {
  auto d = diff_snapshots(a, b);
  auto partial = within_measures(d, {first, last}, *a);
  REQUIRE(partial);
  CHECK(partial->taken == taken);
  CHECK(partial->left_out == left_out);
  auto there = must(applied(partial->delta, a));
  auto back = must(applied(inverted(partial->delta), there));
  CHECK(*back == *a);
  // Nothing reaches over the edges here, so there is nothing to repair.
  auto fitted = taken_within(d, *partial, {first, last}, a);
  CHECK(*fitted.score == *there);
  CHECK(fitted.repaired.empty());
  return there;
}

}  // namespace

TEST_CASE("a measure that is taken from a proposal numbers on what stays, one left out does not") {
  auto a = five_measures();
  auto fresh = [](std::string number) { return std::vector{bar("b4:w", std::move(number))}; };
  auto inserted = must(insert_measures(a, 1, 1));
  auto b = must(replace_measures(inserted, 0, 4, 1, fresh("")));
  // The rest before measure 2 alone, then the new measure 5 alone, in place of the fourth of `a`.
  CHECK(*taken_of(a, b, 2, 2, 1, 1) == *inserted);
  CHECK(*taken_of(a, b, 5, 5, 1, 1) == *must(replace_measures(a, 0, 3, 1, fresh(""))));
  CHECK(*taken_of(a, b, 1, 5, 2, 0) == *b);
  // Of two new ones the first is taken alone, the second only behind it.
  auto two = must(insert_measures(a, 1, 2));
  CHECK(*taken_of(a, two, 1, 2, 1, 1) == *inserted);
  CHECK_FALSE(within_measures(diff_snapshots(a, two), {3, 3}, *a));
  CHECK(*taken_of(a, two, 2, 3, 2, 0) == *two);

  // Two that go, each with its share of the numbers behind.
  auto without = must(delete_measures(a, {{0, 1}, {0, 3}}));
  CHECK(*taken_of(a, without, 2, 3, 1, 1) == *must(delete_measures(a, {{0, 1}})));
  CHECK(*taken_of(a, without, 4, 5, 1, 1) == *must(delete_measures(a, {{0, 3}})));
  CHECK(*taken_of(a, without, 1, 5, 2, 0) == *without);
  CHECK_FALSE(within_measures(diff_snapshots(a, without), {3, 3}, *a));

  // Numbers alone are taken measure by measure.
  auto measures = a->parts[0]->measures;
  for (std::size_t m = 1; m < 5; ++m) {
    auto copy = *measures[m];
    copy.number = std::to_string(m + 11);
    measures.set(m, std::make_shared<const measure>(std::move(copy)));
  }
  auto with_numbers = [&](measure_list list) {
    auto p = *a->parts[0];
    p.measures = std::move(list);
    auto next = *a;
    next.parts[0] = std::make_shared<const part>(std::move(p));
    return std::make_shared<const score>(std::move(next));
  };
  auto third_to_fourth = a->parts[0]->measures;
  third_to_fourth.set(2, measures[2]);
  third_to_fourth.set(3, measures[3]);
  CHECK(*taken_of(a, with_numbers(measures), 3, 4, 2, 2) == *with_numbers(third_to_fourth));
}

TEST_CASE("a measure that is not counted does not end the count of what is left out") {
  // 1 2 3 X1 4 5, of which 2 goes and one comes behind X1.
  std::vector<measure> measures;
  for (auto [note, number] : {std::pair{"c4:w", "1"},
                              {"d4:w", "2"},
                              {"e4:w", "3"},
                              {"f4:w", "X1"},
                              {"g4:w", "4"},
                              {"a4:w", "5"}})
    measures.push_back(bar(note, number));
  testing::lead(measures.front(), testing::with_time(4, 4));
  for (bool implicit : {false, true}) {
    INFO(implicit);
    measures[3].implicit = implicit;
    auto a = testing::make_score({testing::make_part(measures)});
    auto without = must(delete_measures(a, {{0, 1}}));
    auto b = must(insert_measures(without, 0, 3, {bar("b4:w", "")}));
    CHECK(numbers(*b) == std::vector<std::string>{"1", "2", "X1", "3", "4", "5"});
    CHECK(numbers(*taken_of(a, b, 4, 4, 1, 1)) ==
          std::vector<std::string>{"1", "2", "3", "X1", "4", "5", "6"});
    CHECK(numbers(*taken_of(a, b, 1, 2, 1, 1)) ==
          std::vector<std::string>{"1", "2", "X1", "3", "4"});
    CHECK(*taken_of(a, b, 1, 6, 2, 0) == *b);
  }
}

TEST_CASE("whatever is taken of a change fits, and what is left out can be taken afterwards") {
  testing::edit_at_random edits{1813};
  std::size_t tried = 0;
  for (int round = 0; round < 300; ++round) {
    INFO("round " << round);
    auto a = edits.any_score(), b = a;
    for (auto n = 1 + edits.pick(3); n > 0; --n)
      b = edits.edited(b);
    auto d = diff_snapshots(a, b);
    auto count = static_cast<int>(a->parts[0]->measures.size());
    auto all = within_measures(d, {1, 1000}, *a);
    if (!all) continue;
    CHECK(all->left_out == 0);
    if (d.changed.size() == 1 || !d.rearranges()) CHECK(**applied(all->delta, a) == *b);
    auto first = 1 + static_cast<int>(edits.pick(static_cast<std::size_t>(count)));
    auto last = first + static_cast<int>(edits.pick(6));
    auto some = within_measures(d, {first, last}, *a);
    if (!some) continue;
    ++tried;
    auto there = applied(some->delta, a);
    REQUIRE(there);
    auto back = applied(inverted(some->delta), *there);
    REQUIRE(back);
    CHECK(**back == *a);
    CHECK(numbers(*taken_within(d, *some, {first, last}, a).score) == numbers(**there));
  }
  CHECK(tried > 50);
}

TEST_CASE(
    "a measure that only got another number was not touched, and its notes keep their writer") {
  session_by_hand s;
  s.type("(part :piano (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w)) "
         "(measure (note f4 :w)))");
  auto before = s.state.score;
  auto deleted = s.type("(delete (measures 2))");
  auto& d = *delta_of(*deleted);
  REQUIRE_FALSE(d.empty());
  CHECK(touches(d, {}, std::pair{2, 2}));
  CHECK_FALSE(touches(d, {}, std::pair{3, 3}));
  CHECK(touches(d, "piano", {}));
  CHECK(touched(d).size() == 1);
  CHECK(delta_text(d, *before).find("measures 3 to 4: number -1") != std::string::npos);
  CHECK(delta_text(d, *before).find("e4") == std::string::npos);
  // f4, now in measure 3, was written by the first entry.
  auto origin = origin_of(s.state, *s.state.score->parts[0], 2);
  REQUIRE(origin.notes.size() == 1);
  CHECK(origin.notes[0].entry == 1);
  CHECK(origin.entries == std::vector<std::int64_t>{1});
}

}  // namespace fermata::renumbered_measures_test
