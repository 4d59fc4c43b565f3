#include "io/mcp/server.hpp"

#include "io/mcp/prompt_list.hpp"
#include "io/mcp/tool_list.hpp"
#include "tests/io/mcp/fake_backend.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_to.hpp>
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <regex>
#include <set>

// Expectations: the specification of the Model Context Protocol, revisions 2024-11-05 to
// 2026-07-28.

using namespace fermata::io::mcp;
using namespace std::chrono_literals;
namespace json = boost::json;

namespace {

constexpr auto modern_meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

struct host {
  fake_backend backend;
  server mcp{backend, {.version = "1.2.3", .folders = {"/home/anna/fugue"}}};
  server::instant now = server::clock::now();

  void send(const std::string& line) { mcp.line_came(line, now); }
  /// Everything written since the last time, line by line.
  std::vector<json::value> read() {
    std::vector<json::value> out;
    auto text = std::exchange(mcp.out, {});
    std::size_t at = 0;
    while (at < text.size()) {
      auto end = text.find('\n', at);
      REQUIRE(end != std::string::npos);
      out.push_back(json::parse(text.substr(at, end - at)));
      at = end + 1;
    }
    return out;
  }
  json::value ask(const std::string& line) {
    send(line);
    auto lines = read();
    REQUIRE(lines.size() == 1);
    return lines.front();
  }
  json::value legacy(std::string_view method, std::string_view params = "{}") {
    return ask(
        fmt::format(R"({{"jsonrpc":"2.0","id":7,"method":"{}","params":{}}})", method, params));
  }
  json::value modern(std::string_view method, std::string_view params = "") {
    return ask(modern_line(7, method, params));
  }
  static std::string modern_line(int id, std::string_view method, std::string_view params = "") {
    return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{{{}{}{}}}}})", id,
                       method, params, params.empty() ? "" : ",", modern_meta);
  }
  void pass(std::chrono::milliseconds t) {
    now += t;
    mcp.time_passed(now);
  }
  void call_tool(int id, std::string_view name, std::string_view arguments = "{}",
                 std::string_view more = "") {
    send(fmt::format(
        R"({{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"{}","arguments":{}{}}}}})",
        id, name, arguments, more));
  }
};

int code_of(const json::value& v) { return static_cast<int>(v.at("error").at("code").as_int64()); }
const json::value& structured(const json::value& v) {
  return v.at("result").at("structuredContent");
}

}  // namespace

TEST_CASE("initialize answers the revision that was asked for when it is one of the known ones") {
  for (std::string version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
    host h;
    auto v = h.legacy("initialize",
                      R"({"protocolVersion":")" + version +
                          R"(","capabilities":{},"clientInfo":{"name":"x","version":"1"}})");
    CHECK(v.at("result").at("protocolVersion").as_string() == version);
    CHECK(v.at("result").at("serverInfo").at("name") == "fermata");
    CHECK_FALSE(v.at("result").as_object().contains("resultType"));
    CHECK(h.backend.client == "x");
    CHECK(h.backend.looked == 0);
  }
}

TEST_CASE("initialize never answers a revision without handshake") {
  for (std::string version : {"2026-07-28", "1999-01-01"}) {
    host h;
    auto v =
        h.legacy("initialize", R"({"protocolVersion":")" + version + R"(","capabilities":{}})");
    CHECK(v.at("result").at("protocolVersion") == "2025-11-25");
  }
}

TEST_CASE("discover answers without looking for a running Fermata") {
  host h;
  auto v = h.modern("server/discover");
  const auto& r = v.at("result");
  CHECK(r.at("resultType") == "complete");
  CHECK(r.at("supportedVersions") == json::array{"2026-07-28"});
  CHECK(r.at("ttlMs").as_int64() >= 0);
  CHECK(r.at("cacheScope") == "public");
  CHECK(r.at("_meta").at("io.modelcontextprotocol/serverInfo").at("version") == "1.2.3");
  CHECK(r.at("instructions").as_string().size() <= 2048);
  CHECK(h.backend.looked == 0);
}

TEST_CASE("the generation is decided for each message and not for the connection") {
  host h;
  CHECK(h.modern("tools/list").at("result").at("resultType") == "complete");
  CHECK_FALSE(h.legacy("tools/list").at("result").as_object().contains("resultType"));
  CHECK(h.legacy("initialize", R"({"protocolVersion":"2025-06-18","capabilities":{}})")
            .at("result")
            .at("protocolVersion") == "2025-06-18");
  CHECK(h.modern("tools/list").at("result").at("cacheScope") == "public");
  CHECK(h.legacy("ping").at("result") == json::object{});
}

