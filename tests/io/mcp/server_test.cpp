#include "io/mcp/prompt_list.hpp"
#include "io/mcp/tool_list.hpp"
#include "tests/io/mcp/mcp_host.hpp"

#include <regex>
#include <set>

// Expectations: the specification of the Model Context Protocol, revisions 2024-11-05 to
// 2026-07-28.

namespace fermata::io::mcp::server_test {

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

TEST_CASE("a request without a method is refused under its id, for somebody waits for it") {
  host h;
  for (auto [id, line] : {std::pair{json::value(1), R"({"jsonrpc":"2.0","id":1})"},
                          {json::value(0), R"({"jsonrpc":"2.0","id":0,"params":{}})"},
                          {json::value("a"), R"({"id":"a"})"},
                          {json::value(2), R"({"jsonrpc":"2.0","id":2,"method":7})"}}) {
    CAPTURE(line);
    auto v = h.ask(line);
    CHECK(v.at("id") == id);
    CHECK(code_of(v) == -32600);
  }
  for (auto line : {R"({"jsonrpc":"2.0"})", R"({"jsonrpc":"2.0","id":null})",
                    R"({"jsonrpc":"2.0","id":[1]})"}) {
    CAPTURE(line);
    auto v = h.ask(line);
    CHECK(code_of(v) == -32600);
    CHECK_FALSE(v.as_object().contains("id"));
  }
}

TEST_CASE("a member that stands twice is refused, as at the socket") {
  host h;
  // With the id itself in doubt, nobody can be told under which.
  auto v = h.ask(R"({"jsonrpc":"2.0","id":6,"id":7,"method":"ping"})");
  CHECK(code_of(v) == -32600);
  CHECK_FALSE(v.as_object().contains("id"));
  for (std::string line :
       {R"({"jsonrpc":"2.0","id":6,"method":"tools/list","method":"ping"})",
        R"({"jsonrpc":"2.0","id":6,"method":"ping","params":{},"params":{"a":1}})",
        R"({"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"repl_eval",)"
        R"("arguments":{"text":"1","text":"2"}}})"}) {
    CAPTURE(line);
    v = h.ask(line);
    CHECK(code_of(v) == -32600);
    CHECK(v.at("id") == 6);
  }
  h.send(R"({"jsonrpc":"2.0","method":"notifications/initialized","method":"x"})");
  CHECK(h.read().empty());
  CHECK(h.backend.asked.empty());
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

}  // namespace fermata::io::mcp::server_test
