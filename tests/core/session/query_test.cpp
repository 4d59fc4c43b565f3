#include "core/session/commands/query.hpp"

#include "core/session/timeline/history.hpp"
#include "tests/core/session/session_values.hpp"

#include <catch2/catch.hpp>

namespace fermata::query_test {

namespace {

std::vector<std::int64_t> indices(const std::vector<entry_ptr>& entries) {
  std::vector<std::int64_t> all;
  for (auto& e : entries)
    all.push_back(e->index);
  return all;
}
using numbers = std::vector<std::int64_t>;

/// 1 eval, 2 ai, 3 user, 4 command that failed, 5 eval that failed, 6 system, 7 eval in a violin
/// part.
session_by_hand talk() {
  session_by_hand s;
  s.type("(part :piano (measure (note c4 :w)))");
  s.happen(committed(s.state, ai_message_entry{"Try B flat"}, {"claude", "mcp"}, s.now()));
  s.happen(committed(s.state, user_message_entry{"why?"}, {}, s.now()));
  s.happen(committed(s.state, command_entry{":histroy", "no such command", false}, {}, s.now()));
  s.type("(nonsense)");
  s.happen(noted(s.state, "restored", "All is back.", s.now()));
  s.type("(part :violin (measure (note e5 :w)) (measure (note f5 :w)))");
  return s;
}

}  // namespace

TEST_CASE("the timeline is asked by range, kind, words and time, all together") {
  auto s = talk();
  auto ask = [&](history_query q) { return indices(select(s.state.history, q)); };
  CHECK(ask({}) == numbers{1, 2, 3, 4, 5, 6, 7});
  CHECK(ask({.from = 2, .to = 4}) == numbers{2, 3, 4});
  CHECK(ask({.from = -2}) == numbers{6, 7});
  CHECK(ask({.from = -3, .to = -2}) == numbers{5, 6});
  CHECK(ask({.to = -6}) == numbers{1, 2});
  CHECK(ask({.from = -100, .to = 2}) == numbers{1, 2});
  CHECK(ask({.from = 5, .to = 999}) == numbers{5, 6, 7});
  CHECK(ask({.from = 7, .to = 2}) == numbers{});
  CHECK(ask({.kinds = {"ai", "user"}}) == numbers{2, 3});
  CHECK(ask({.errors_only = true}) == numbers{4, 5});
  CHECK(ask({.words = {"b FLAT"}}) == numbers{2});
  CHECK(ask({.words = {"try", "sharp"}}) == numbers{});
  CHECK(ask({.author = "Claude"}) == numbers{2});
  CHECK(ask({.limit = 2}) == numbers{6, 7});
  CHECK(ask({.kinds = {"eval"}, .limit = 1}) == numbers{7});
  auto third = s.state.history.at(3)->time;
  CHECK(ask({.since = third}) == numbers{3, 4, 5, 6, 7});
  CHECK(ask({.until = third}) == numbers{1, 2, 3});
}

TEST_CASE("a page of the timeline says how many match beside those that it has") {
  auto s = talk();
  auto page = select_last(s.state.history, {}, 3);
  CHECK(indices(page.entries) == numbers{5, 6, 7});
  CHECK(page.matching == 7);
  page = select_last(s.state.history, {.from = 2, .to = 5}, 2);
  CHECK(indices(page.entries) == numbers{4, 5});
  CHECK(page.matching == 4);
  page = select_last(s.state.history, {.kinds = {"eval"}}, 2);
  CHECK(indices(page.entries) == numbers{5, 7});
  CHECK(page.matching == 3);
  CHECK(select_last(s.state.history, {.from = 6, .to = 2}, 2).matching == 0);
}

TEST_CASE("the timeline tells who changed a part or a measure") {
  auto s = talk();
  auto ask = [&](history_query q) { return indices(select(s.state.history, q)); };
  CHECK(ask({.part = "P2"}) == numbers{7});
  CHECK(ask({.part = "piano"}) == numbers{1});
  CHECK(ask({.measures = std::pair{2, 5}}) == numbers{7});
  CHECK(ask({.part = "P1", .measures = std::pair{2, 5}}) == numbers{});
}

}  // namespace fermata::query_test