TEST_CASE("a broken envelope is invalid params and another version is named with what is spoken") {
  host h;
  CHECK(code_of(h.legacy("server/discover")) == -32602);
  CHECK(code_of(h.legacy(
            "tools/list",
            R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}})")) == -32602);
  CHECK(code_of(h.legacy("tools/list", R"({"_meta":{"io.modelcontextprotocol/protocolVersion":7,)"
                                       R"("io.modelcontextprotocol/clientCapabilities":{}}})")) ==
        -32602);
  auto v =
      h.legacy("tools/list", R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{}}})");
  CHECK(code_of(v) == -32022);
  CHECK(v.at("error").at("data").at("supported") == json::array{"2026-07-28"});
  CHECK(v.at("error").at("data").at("requested") == "2027-01-01");
}

TEST_CASE("methods that a generation does not have are not found in it") {
  host h;
  for (auto method : {"initialize", "ping", "logging/setLevel", "resources/subscribe", "nonsense"})
    CHECK(code_of(h.modern(method)) == -32601);
  for (auto method : {"subscriptions/listen", "nonsense"})
    CHECK(code_of(h.legacy(method)) == -32601);
}

TEST_CASE("what cannot be read is answered without an id") {
  host h;
  for (auto line : {"nonsense", "[]", R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", "7",
                    R"({"jsonrpc":"2.0","id":null,"method":"ping"})",
                    R"({"jsonrpc":"2.0","id":{},"method":"ping"})"}) {
    CAPTURE(line);
    auto v = h.ask(line);
    CHECK(v.at("error").is_object());
    CHECK_FALSE(v.as_object().contains("id"));
  }
  CHECK(code_of(h.ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}")) == -32700);
}

TEST_CASE("id 0 and string ids come back as they were") {
  host h;
  CHECK(h.ask(R"({"jsonrpc":"2.0","id":0,"method":"ping"})").at("id") == 0);
  CHECK(h.ask(R"({"jsonrpc":"2.0","id":"a\"b","method":"ping"})").at("id") == "a\"b");
}

TEST_CASE("notifications and responses are never answered") {
  host h;
  h.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  h.send(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
  h.send(R"({"jsonrpc":"2.0","method":"nonsense"})");
  h.send(R"({"jsonrpc":"2.0","id":3,"result":{}})");
  h.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}})");
  CHECK(h.read().empty());
}

