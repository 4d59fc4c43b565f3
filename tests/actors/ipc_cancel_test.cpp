#include "tests/actors/ipc_fixture.hpp"

// What `system.cancel` of docs/ipc.md says: one request of a connection is given up, and the rest
// of it goes on.

namespace fermata::actors {

namespace {

session_limits endless() {
  session_limits limits;
  limits.remote_wall_time = std::chrono::hours{1};
  limits.preview_slices.fill(std::chrono::hours{1});
  return limits;
}

std::string line(std::string_view id, std::string_view method, std::string_view params,
                 bool unordered = true) {
  return "{\"id\":" + std::string{id} + ",\"method\":\"" + std::string{method} +
         "\",\"params\":" + std::string{params} + (unordered ? ",\"unordered\":true}\n" : "}\n");
}

std::string cancel(std::string_view id) {
  return "{\"jsonrpc\":\"2.0\",\"method\":\"system.cancel\",\"params\":{\"request\":" +
         std::string{id} + "}}\n";
}

}  // namespace

TEST_CASE("a cancelled preview ends and leaves its place to the next one") {
  served_sessions s{{}, std::make_shared<snapshot_board>(), {}, endless()};
  socket_client c{s};
  c.send(line("1", "eval_preview", R"({"text":"loop"})"));
  c.send(line("2", "eval_preview", R"({"text":"late"})"));
  c.send(cancel("1"));
  auto given_up = c.read();
  CHECK(given_up.at("id") == 1);
  CHECK(given_up.at("error").at("code") == "failed");
  // Each connection has one at a time: the loop is over.
  auto next = c.read();
  CHECK(next.at("id") == 2);
  CHECK(next.as_object().contains("result"));
}

TEST_CASE("the number of a request may be written in two ways") {
  for (auto [asked, cancelled] : {std::pair{"100", "100.0"}, {"1e2", "100"}, {"-0.0", "0"}}) {
    served_sessions s{{}, std::make_shared<snapshot_board>(), {}, endless()};
    socket_client c{s};
    c.send(line(asked, "eval_preview", R"({"text":"loop"})"));
    c.send(cancel("101"));
    c.send(cancel(cancelled));
    CHECK(c.read().at("error").at("code") == "failed");
  }
}

TEST_CASE("a cancelled evaluation changes nothing and does not hold the user's line") {
  for (bool begun : {true, false}) {
    served_sessions s{{}, std::make_shared<snapshot_board>(), {}, endless()};
    socket_client c{s};
    c.ask("system.hello", R"({"client":"friend","version":"1"})");
    if (!begun) c.send(line("\"first\"", "eval", R"({"text":"loop"})"));
    c.send(line("\"a\"", "eval", R"({"text":"loop"})"));
    c.send(cancel("\"a\""));
    if (!begun) c.send(cancel("\"first\""));
    for (int replies = 0; replies < (begun ? 1 : 2); ++replies)
      CHECK(c.read().at("error").at("code") == "eval_error");
    s.submit("one", "x");
    CHECK(c.ask("get_session").at("result").at("revision") == 0);
  }
}

TEST_CASE("what has not begun is not done when it is cancelled, and what is behind it goes on") {
  served_sessions s{{}, std::make_shared<snapshot_board>(), {}, endless()};
  socket_client c{s};
  c.ask("system.hello", R"({"client":"friend","version":"1"})");
  c.send(line("1", "eval", R"({"text":"loop"})", false));
  c.send(line("2", "send_message", R"({"text":"never"})", false));
  c.send(line("3", "send_message", R"({"text":"hello"})", false));
  c.send(cancel("2"));
  c.send(cancel("1"));
  CHECK(c.read().at("error").at("code") == "eval_error");
  CHECK(c.read().at("error").at("code") == "failed");
  CHECK(c.read().at("result").at("waiting") == 1);
}

TEST_CASE("a cancelled wait is over") {
  served_sessions s;
  socket_client c{s};
  // That it is under way: it is told of a session that it waits for.
  c.send(line("1", "wait_for_change", R"({"revision":0,"timeout":50})"));
  c.ask("get_session");
  c.send(cancel("1"));
  auto v = c.read();
  CHECK(v.at("id") == 1);
  CHECK(v.at("error").at("code") == "failed");
  s.submit("one", "measure");
  CHECK(c.ask("get_session").at("result").at("revision") == 1);
}

TEST_CASE("cancelling what was answered, or was never asked, changes nothing") {
  served_sessions s;
  socket_client c{s}, other{s};
  c.ask("system.hello", R"({"client":"friend","version":"1"})");
  c.ask("eval", R"({"text":"measure"})");
  for (std::string id : {"1", "\"1\"", "77"})
    CHECK(c.ask("system.cancel", R"({"request":)" + id + "}").at("result").at("changed") == false);
  CHECK(c.ask("get_session").at("result").at("revision") == 1);
  for (std::string id : {"null", "[1]", "{}", "true"})
    CHECK(c.ask("system.cancel", R"({"request":)" + id + "}").at("error").at("code") ==
          "invalid_params");
  // Requests of another connection are not one's own.
  c.send(line("5", "wait_for_change", R"({"revision":1,"timeout":50})"));
  CHECK(other.ask("system.cancel", R"({"request":5})").at("result").at("changed") == false);
  // Nor is a string the number that it looks like.
  c.send(line("6", "system.cancel", R"({"request":"5"})"));
  CHECK(c.read().at("result").at("changed") == false);
  c.send(line("7", "system.cancel", R"({"request":5})"));
  CHECK(c.read().at("id") == 5);
  CHECK(c.read().at("result").at("changed") == true);
}

TEST_CASE("what became of a proposal can be asked") {
  for (bool accept : {true, false}) {
    served_sessions s;
    socket_client c{s};
    c.ask("system.hello", R"({"client":"pupil","version":"1","door":"mcp"})");
    c.ask("propose", R"({"text":"measure"})");
    auto open = c.ask("get_proposal", R"({"proposal":1})").at("result");
    CHECK(open.at("state") == "open");
    CHECK(open.at("by") == "pupil");
    CHECK(open.at("text") == "measure");
    s.submit("one", accept ? ":accept 1" : ":reject 1");
    CHECK(c.ask("get_proposal", R"({"proposal":1})").at("result").at("state") ==
          (accept ? "accepted" : "rejected"));
    CHECK(c.ask("get_proposal", R"({"proposal":2})").at("error").at("code") == "not_found");
  }
}

}  // namespace fermata::actors
