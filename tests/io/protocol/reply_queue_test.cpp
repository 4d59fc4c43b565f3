#include "io/protocol/reply_queue.hpp"

#include <catch2/catch.hpp>

using namespace fermata::io::protocol;

TEST_CASE("replies leave in the order of their requests") {
  reply_queue q;
  auto first = q.reserve(1, false);
  auto second = q.reserve(1, false);
  auto third = q.reserve(1, false);
  std::string out;
  q.fill({third, 0}, "3", out);
  q.fill({second, 0}, "2", out);
  CHECK(out.empty());
  CHECK(q.held_bytes() == 2);
  q.fill({first, 0}, "1", out);
  CHECK(out == "1\n2\n3\n");
  CHECK(q.pending() == 0);
  CHECK(q.held_bytes() == 0);
}

TEST_CASE("an unordered reply does not wait for an earlier request") {
  reply_queue q;
  auto waiting = q.reserve(1, false);
  auto quick = q.unordered();
  std::string out;
  q.fill(quick, "quick", out);
  CHECK(out == "quick\n");
  CHECK(q.pending() == 1);
  q.fill({waiting, 0}, "slow", out);
  CHECK(out == "quick\nslow\n");
}

TEST_CASE("a batch leaves whole, without replies that nobody wants") {
  reply_queue q;
  auto batch = q.reserve(3, true);
  auto after = q.reserve(1, false);
  std::string out;
  q.fill({after, 0}, "z", out);
  q.fill({batch, 2}, "c", out);
  q.fill({batch, 0}, "a", out);
  CHECK(out.empty());
  q.fill({batch, 1}, "", out);
  CHECK(out == "[a,c]\nz\n");
}

TEST_CASE("a notification leaves no empty line behind") {
  reply_queue q;
  auto slot = q.reserve(1, false);
  std::string out;
  q.fill({slot, 0}, "", out);
  CHECK(out.empty());
}