TEST_CASE("every tool has a plain schema, all hints, and a name that every host takes") {
  auto tools = json::parse(tool_list()).as_array();
  CHECK(tools.size() >= 15);
  // All of them at most 4,000 tokens.
  // `{"type":"object","properties":{"session":{"type":"string"}}}` has 15 tokens, 4.3 characters
  // each; 4 leaves room for the prose, for up to 28 tools.
  CHECK(tool_list().size() < 16'000);
  CHECK(tool_list().size() / tools.size() <= 570);
  for (const auto& t : tools) {
    const auto name = json::value_to<std::string>(t.at("name"));
    CAPTURE(name);
    CHECK(std::regex_match(name, std::regex{"[a-z_]{1,40}"}));
    CHECK(t.at("inputSchema").at("type") == "object");
    CHECK(t.at("outputSchema").at("type") == "object");
    for (auto word : {"oneOf", "anyOf", "allOf"})
      CHECK_FALSE(t.at("inputSchema").as_object().contains(word));
    for (auto hint : {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"})
      CHECK(t.at("annotations").at(hint).is_bool());
    CHECK(find_tool(name) != nullptr);
  }
}

TEST_CASE("the tools of the session, the score, the history, messages and evaluation are there") {
  for (auto name :
       {"repl_list_sessions", "repl_get_session", "repl_get_active_session", "repl_get_score",
        "repl_get_measures", "repl_get_history", "repl_send_message", "repl_eval",
        "repl_eval_preview", "repl_undo", "repl_propose", "repl_wait_for_change",
        "repl_session_create", "repl_session_switch", "repl_session_save"}) {
    CAPTURE(name);
    CHECK(find_tool(name));
  }
  CHECK_FALSE(find_tool("get_score"));
  CHECK_FALSE(find_tool("repl_system.ping"));
}

TEST_CASE("a tool call is passed on and its result comes back whole") {
  host h;
  h.backend.start(100);
  h.call_tool(1, "repl_get_score", R"({"session":"bach","from":3})");
  REQUIRE(h.backend.asked.size() == 1);
  CHECK(h.backend.asked.front().method == "get_score");
  CHECK(json::parse(h.backend.asked.front().params) ==
        json::value{{"session", "bach"}, {"from", 3}});
  h.backend.result(R"({"session":"bach","text":"(score \"x\")\n"})");
  auto v = h.read().front();
  CHECK(v.at("id") == 1);
  CHECK(structured(v).at("text") == "(score \"x\")\n");
  // The text says the same, for hosts that show only text.
  CHECK(json::parse(v.at("result").at("content").at(0).at("text").as_string()) == structured(v));
  CHECK_FALSE(v.at("result").as_object().contains("isError"));
}

TEST_CASE("calls do not wait for each other") {
  host h;
  h.backend.start(100);
  h.call_tool(1, "repl_wait_for_change");
  h.call_tool(2, "repl_get_active_session");
  auto slow = std::move(h.backend.asked.front());
  h.backend.asked.pop_front();
  h.backend.result("{}");
  CHECK(h.read().front().at("id") == 2);
  slow.then({call_outcome::kind_t::result, "{}"});
  CHECK(h.read().front().at("id") == 1);
}

TEST_CASE("an unknown tool and wrong arguments are protocol errors, bad values are results") {
  host h;
  h.backend.start(100);
  CHECK(code_of(h.legacy("tools/call", R"({"name":"repl_nonsense"})")) == -32602);
  CHECK(code_of(h.legacy("tools/call", R"({"name":"repl_get_score","arguments":[1]})")) == -32602);
  h.call_tool(5, "repl_get_measures", R"({"from":0})");
  h.backend.answer(call_outcome::kind_t::refused,
                   R"({"code":-32004,"message":"`from` must be at least 1",)"
                   R"("data":{"name":"out_of_range","hint":"give 1 or more","min":1,"got":0}})");
  auto v = h.read().front();
  CHECK(v.at("result").at("isError") == true);
  CHECK(structured(v).at("error") == "out_of_range");
  CHECK(structured(v).at("hint") == "give 1 or more");
  CHECK(structured(v).at("data").at("min") == 1);
  CHECK(structured(v).at("retryable") == false);
}

TEST_CASE("without a running Fermata a call says how to start one and the next call finds it") {
  host h;
  h.call_tool(1, "repl_get_score");
  auto v = h.read().front();
  CHECK(v.at("result").at("isError") == true);
  CHECK(structured(v).at("error") == "no_session");
  CHECK(structured(v).at("retryable") == true);
  CHECK(structured(v).at("sessions") == json::array{});
  h.backend.start(100);
  h.call_tool(2, "repl_get_score");
  h.backend.result("{}");
  CHECK_FALSE(h.read().front().at("result").as_object().contains("isError"));
}

TEST_CASE("among several Fermatas none is picked silently") {
  host h;
  h.backend.start(100, "/a");
  h.backend.start(200, "/b");
  h.call_tool(1, "repl_get_score");
  auto v = h.read().front();
  CHECK(structured(v).at("error") == "several_instances");
  CHECK(structured(v).at("instances").as_array().size() == 2);
  // By name.
  h.call_tool(2, "repl_get_score", R"({"session":"200/bach"})");
  CHECK(h.backend.asked.front().instance == "id-200");
  CHECK(json::parse(h.backend.asked.front().params) == json::value{{"session", "bach"}});
  h.backend.result("{\"a\":1}");
  v = h.read().front();
  CHECK(structured(v).at("instance") == "200");
  // By pid alone: its active session.
  h.call_tool(3, "repl_get_score", R"({"session":"100"})");
  CHECK(h.backend.asked.front().instance == "id-100");
  CHECK(h.backend.asked.front().params == "{}");
}

TEST_CASE("the Fermata that runs in the host's folder is chosen, and the result says so") {
  host h;
  h.backend.start(100, "/home/anna/sonata");
  h.backend.start(200, "/home/anna/fugue");
  h.call_tool(1, "repl_get_score");
  REQUIRE(h.backend.asked.size() == 1);
  CHECK(h.backend.asked.front().instance == "id-200");
  h.backend.result("{}");
  auto v = h.read().front();
  CHECK(structured(v).at("instance") == "200");
  CHECK(structured(v).as_object().contains("note"));
}

TEST_CASE("a session is found in the one Fermata that has it open") {
  host h;
  h.backend.start(100);
  h.backend.start(200);
  h.call_tool(1, "repl_get_score", R"({"session":"bach"})");
  REQUIRE(h.backend.asked.size() == 2);
  h.backend.result(R"({"sessions":[{"session":"bach","name":"Bach","loaded":false}]})");
  h.backend.result(R"({"sessions":[{"session":"bach","name":"Bach","loaded":true}]})");
  REQUIRE(h.backend.asked.size() == 1);
  CHECK(h.backend.asked.front().instance == "id-200");
}

TEST_CASE("a handle of a Fermata that is gone is stale, not another one") {
  host h;
  h.backend.start(100);
  h.call_tool(1, "repl_get_score", R"({"session":"300/bach"})");
  CHECK(structured(h.read().front()).at("error") == "stale_handle");
}

TEST_CASE("a query whose Fermata was lost is repeated once, a write never") {
  host h;
  h.backend.start(100);
  h.call_tool(1, "repl_get_score");
  h.backend.running = {};
  h.backend.start(101);
  h.backend.answer(call_outcome::kind_t::lost, "");
  REQUIRE(h.backend.asked.size() == 1);
  CHECK(h.backend.asked.front().instance == "id-101");
  h.backend.answer(call_outcome::kind_t::lost, "");
  CHECK(structured(h.read().front()).at("error") == "session_lost");

  h.call_tool(2, "repl_eval", R"x({"text":"(note c4 :q)"})x");
  h.backend.answer(call_outcome::kind_t::lost, "");
  CHECK(h.backend.asked.empty());
  auto v = h.read().front();
  CHECK(structured(v).at("error") == "session_lost");
  CHECK(structured(v).at("outcome") == "unknown");
  CHECK(v.at("result").at("isError") == true);
}

TEST_CASE("a write that certainly did not arrive is sent again") {
  host h;
  h.backend.start(100);
  h.call_tool(2, "repl_send_message", R"({"text":"hello"})");
  h.backend.answer(call_outcome::kind_t::unreachable, "cannot connect");
  REQUIRE(h.backend.asked.size() == 1);
  h.backend.result("{}");
  CHECK_FALSE(h.read().front().at("result").as_object().contains("isError"));
}

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

TEST_CASE("list pages have no further page, and a made-up cursor is refused") {
  host h;
  for (auto method : {"tools/list", "prompts/list", "resources/templates/list"}) {
    CHECK_FALSE(h.legacy(method).at("result").as_object().contains("nextCursor"));
    CHECK(h.legacy(method, R"({"cursor":""})").as_object().contains("result"));
    CHECK(code_of(h.legacy(method, R"({"cursor":"x"})")) == -32602);
  }
}

TEST_CASE("prompts check their arguments and name the tools to use") {
  host h;
  CHECK(h.legacy("prompts/list").at("result").at("prompts").as_array().size() == prompts().size());
  auto v = h.legacy("prompts/get", R"({"name":"analyse_passage","arguments":{"measures":"9-16"}})");
  const auto text =
      json::value_to<std::string>(v.at("result").at("messages").at(0).at("content").at("text"));
  CHECK(text.find("measures 9-16") != std::string::npos);
  CHECK(text.find("repl_get_score") != std::string::npos);
  CHECK(code_of(h.legacy("prompts/get", R"({"name":"nonsense"})")) == -32602);
  CHECK(code_of(h.legacy("prompts/get", R"({"name":"harmonise"})")) == -32602);
  // Whatever tools a prompt names exist.
  for (const auto& p : prompts()) {
    const auto said =
        p.text(fermata::io::protocol::arguments{json::object{{"what", "x"}, {"part", "1"}}});
    const std::regex tool{"repl_[a-z_]+"};
    for (std::sregex_iterator it{said.begin(), said.end(), tool}, end; it != end; ++it)
      CHECK(find_tool(it->str()) != nullptr);
  }
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
  h.mcp.look_again(h.now);
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
  h.mcp.look_again(h.now);
  lines = h.read();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("method") == "notifications/resources/list_changed");
  CHECK(lines[0].at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId") == 9);
  h.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}})");
  h.backend.running.clear();
  h.mcp.look_again(h.now);
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

TEST_CASE("log messages come only above the level that was set") {
  host h;
  h.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  h.backend.on_lost("id-1");
  CHECK(h.read().empty());
  CHECK(h.legacy("logging/setLevel", R"({"level":"warning"})").at("result") == json::object{});
  h.backend.on_lost("id-1");
  auto lines = h.read();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].at("method") == "notifications/message");
  CHECK(code_of(h.legacy("logging/setLevel", R"({"level":"loud"})")) == -32602);
}
