#include "io/protocol/reply_queue.hpp"

#include "io/text/line_decoder.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace fermata::io::reply_queue_test {

using namespace fermata::io::protocol;

TEST_CASE("replies leave in the order of their requests") {
  reply_queue q;
  auto first = q.reserve();
  auto second = q.reserve();
  auto third = q.reserve();
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
  auto waiting = q.reserve();
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
  auto batch = q.reserve_batch(std::vector<reply_head>(3));
  auto after = q.reserve();
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
  auto slot = q.reserve();
  std::string out;
  q.fill({slot, 0}, "", out);
  CHECK(out.empty());
}

namespace {

/// The heads of a batch whose requests are numbered from 1.
std::vector<reply_head> numbered(std::size_t count) {
  std::vector<reply_head> out(count);
  for (std::size_t i = 0; i < count; ++i)
    out[i].id = std::to_string(i + 1);
  return out;
}

/// A reply of so many bytes.
std::string reply_of(std::size_t number, std::size_t bytes) {
  auto beginning = fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{{"x":")", number);
  return beginning + std::string(bytes - beginning.size() - 3, 'x') + "\"}}";
}

}  // namespace

TEST_CASE("a reply that has no room in the line of its batch is an error with its id") {
  // Three replies of 400,000 bytes: two fit into 1,048,576 bytes.
  reply_queue q;
  auto batch = q.reserve_batch(numbered(3));
  std::string out;
  for (std::size_t i : {2u, 0u, 1u})
    q.fill({batch, i}, reply_of(i + 1, 400'000), out);
  CHECK(out.size() <= max_line + 1);
  const auto replies = boost::json::parse(out).as_array();
  REQUIRE(replies.size() == 3);
  for (int i : {0, 2})
    CHECK(replies[i].as_object().contains("result"));
  CHECK(replies[1].at("id") == 2);
  CHECK(replies[1].at("error").at("code") == -32004);
  CHECK(replies[1].at("error").at("data").at("max") == 1'048'576);
  CHECK(replies[1].at("error").at("data").at("got") == 400'000);
  CHECK(q.pending() == 0);
  CHECK(q.held_bytes() == 0);
}

TEST_CASE("the line of a batch may be filled to its last byte") {
  // `[` and `]` and a comma are three bytes.
  for (std::size_t more : {0u, 1u}) {
    reply_queue q;
    auto batch = q.reserve_batch(numbered(2));
    std::string out;
    q.fill({batch, 0}, reply_of(1, 500'000), out);
    q.fill({batch, 1}, reply_of(2, max_line - 3 - 500'000 + more), out);
    const auto replies = boost::json::parse(out).as_array();
    CHECK(replies.at(1).as_object().contains("result") == (more == 0));
    if (more == 0) CHECK(out.size() == max_line + 1);
  }
}

TEST_CASE("as many long replies as a batch may have are answered, each with its id") {
  reply_queue q;
  auto heads = numbered(max_batch);
  // The longest ids that are taken.
  for (auto& head : heads)
    head.id = '"' + std::string(1'019 - head.id.size(), 'i') + head.id + '"';
  auto batch = q.reserve_batch(heads);
  std::string out;
  for (std::size_t i = 0; i < max_batch; ++i)
    q.fill({batch, i}, reply_of(i + 1, 36'000), out);
  CHECK(out.size() <= max_line + 1);
  const auto replies = boost::json::parse(out).as_array();
  REQUIRE(replies.size() == max_batch);
  std::size_t whole = 0;
  for (std::size_t i = 0; i < max_batch; ++i) {
    if (replies[i].as_object().contains("result"))
      ++whole;
    else
      CHECK(boost::json::value_to<std::string>(replies[i].at("id")).size() + 2 ==
            heads[i].id.size());
  }
  CHECK(whole > 0);
}

TEST_CASE("what nobody wants keeps no room in the line of a batch") {
  reply_queue q;
  auto heads = numbered(2);
  heads[1].wanted = false;
  auto batch = q.reserve_batch(heads);
  std::string out;
  q.fill({batch, 0}, reply_of(1, max_line - 2), out);
  q.fill({batch, 1}, {}, out);
  CHECK(out.size() == max_line + 1);
  CHECK(boost::json::parse(out).as_array().at(0).as_object().contains("result"));
}

}  // namespace fermata::io::reply_queue_test
