#include "tests/io/mcp/mcp_host.hpp"

#include <set>

// Expectations: the specification of the Model Context Protocol, revisions 2024-11-05 to
// 2026-07-28.

namespace fermata::io::mcp::server_resources_test {

TEST_CASE("a cancelled call is never answered") {
  host h;
  h.backend.start(100);
  h.call_tool(4, "repl_wait_for_change", "{}", R"(,"_meta":{"progressToken":"t"})");
  auto question = h.backend.asked.front();
  h.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}})");
  CHECK(h.mcp.in_flight() == 0);
  CHECK(h.backend.asked.empty());
  question.then({call_outcome::kind_t::result, "{}"});
  h.pass(60s);
  CHECK(h.read().empty());
}

TEST_CASE("a long call shows signs of life when a token was given, rising, and none after it") {
  host h;
  h.backend.start(100);
  h.call_tool(4, "repl_wait_for_change", "{}", R"(,"_meta":{"progressToken":"t"})");
  h.call_tool(5, "repl_wait_for_change");
  h.pass(5s);
  h.pass(5s);
  auto lines = h.read();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].at("method") == "notifications/progress");
  CHECK(lines[0].at("params").at("progressToken") == "t");
  CHECK(lines[0].at("params").at("progress").as_int64() <
        lines[1].at("params").at("progress").as_int64());
  h.backend.result("{}");
  h.backend.result("{}");
  h.read();
  h.pass(5s);
  CHECK(h.read().empty());
}

TEST_CASE("a call that is not answered ends with an error before the host gives up") {
  host h;
  h.backend.start(100);
  h.call_tool(1, "repl_send_message", R"({"text":"x"})");
  CHECK(*h.mcp.wake_at() < h.now + 55s);
  h.pass(55s);
  auto v = h.read().front();
  CHECK(structured(v).at("error") == "timed_out");
  CHECK(structured(v).at("outcome") == "unknown");
  CHECK(h.mcp.in_flight() == 0);
}

