#include "io/mcp/tool_list.hpp"
#include "tests/io/mcp/mcp_host.hpp"

#include <regex>
#include <set>

// Expectations: the specification of the Model Context Protocol, revisions 2024-11-05 to
// 2026-07-28.

namespace fermata::io::mcp::server_tools_test {

TEST_CASE("every tool has a plain schema, all hints, and a name that every host takes") {
  auto tools = json::parse(tool_list()).as_array();
  CHECK(tools.size() >= 15);
  // All of them at most 4,000 tokens.
  // `{"type":"object","properties":{"session":{"type":"string"}}}` has 15 tokens, 4.3 characters
  // each; 4 leaves room for the prose, for up to 27 tools.
  CHECK(tool_list().size() < 16'000);
  CHECK(tool_list().size() / tools.size() <= 590);
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

TEST_CASE(
    "what is under way when the host says no more is answered, at the latest after five seconds") {
  host h;
  h.backend.start(100);
  h.call_tool(1, "repl_wait_for_change");
  h.call_tool(2, "repl_get_score");
  h.call_tool(3, "repl_eval", R"x({"text":"(note c4 :q)"})x");
  h.call_tool(4, "repl_get_history");
  auto soon = std::move(h.backend.asked.back());
  h.mcp.input_ended(h.now);
  auto told = h.read();
  REQUIRE(told.size() == 1);  // nobody knows when something happens
  CHECK(told.front().at("id") == 1);
  CHECK(structured(told.front()).at("error") == "timed_out");
  // Fermata was not slow.
  CHECK(structured(told.front()).at("message") == "the input ended before anything changed");
  h.pass(4'999ms);
  CHECK(h.read().empty());
  soon.then({call_outcome::kind_t::result, R"({"entries":[]})"});
  CHECK(h.read().front().at("id") == 4);
  CHECK(h.mcp.in_flight() == 2);
  CHECK(h.mcp.wake_at() == h.now + 1ms);
  h.pass(1ms);
  CHECK(h.mcp.in_flight() == 0);
  told = h.read();
  REQUIRE(told.size() == 2);
  for (auto& answer : told) {
    CHECK(structured(answer).at("error") == "timed_out");
    // Whether a write took effect nobody knows.
    CHECK(structured(answer).as_object().contains("outcome") == (answer.at("id") == 3));
  }
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

// The specification: a requestor must not use the id of a request again.
TEST_CASE("a second call under the id of one that waits is refused, and the first still answered") {
  host h;
  h.backend.start(100);
  h.call_tool(1, "repl_get_score");
  h.call_tool(1, "repl_get_session");
  auto refused = h.read().front();
  CHECK(refused.at("id") == 1);
  CHECK(refused.at("error").at("code") == -32600);
  h.backend.result("{\"a\":1}");
  CHECK(structured(h.read().front()).at("a") == 1);
  // And the id may be used again.
  h.call_tool(1, "repl_get_session");
  CHECK(h.read().empty());
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
  h.backend.start(300);
  h.call_tool(1, "repl_get_score", R"({"session":"300/bach"})");
  h.backend.result("{}");
  h.read();
  h.backend.running.pop_back();
  for (auto name : {"300/bach", "300"}) {
    h.call_tool(1, "repl_get_score", fmt::format(R"({{"session":"{}"}})", name));
    CHECK(h.backend.asked.empty());
    CHECK(structured(h.read().front()).at("error") == "stale_handle");
  }
}

TEST_CASE("a session may be called like a process with something behind it") {
  // The one Fermata is asked for it; so is each of several.
  host h;
  h.backend.start(100);
  h.call_tool(1, "repl_get_score", R"({"session":"6/8 jig"})");
  REQUIRE(h.backend.asked.size() == 1);
  CHECK(json::parse(h.backend.asked.front().params) == json::value{{"session", "6/8 jig"}});
  h.backend.result(R"({"session":"6-8-jig"})");
  CHECK(structured(h.read().front()).at("session") == "6-8-jig");
  h.backend.start(200);
  h.call_tool(2, "repl_get_score", R"({"session":"6/8 jig"})");
  REQUIRE(h.backend.asked.size() == 2);
  h.backend.result(R"({"sessions":[]})");
  h.backend.result(R"({"sessions":[{"session":"6-8-jig","name":"6/8 jig","loaded":true}]})");
  REQUIRE(h.backend.asked.size() == 1);
  CHECK(h.backend.asked.front().instance == "id-200");
  h.backend.result("{}");
  h.read();
  // Where there is none of that name, it was the handle of a Fermata that is gone.
  h.call_tool(3, "repl_get_score", R"({"session":"6/8 jig"})");
  h.backend.result(R"({"sessions":[]})");
  h.backend.result(R"({"sessions":[]})");
  CHECK(structured(h.read().front()).at("error") == "stale_handle");
  h.backend.running.pop_back();
  h.call_tool(4, "repl_get_score", R"({"session":"300/bach"})");
  h.backend.answer(call_outcome::kind_t::refused,
                   R"({"code":-32002,"message":"no","data":{"name":"not_found","hint":"x"}})");
  CHECK(structured(h.read().front()).at("error") == "stale_handle");
}

TEST_CASE("a tool of no one session takes the process id of a Fermata, and its schema says so") {
  const auto tools = json::parse(tool_list());
  for (const auto& t : tools.as_array())
    CHECK(t.at("inputSchema").at("properties").as_object().contains("session"));
  for (auto name : {"repl_session_create", "repl_get_active_session", "repl_list_sessions"}) {
    CAPTURE(name);
    host h;
    h.backend.start(100);
    h.backend.start(200);
    h.call_tool(1, name, R"({"session":"200"})");
    REQUIRE(h.backend.asked.size() == 1);
    CHECK(h.backend.asked.front().instance == "id-200");
    CHECK(h.backend.asked.front().params == "{}");
    h.backend.result("{}");
    h.read();
    h.call_tool(2, name, R"({"session":"200/bach"})");
    CHECK(h.backend.asked.empty());
    auto v = h.read().front();
    CHECK(structured(v).at("error") == "invalid_params");
    CHECK(structured(v).at("data").at("param") == "session");
  }
}

TEST_CASE("a Fermata that runs and cannot be reached is not said to be none") {
  host h;
  h.backend.unreachable = "the process 7 in /music cannot be reached: the path is too long";
  h.call_tool(1, "repl_get_score");
  auto v = h.read().front();
  CHECK(structured(v).at("error") == "no_session");
  CHECK(std::string{structured(v).at("message").as_string()}.find("the path is too long") !=
        std::string::npos);
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

}  // namespace fermata::io::mcp::server_tools_test
