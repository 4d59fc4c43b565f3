#include "io/protocol/request_order.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <set>
#include <vector>

namespace fermata::io::request_order_test {

using namespace fermata::io::protocol;

namespace {

constexpr request_traits read{}, write{.precedes = true}, move{.precedes = true, .moves = true},
    free_read{.unordered = true}, free_write{.unordered = true, .precedes = true};

std::vector<int> ready(request_order<int>& order) {
  std::vector<int> all;
  while (auto r = order.next())
    all.push_back(*r);
  return all;
}

using numbers = std::vector<int>;

}  // namespace

TEST_CASE("reads begin together, a write when they have their state, and reads after it wait") {
  request_order<int> order;
  order.add(1, read);
  order.add(2, read);
  order.add(3, write);
  order.add(4, read);
  CHECK(ready(order) == numbers{1, 2});
  order.found_state(1);
  CHECK(ready(order).empty());
  order.found_state(2);
  CHECK(ready(order) == numbers{3});
  order.finished(1);
  order.found_state(3);
  CHECK(ready(order).empty());
  order.finished(3);
  CHECK(ready(order) == numbers{4});
}

TEST_CASE("an unordered request passes writes, but not a change of the active session") {
  request_order<int> order;
  order.add(1, write);
  order.add(2, free_read);
  order.add(3, move);
  order.add(4, free_write);
  order.add(5, free_read);
  CHECK(ready(order) == numbers{1, 2});
  order.found_state(1);
  order.finished(1);
  CHECK(ready(order).empty());  // 2 has not found its session
  order.found_state(2);
  CHECK(ready(order) == numbers{3});
  order.finished(3);
  CHECK(ready(order) == numbers{4, 5});
}

TEST_CASE("a request that is no longer wanted holds up nobody") {
  request_order<int> order;
  order.add(1, write);
  order.add(2, move);
  order.add(3, read);
  CHECK(ready(order) == numbers{1});
  order.finished(2);
  CHECK(ready(order).empty());
  order.finished(1);
  CHECK(ready(order) == numbers{3});
  order.finished(3);
  CHECK(order.nothing_waits());
  order.finished(3);  // twice does no harm
  order.add(4, write);
  CHECK(ready(order) == numbers{4});
}

TEST_CASE(
    "whatever is asked and answered in which order, the rules hold and nothing is left over") {
  constexpr request_traits kinds[] = {read, write, move, free_read, free_write};
  std::mt19937 random{11};
  auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>{0, n - 1}(random);
  };
  for (int round = 0; round < 500; ++round) {
    request_order<int> order;
    std::vector<request_traits> traits;
    std::set<int> begun, searching, answered;
    auto begin_ready = [&] {
      for (int r : ready(order)) {
        auto& t = traits[static_cast<std::size_t>(r)];
        for (int before = 0; before < r; ++before) {
          if (answered.contains(before)) continue;
          auto& b = traits[static_cast<std::size_t>(before)];
          CAPTURE(round, before, r);
          if (!t.unordered) CHECK_FALSE(b.precedes);  // it has to be answered
          CHECK_FALSE(b.moves);
          if (t.moves) CHECK((begun.contains(before) && !searching.contains(before)));
          if (t.precedes && !t.unordered && !b.unordered) CHECK_FALSE(searching.contains(before));
        }
        begun.insert(r);
        searching.insert(r);
      }
    };
    auto pick = [&](const std::set<int>& from) {
      return *std::next(from.begin(), static_cast<std::ptrdiff_t>(below(from.size())));
    };
    auto answer_one = [&] {
      std::set<int> open;
      for (int r : begun)
        if (!answered.contains(r)) open.insert(r);
      if (open.empty()) return false;
      auto r = pick(open);
      order.finished(r);
      searching.erase(r);
      answered.insert(r);
      return true;
    };
    for (int i = 0; i < 30; ++i) {
      auto what = below(4);
      if (what < 2) {
        traits.push_back(kinds[below(std::size(kinds))]);
        order.add(static_cast<int>(traits.size()) - 1, traits.back());
      } else if (what == 2 && !searching.empty()) {
        auto r = pick(searching);
        order.found_state(r);
        searching.erase(r);
      } else {
        answer_one();
      }
      begin_ready();
    }
    while (answer_one())
      begin_ready();
    CHECK(answered.size() == traits.size());
    CHECK(order.nothing_waits());
  }
}

}  // namespace fermata::io::request_order_test