TEST_CASE("a session's score is read as a resource and a made-up address is refused") {
  host h;
  h.backend.start(100);
  h.send(R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})");
  h.backend.result(R"({"sessions":[{"session":"bach","name":"Bach","loaded":true},)"
                   R"({"session":"old","name":"Old","loaded":false}]})");
  auto v = h.read().front();
  CHECK(v.at("result").at("resources").as_array().size() == 3);
  CHECK(v.at("result").at("resources").at(0).at("uri") == "fermata://session/bach/score");
  h.send(host::modern_line(2, "resources/read", R"x("uri":"fermata://session/bach/score")x"));
  CHECK(h.backend.asked.front().method == "get_score");
  h.backend.result(R"x({"text":"(score)","from":1,"to":2,"measures":2})x");
  v = h.read().front();
  CHECK(v.at("result").at("contents").at(0).at("text") == "(score)");
  CHECK(v.at("result").at("cacheScope") == "private");
  CHECK(v.at("result").at("ttlMs") == 0);
  for (auto uri :
       {"fermata://session/bach/nonsense", "file:///etc/passwd", "fermata://session//score"})
    CHECK(code_of(h.legacy("resources/read", fmt::format(R"({{"uri":"{}"}})", uri))) == -32602);
}

TEST_CASE("without a running Fermata the list of resources is empty, not an error") {
  host h;
  CHECK(h.legacy("resources/list").at("result").at("resources") == json::array{});
}

TEST_CASE("an address keeps whatever a session is called") {
  for (std::string name : {"bach", "100/bach", "a b%/c"}) {
    resource_uri uri{name, &resource_views()[0]};
    CHECK(parse_uri(to_text(uri))->session == name);
  }
}

TEST_CASE("a subscribed score tells at most four changes a second and never loses the last") {
  host h;
  h.backend.start(100);
  h.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  h.legacy("resources/subscribe", R"({"uri":"fermata://session/bach/score"})");
  REQUIRE(h.backend.asked.size() == 1);
  CHECK(h.backend.asked.front().method == "events.subscribe");
  h.backend.result(R"({"subscription":1,"session":"bach"})");
  for (int i = 0; i < 5; ++i)
    h.backend.on_event("id-100", "events.event",
                       R"({"session":"bach","what":["entries","score"]})");
  auto lines = h.read();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("method") == "notifications/resources/updated");
  CHECK(lines[0].at("params").at("uri") == "fermata://session/bach/score");
  h.pass(250ms);
  CHECK(h.read().size() == 1);
  h.pass(250ms);
  CHECK(h.read().empty());
  // Entries alone leave the score as it is; other sessions too.
  h.backend.on_event("id-100", "events.event", R"({"session":"bach","what":["entries"]})");
  h.backend.on_event("id-100", "events.event", R"({"session":"other","what":["score"]})");
  h.pass(1s);
  CHECK(h.read().empty());
  h.legacy("resources/unsubscribe", R"({"uri":"fermata://session/bach/score"})");
  h.backend.on_event("id-100", "events.event", R"({"session":"bach","what":["score"]})");
  CHECK(h.read().empty());
}

TEST_CASE("after a restart subscriptions are renewed and everything is told to be read again") {
  host h;
  h.backend.start(100);
  h.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  h.legacy("resources/subscribe", R"({"uri":"fermata://session/bach/score"})");
  h.backend.result(R"({"subscription":1,"session":"bach"})");
  h.backend.running.clear();
  h.backend.on_lost("id-100");
  h.read();
  h.pass(500ms);
  CHECK(h.backend.asked.empty());
  h.backend.start(101);
  h.mcp.rescan(h.now);
  h.pass(2s);
  REQUIRE(h.backend.asked.size() == 1);
  CHECK(h.backend.asked.front().instance == "id-101");
  h.read();
  h.backend.result(R"({"subscription":1,"session":"bach"})");
  auto lines = h.read();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("method") == "notifications/resources/updated");
}

TEST_CASE("a listener gets what it asked for, under its id, until it cancels") {
  host h;
  h.backend.start(100);
  h.send(host::modern_line(
      9, "subscriptions/listen",
      R"("notifications":{"toolsListChanged":true,"resourcesListChanged":true})"));
  auto lines = h.read();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("method") == "notifications/subscriptions/acknowledged");
  CHECK(lines[0].at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId") == 9);
  CHECK(lines[0].at("params").at("notifications") == json::value{{"resourcesListChanged", true}});
  h.backend.start(200);
  h.mcp.rescan(h.now);
  lines = h.read();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("method") == "notifications/resources/list_changed");
  CHECK(lines[0].at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId") == 9);
  h.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}})");
  h.backend.running.clear();
  h.mcp.rescan(h.now);
  CHECK(h.read().empty());
}

TEST_CASE("at the end an open stream is ended in order") {
  host h;
  h.send(host::modern_line(9, "subscriptions/listen",
                           R"("notifications":{"resourcesListChanged":true})"));
  h.read();
  h.mcp.finish();
  auto lines = h.read();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("id") == 9);
  CHECK(lines[0].at("result").at("resultType") == "complete");
}

TEST_CASE("completion offers sessions, parts and choices that begin as typed") {
  host h;
  h.backend.start(100);
  auto v = h.legacy("completion/complete",
                    R"({"ref":{"type":"ref/prompt","name":"check_voice_leading"},)"
                    R"("argument":{"name":"style","value":"c"}})");
  CHECK(v.at("result").at("completion").at("values") == json::array{"chorale"});
  h.send(R"({"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{)"
         R"("ref":{"type":"ref/resource","uri":"fermata://session/{session}/score"},)"
         R"("argument":{"name":"session","value":"ba"}}})");
  h.backend.result(
      R"({"sessions":[{"session":"bach","loaded":true},{"session":"mahler","loaded":true}]})");
  CHECK(h.read().front().at("result").at("completion").at("values") == json::array{"bach"});
  CHECK(code_of(h.legacy(
            "completion/complete",
            R"({"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":""}})")) ==
        -32602);
}

}  // namespace fermata::io::mcp::server_resources_test
