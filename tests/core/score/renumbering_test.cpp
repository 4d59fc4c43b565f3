#include "core/score/edit/edit.hpp"
#include "core/score/model/content_hash.hpp"
#include "core/score/model/delta.hpp"
#include "core/score/model/draft.hpp"
#include "core/score/model/numbering.hpp"
#include "tests/core/lang/evaluated.hpp"
#include "tests/core/score/edit_at_random.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

#include <limits>

namespace fermata::renumbering_test {

using namespace fermata::testing;

namespace {

/// A part with a bar of its own under each of these numbers; a number in brackets is not counted.
score_ptr numbered(const std::vector<std::string>& numbers) {
  std::vector<measure> measures;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    auto text = numbers[i];
    auto implicit = text.front() == '(';
    if (implicit) text = text.substr(1, text.size() - 2);
    auto m = bar(std::string{"cdefgab"[i % 7]} + std::to_string(1 + i / 7 % 7) + ":w", text);
    m.implicit = implicit;
    measures.push_back(std::move(m));
  }
  return make_score({make_part(std::move(measures))});
}

std::vector<std::string> numbers_of(const score& s) {
  std::vector<std::string> all;
  for (auto& m : s.parts[0]->measures)
    all.push_back(m->implicit ? '(' + m->number + ')' : m->number);
  return all;
}

/// There and back, and there again.
void check_both_ways(const score_delta& d, const score_ptr& a, const score_ptr& b) {
  auto there = applied(d, a);
  REQUIRE(there);
  CHECK(**there == *b);
  CHECK(content_hash(**there) == content_hash(*b));
  auto back = inverted(d);
  auto again = applied(back, *there);
  REQUIRE(again);
  CHECK(**again == *a);
  CHECK(inverted(back) == d);
}

std::size_t measures_held(const score_delta& d) {
  std::size_t n = 0;
  for (auto& c : d.changed)
    for (auto& r : c.measures)
      n += r.before.size() + r.after.size();
  return n;
}

}  // namespace

TEST_CASE("of the measures behind one that goes a change says only how they are numbered on") {
  auto a = numbered({"1", "2", "3", "4", "5", "6"});
  auto b = delete_measures(a, {{0, 2}});
  REQUIRE(b);
  auto d = diff_snapshots(a, *b);
  REQUIRE(d.changed.size() == 1);
  auto& c = d.changed[0];
  REQUIRE(c.measures.size() == 1);
  CHECK(c.measures[0].first == 2);
  CHECK(c.measures[0].before.size() == 1);
  CHECK(c.measures[0].after.empty());
  CHECK(c.renumbered == std::vector<renumbering>{{3, 3, -1}});
  CHECK(inverted(d).changed[0].renumbered == std::vector<renumbering>{{2, 3, 1}});
  check_both_ways(d, a, *b);
}

TEST_CASE("several measures that come and go number each stretch between them by its own") {
  auto a = numbered({"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"});
  auto b = delete_measures(a, {{0, 1}, {0, 5}, {0, 6}});
  REQUIRE(b);
  auto d = diff_snapshots(a, *b);
  // 2 goes: 3 to 6 become 2 to 5; 6 and 7 go: 8 to 10 become 5 to 7.
  CHECK(d.changed[0].renumbered == std::vector<renumbering>{{2, 3, -1}, {7, 3, -3}});
  CHECK(measures_held(d) == 3);
  check_both_ways(d, a, *b);

  auto c = insert_measures(a, 2, 2);
  REQUIRE(c);
  c = delete_measures(*c, {{0, 9}, {0, 8}});
  REQUIRE(c);
  d = diff_snapshots(a, *c);
  CHECK(d.changed[0].renumbered == std::vector<renumbering>{{2, 4, 2}});
  CHECK(measures_held(d) == 4);
  check_both_ways(d, a, *c);
}

TEST_CASE("what does not count keeps its number between measures that are numbered on") {
  struct row {
    std::vector<std::string> numbers, after_deleting_the_second;
    std::size_t held;  ///< measures in the change: the one that went, and what cannot be told short
  };
  // MusicXML: an implicit measure is not counted, and a number may be any text.
  for (auto& [numbers, expected, held] : std::vector<row>{
           {{"1", "2", "3", "X1", "4", "5"}, {"1", "2", "X1", "3", "4"}, 1},
           {{"(0)", "1", "2", "(X1)", "3"}, {"(0)", "1", "(X1)", "2"}, 1},
           {{"1", "2", "12a", "13", "14"}, {"1", "12a", "12", "13"}, 1},
           {{"1", "2", "(3)", "(4)", "5"}, {"1", "(3)", "(4)", "4"}, 1},
           {{"-3", "-2", "-1", "0", "1"}, {"-3", "-2", "-1", "0"}, 1},
           // Written otherwise, it cannot be made from the number again.
           {{"1", "2", "3", "004", "5"}, {"1", "2", "3", "4"}, 3},
       }) {
    auto a = numbered(numbers);
    auto b = delete_measures(a, {{0, 1}});
    REQUIRE(b);
    CHECK(numbers_of(**b) == expected);
    auto d = diff_snapshots(a, *b);
    CHECK(measures_held(d) == held);
    check_both_ways(d, a, *b);
  }
}

