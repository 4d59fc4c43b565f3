#include "io/protocol/outgoing_lines.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::outgoing_lines_test {

using namespace fermata::io::protocol;

TEST_CASE("replies leave in the order of their requests, notifications as they come") {
  outgoing_lines lines;
  auto first = lines.reserve(), second = lines.reserve();
  lines.reply({second, 0}, "two");
  CHECK_FALSE(lines.has_queued());
  CHECK(lines.pending_replies() == 1);
  CHECK(lines.held_bytes() > 0);
  lines.notify(envelope::json_rpc, "events.event", {{"number", 1}});
  lines.reply({first, 0}, "one");
  lines.reply(lines.unordered(), "free");
  CHECK(lines.take() ==
        "{\"jsonrpc\":\"2.0\",\"method\":\"events.event\",\"params\":{\"number\":1}}\n"
        "one\ntwo\nfree\n");
  CHECK(lines.pending_replies() == 0);
}

TEST_CASE("bytes count as unsent until the peer has taken them") {
  outgoing_lines lines;
  lines.reply(lines.unordered(), "1234");
  CHECK(lines.unsent() == 5);
  CHECK(lines.in_socket() == 0);
  CHECK(lines.take() == "1234\n");
  CHECK(lines.take().empty());
  CHECK(lines.unsent() == 5);
  CHECK(lines.in_socket() == 5);
  lines.taken(3);
  CHECK(lines.unsent() == 2);
  lines.taken(2);
  CHECK(lines.unsent() == 0);
  CHECK(lines.taken_in_all() == 5);
}

}  // namespace fermata::io::outgoing_lines_test
