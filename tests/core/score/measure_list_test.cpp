#include "core/score/model/measure_list.hpp"

#include "core/score/model/numbering.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <limits>
#include <random>

namespace fermata::measure_list_test {

using namespace fermata::testing;

namespace {

measure_ptr numbered(int n) {
  auto m = std::make_shared<measure>();
  m->number = std::to_string(n);
  return m;
}

std::vector<measure_ptr> all_of(const measure_list& list) { return {list.begin(), list.end()}; }

/// Measures with the numbers from 0 on, of which one in so many is written as "X12" and one as
/// "12a".
std::vector<measure_ptr> with_odd_numbers(std::mt19937& random, std::size_t n, unsigned one_in) {
  std::vector<measure_ptr> all;
  for (std::size_t i = 0; i < n; ++i) {
    auto m = std::make_shared<measure>(*numbered(static_cast<int>(i)));
    if (random() % one_in == 0) m->number = "X" + m->number, m->implicit = true;
    if (random() % one_in == 0) m->number += "a";
    all.push_back(m);
  }
  return all;
}

/// A list, and a vector that is changed in the plainest way.
struct list_and_model {
  measure_list list;
  std::vector<measure_ptr> model;

  void replace(std::size_t first, std::size_t count, const std::vector<measure_ptr>& with) {
    list.replace(first, count, with);
    auto from = model.begin() + static_cast<std::ptrdiff_t>(first);
    model.insert(model.erase(from, from + static_cast<std::ptrdiff_t>(count)), with.begin(),
                 with.end());
  }
  void raise_numbers(std::size_t first, std::size_t count, int by) {
    REQUIRE(list.raise_numbers(first, count, by));
    for (auto i = first; i < first + count; ++i)
      model[i] = renumbered(model[i], by);
  }
};

}  // namespace

TEST_CASE("a list of measures holds what a vector holds after the same changes") {
  std::mt19937 random{17};
  for (int round = 0; round < 30; ++round) {
    list_and_model both;
    auto& [list, model] = both;
    std::vector<std::pair<measure_list, std::vector<measure_ptr>>> earlier;
    for (int step = 0; step < 120; ++step) {
      auto first = random() % (model.size() + 1);
      auto count = std::min<std::size_t>(random() % 90, model.size() - first);
      std::vector<measure_ptr> with(random() % 3 == 0 ? random() % 150 : random() % 3);
      for (auto& m : with)
        m = numbered(step);
      switch (random() % 4) {
        case 0:
          list.push_back(numbered(step));
          model.push_back(list.back());
          break;
        case 1:
          if (first < model.size()) {
            model[first] = numbered(step);
            list.set(first, model[first]);
          }
          break;
        default: both.replace(first, count, with);
      }
      REQUIRE(list.size() == model.size());
      REQUIRE(all_of(list) == model);
      for (std::size_t i = 0; i < model.size(); i += 7)
        REQUIRE(list[i] == model[i]);
      if (step % 20 == 0) earlier.emplace_back(list, model);
    }
    // What was copied on the way is as it was then.
    for (auto& [then, what] : earlier)
      CHECK(all_of(then) == what);
  }
}

TEST_CASE("measures can be walked over backwards and in leaps") {
  measure_list list;
  for (int i = 0; i < 200; ++i)
    list.push_back(numbered(i));
  list.replace(70, 1, {});
  auto at = list.end();
  int expected = 199;
  while (at != list.begin()) {
    --at;
    if (expected == 70) --expected;
    CHECK((*at)->number == std::to_string(expected--));
  }
  CHECK((*(list.begin() + 100))->number == "101");
  CHECK(list.end() - list.begin() == 199);
}

TEST_CASE("a change of one measure leaves the rest shared with the score before") {
  measure_list before;
  for (int i = 0; i < 1000; ++i)
    before.push_back(numbered(i));
  auto after = before;
  after.set(500, numbered(-1));
  std::size_t shared = 0;
  for (auto x = before.begin(), y = after.begin(); x != before.end();) {
    auto n = shared_from(x, y);
    shared += n;
    x += static_cast<std::ptrdiff_t>(std::max<std::size_t>(n, 1));
    y += static_cast<std::ptrdiff_t>(std::max<std::size_t>(n, 1));
  }
  CHECK(shared >= 900);
  CHECK(before[500]->number == "500");
}

TEST_CASE("a measure that only gets another number shares its notes") {
  auto a = bar("c4:q d4:q e4:q f4:q");
  auto b = a;
  b.number = "2";
  CHECK(&std::as_const(a).items.front() == &std::as_const(b).items.front());
  // One that gets other notes does not change them in the first.
  std::get<chord_rest>(b.items.front().content).notes.front().tone = pitch{step::g};
  CHECK(std::get<pitch>(
            std::get<chord_rest>(std::as_const(a).items.front().content).notes.front().tone) ==
        pitch{step::c});
  CHECK_FALSE(a.items == b.items);
}

TEST_CASE("however often measures come and go, the list stays as short as one made at once") {
  std::mt19937 random{5};
  measure_list list;
  for (int i = 0; i < 1000; ++i)
    list.push_back(numbered(i));
  for (int step = 0; step < 5000; ++step) {
    auto first = random() % (list.size() + 1);
    auto count = std::min<std::size_t>(random() % 4, list.size() - first);
    if (list.size() < 800) count = 0;
    std::vector<measure_ptr> with(list.size() > 1200 ? 0 : random() % 4);
    for (auto& m : with)
      m = numbered(step);
    list.replace(first, count, with);
    // Two neighbours hold more than 64: at most twice the pieces that 64 in each would need, and
    // one that is alone.
    REQUIRE(list.pieces() <= 2 * list.size() / 64 + 1);
  }
  list.replace(0, list.size(), {});
  CHECK(list.pieces() == 0);
}

TEST_CASE("an edit leaves the pieces that it does not touch shared") {
  measure_list before;
  for (int i = 0; i < 640; ++i)
    before.push_back(numbered(i));
  auto after = before;
  after.replace(320, 0, std::vector{numbered(1000)});
  std::size_t same = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    same += shared_from(before.begin() + static_cast<std::ptrdiff_t>(i),
                        after.begin() + static_cast<std::ptrdiff_t>(i < 320 ? i : i + 1)) > 0;
  CHECK(same >= 640 - 64);
}

TEST_CASE(
    "numbers that are raised in a list are those of measures that are renumbered one by one") {
  std::mt19937 random{29};
  for (int round = 0; round < 40; ++round) {
    auto all = with_odd_numbers(random, 400, 50);
    list_and_model both{all, all};
    auto& [list, model] = both;
    list.seal();
    std::vector<std::pair<measure_list, std::vector<measure_ptr>>> earlier;
    for (int step = 0; step < 30; ++step) {
      auto first = random() % model.size();
      auto count = random() % (model.size() - first + 1);
      auto by = static_cast<int>(random() % 21) - 10;
      switch (random() % 4) {
        case 0: {
          count = std::min<std::size_t>(count, 3);
          std::vector<measure_ptr> with(random() % 4);
          for (auto& m : with)
            m = numbered(1000 + step);
          both.replace(first, count, with);
          break;
        }
        case 1: list.seal(); break;
        default: both.raise_numbers(first, count, by);
      }
      if (step % 10 == 0) earlier.emplace_back(list, model);
      for (std::size_t i = 0; i < model.size(); i += 13)
        REQUIRE(list[i]->number == model[i]->number);
    }
    earlier.emplace_back(list, model);
    for (auto& [then, what] : earlier) {
      REQUIRE(then == measure_list{what});
      for (std::size_t i = 0; i < what.size(); i += 31) {
        auto found = then.find_number(what[i]->number);
        REQUIRE(found);
        CHECK(then[*found]->number == what[i]->number);
        for (std::size_t k = 0; k < *found; ++k)
          REQUIRE(what[k]->number != what[i]->number);
      }
    }
  }
}

TEST_CASE("a list of several rows holds what a vector holds") {
  std::mt19937 random{17};
  for (int round = 0; round < 6; ++round) {
    auto all = with_odd_numbers(random, 3000 + random() % 20000, 1000);
    list_and_model both{all, all};
    auto& [list, model] = both;
    list.seal();
    std::vector<std::pair<measure_list, std::vector<measure_ptr>>> earlier;
    for (int step = 0; step < 60; ++step) {
      auto first = random() % (model.size() + 1);
      auto count = random() % (model.size() - first + 1);
      auto by = static_cast<int>(random() % 21) - 10;
      switch (random() % 5) {
        case 0:
        case 1: {
          if (random() % 2) count = std::min<std::size_t>(count, 3);
          std::vector<measure_ptr> with(random() % 3 == 0 ? random() % 20000 : random() % 4);
          for (auto& m : with)
            m = numbered(1000 + step);
          both.replace(first, count, with);
          break;
        }
        case 2: list.seal(); break;
        default: both.raise_numbers(first, count, by);
      }
      REQUIRE(list.size() == model.size());
      if (step % 20 == 0) earlier.emplace_back(list, model);
      for (std::size_t i = 0; i < model.size(); i += 131)
        REQUIRE(list[i]->number == model[i]->number);
      std::size_t k = 0;
      bool same = true;
      for (auto& m : list)
        same = same && m->number == model[k++]->number;
      REQUIRE(same);
      REQUIRE(list.next_attributes(0) <= list.size());
    }
    earlier.emplace_back(list, model);
    for (auto& [then, what] : earlier) {
      REQUIRE(then == measure_list{what});
      for (std::size_t i = 0; i < what.size(); i += 1031) {
        auto found = then.find_number(what[i]->number);
        REQUIRE(found);
        REQUIRE(then[*found]->number == what[i]->number);
      }
    }
  }
}

TEST_CASE("a number that would not fit is refused, and no number is raised") {
  measure_list list;
  for (int i = 0; i < 200; ++i)
    list.push_back(numbered(i == 150 ? std::numeric_limits<int>::max() : i));
  list.seal();
  CHECK_FALSE(list.raise_numbers(0, 200, 1));
  CHECK(list[0]->number == "0");
  CHECK(list.raise_numbers(0, 150, 1));
  CHECK(list[149]->number == "150");
  CHECK(list[150]->number == "2147483647");
}

}  // namespace fermata::measure_list_test