TEST_CASE("a piece that begins with another number is described in words, and can be undone") {
  std::vector<std::string> numbers;
  for (int i = 1; i <= 500; ++i)
    numbers.push_back(std::to_string(i));
  auto a = numbered(numbers);
  score_draft draft{a};
  for (std::size_t m = 0; m < 500; ++m)
    draft.renumber(0, m, std::to_string(m + 100));
  auto b = draft.finish();
  auto d = diff_snapshots(a, b);
  CHECK(d.changed[0].renumbered == std::vector<renumbering>{{0, 500, 99}});
  CHECK(measures_held(d) == 0);
  check_both_ways(d, a, b);
}

TEST_CASE("a number that no measure can have is refused, and nothing is half renumbered") {
  auto largest = std::to_string(std::numeric_limits<int>::max());
  auto a = numbered({"1", largest});
  auto d = diff_snapshots(numbered({"1", "2"}), numbered({"1", "2", "3"}));
  d.changed[0].measures.clear();
  d.changed[0].renumbered = {{0, 2, 1}};
  auto refused = applied(d, a);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().first().code == errc::invalid_score);
  CHECK(refused.error().first().message.find(largest) != std::string::npos);
  CHECK(numbers_of(*a) == std::vector<std::string>{"1", largest});

  for (renumbering wrong : {renumbering{1, 2, 1}, renumbering{3, 0, 1},
                            renumbering{1, std::numeric_limits<std::size_t>::max(), 1},
                            renumbering{0, 1, std::numeric_limits<int>::max()}}) {
    d.changed[0].renumbered = {wrong};
    CHECK_FALSE(applied(d, a));
  }
  // A measure more before it: the count goes out of what is a number here, not round to below zero.
  auto inserted = insert_measures(a, 0, 1);
  REQUIRE(inserted);
  CHECK(numbers_of(**inserted) == std::vector<std::string>{"1", "2", "2147483648"});
  check_both_ways(diff_snapshots(a, *inserted), a, *inserted);
}

TEST_CASE("whatever is edited, numbered in whatever way, every change leads there and back") {
  edit_at_random edits{1812};
  auto changed = 0, steps = 0;
  for (int round = 0; round < 120; ++round) {
    auto s = edits.any_score();
    std::vector<std::pair<score_delta, score_ptr>> done;  // with the score before
    for (int step = 0; step < 8; ++step) {
      INFO("round " << round << ", step " << step);
      auto next = edits.edited(s);
      ++steps;
      changed += next != s;
      auto d = diff_snapshots(s, next);
      check_both_ways(d, s, next);
      done.emplace_back(std::move(d), s);
      s = next;
    }
    auto last = s;
    for (auto i = done.size(); i-- > 0;) {
      auto back = applied(inverted(done[i].first), s);
      REQUIRE(back);
      CHECK(**back == *done[i].second);
      s = *back;
    }
    for (auto& [d, before] : done) {
      auto again = applied(d, s);
      REQUIRE(again);
      s = *again;
    }
    CHECK(*s == *last);
    CHECK(content_hash(*s) == content_hash(*last));
  }
  CHECK(changed * 3 > steps * 2);  // the others were refused
}

TEST_CASE("deleting a measure of a long piece, the change and its undo look at one piece of it") {
  std::vector<std::string> numbers;
  for (int i = 1; i <= 10'000; ++i)
    numbers.push_back(std::to_string(i));
  auto whole = score_draft{numbered(numbers)};
  whole.open(0);
  auto a = whole.finish();
  auto request = request_for("(delete (measures 5000))");
  request.score = a;
  auto done = evaluate(request);
  REQUIRE(done);
  const auto& after = done->score->parts[0]->measures;
  auto back = inverted(done->delta);
  auto again = applied(back, done->score);
  REQUIRE(again);
  REQUIRE(diff_snapshots(done->score, *again) == back);
  // 5,000 measures got other numbers: 78 pieces of 64 and what is left. Nobody has read one.
  CHECK(after.unread_renumbered_pieces() >= 77);
  REQUIRE(done->delta.changed.size() == 1);
  CHECK(done->delta.changed[0].renumbered == std::vector<renumbering>{{5000, 5000, -1}});
  CHECK(measures_held(done->delta) == 1);

  CHECK(after.find_number("9999") == std::size_t{9998});
  CHECK(after[9998]->number == "9999");
  CHECK(**again == *a);
  CHECK(content_hash(**again) == content_hash(*a));

  // Once more on the result, at another place, as an editing session goes.
  request.score = done->score;
  request.text = "(delete (measures 2)) (insert-measure 100 :count 1) (delete (measures 9000))";
  auto more = evaluate(request);
  REQUIRE(more);
  check_both_ways(more->delta, done->score, more->score);
  check_both_ways(diff_snapshots(a, more->score), a, more->score);
}

}  // namespace fermata::renumbering_test
