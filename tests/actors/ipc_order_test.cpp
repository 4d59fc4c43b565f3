// One connection, many requests at once: what each finds is what those before it have left.

#include "tests/actors/ipc_fixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <thread>

using namespace fermata;
using namespace fermata::actors;
namespace json = boost::json;

namespace {

/// What is asked for, and what is to be answered when one request is done after the other.
struct asked {
  std::string method, params;
  json::object expected;  ///< members of the result
  std::string error = {};
};

/// The sessions as they are after the requests so far: the protocol's sentences, by hand.
struct sessions_by_hand {
  struct one_session {
    int revision = 0, queued = 0, proposals = 0;
  };
  std::map<std::string, one_session> all{{"one", {}}, {"two", {}}};
  std::string active = "one";

  asked next(std::string_view what, int number) {
    if (what == "create") {
      active = "new-" + std::to_string(number);
      all[active] = {};
      return {"session_create",
              fmt::format(R"({{"name":"{}"}})", active),
              {{"session", active}, {"changed", true}}};
    }
    if (what == "one" || what == "two") {
      auto before = std::exchange(active, what);
      return {"session_switch",
              fmt::format(R"({{"session":"{}"}})", what),
              {{"session", active}, {"before", before}, {"changed", before != active}}};
    }
    if (what == "nowhere") return {"session_switch", R"({"session":"nowhere"})", {}, "not_found"};
    auto& s = all[active];
    auto seen = [&](json::object more) {
      more["session"] = active;
      more["revision"] = s.revision;
      return more;
    };
    if (what == "measure" || what == "late") {
      ++s.revision;
      return {"eval", fmt::format(R"({{"text":"{}"}})", what), seen({{"after", s.revision}})};
    }
    if (what == "message")
      return {"send_message", R"({"text":"for you"})", seen({{"waiting", ++s.queued}})};
    if (what == "propose")
      return {"propose", R"({"text":"late"})", seen({{"proposal", ++s.proposals}})};
    if (what == "preview") return {"eval_preview", R"({"text":"measure"})", seen({})};
    if (what == "save") return {"session_save", "{}", seen({{"saved", true}})};
    if (what == "wait") return {"wait_for_change", R"({"timeout":0})", {{"session", active}}};
    REQUIRE(what == "look");
    return {"get_session", "{}", seen({{"queued", s.queued}, {"active", true}})};
  }
};

std::string request(const asked& a, int id, bool unordered) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{}{}}})", id, a.method,
                     a.params, unordered ? R"(,"unordered":true)" : "");
}

/// `only`: what of the result is looked at; empty: everything that is expected.
void check(const asked& a, const json::object& reply, std::string_view only = {}) {
  CAPTURE(a.method, a.params, json::serialize(reply));
  if (!a.error.empty()) {
    REQUIRE(reply.contains("error"));
    CHECK(std::string{reply.at("error").at("data").at("name").as_string()} == a.error);
    return;
  }
  REQUIRE(reply.contains("result"));
  for (auto& [key, value] : a.expected)
    if (only.empty() || key == only) CHECK(reply.at("result").at(key) == value);
}

}  // namespace

TEST_CASE("requests sent at once are answered as if each had waited for the one before") {
  enum class form { lines, batch, unordered };
  std::mt19937 shuffle{7};
  for (auto how : {form::lines, form::batch, form::unordered})
    for (auto with_board : {true, false})
      for (int round = 0; round < 12; ++round) {
        // Its own: the sessions of the round before hang on the old one.
        auto board = with_board ? std::make_shared<snapshot_board>() : nullptr;
        served_sessions s{{}, board};
        socket_client c{s};
        c.ask("system.hello", R"({"client":"friend","version":"1"})");
        std::vector<std::string_view> order{"one",     "two",  "one",     "two",     "create",
                                            "create",  "late", "measure", "measure", "late",
                                            "message", "save", "look",    "look",    "message",
                                            "propose", "save", "preview", "nowhere", "wait"};
        std::shuffle(order.begin(), order.end(), shuffle);
        sessions_by_hand by_hand;
        std::vector<asked> all;
        std::string text;
        for (auto what : order) {
          const auto id = static_cast<int>(all.size());
          all.push_back(by_hand.next(what, id));
          text += (how == form::batch ? text.empty() ? "[" : "," : "") +
                  request(all.back(), id, how == form::unordered) +
                  (how == form::batch ? "" : "\n");
        }
        if (how == form::batch) text += "]\n";
        CAPTURE(static_cast<int>(how), with_board, text);
        REQUIRE(c.send(text));
        if (how == form::batch) {
          auto replies = c.read().as_array();
          REQUIRE(replies.size() == all.size());
          for (std::size_t i = 0; i < all.size(); ++i)
            check(all[i], replies[i].as_object());
          continue;
        }
        for (std::size_t i = 0; i < all.size(); ++i) {
          auto reply = c.read().as_object();
          auto id = static_cast<std::size_t>(reply.at("id").as_int64());
          // In whatever order they are answered, they find the session that was active for them.
          if (how == form::lines) CHECK(id == i);
          check(all.at(id), reply, how == form::lines ? "" : "session");
        }
      }
}

TEST_CASE("music behind a switch goes where the switch went") {
  served_sessions s;
  socket_client c{s};
  c.ask("system.hello", R"({"client":"friend","version":"1"})");
  c.send("{\"id\":1,\"method\":\"session_switch\",\"params\":{\"session\":\"two\"}}\n"
         "{\"id\":2,\"method\":\"eval\",\"params\":{\"text\":\"measure\"}}\n");
  CHECK(c.read().at("result").at("session") == "two");
  CHECK(c.read().at("result").at("session") == "two");
  auto measures = [&](std::string_view slug) {
    return c.ask("get_session", fmt::format(R"({{"session":"{}"}})", slug))
        .at("result")
        .at("measures");
  };
  CHECK(measures("one") == 0);
  CHECK(measures("two") == 1);
}

TEST_CASE("a session is read before the switch behind, also when it takes long to be found") {
  served_sessions s;
  socket_client c{s}, other{s};
  c.send("{\"id\":1,\"method\":\"get_session\",\"params\":{\"session\":\"slow\"}}\n"
         "{\"id\":2,\"method\":\"session_switch\",\"params\":{\"session\":\"two\"}}\n");
  CHECK(other.ask("get_active_session").at("result").at("session") == "one");
  s.release();
  CHECK(c.read().at("id") == 1);
  CHECK(c.read().at("result").at("session") == "two");
}

TEST_CASE("a write begins when the queries before it have what they look at") {
  served_sessions s;
  socket_client c{s}, other{s};
  c.ask("system.hello", R"({"client":"friend","version":"1"})");
  auto of_one = [&](std::string_view member) {
    return other.ask("get_session", R"({"session":"one"})").at("result").at(member);
  };
  c.send("{\"id\":1,\"method\":\"get_session\",\"params\":{\"session\":\"slow\"}}\n"
         "{\"id\":2,\"method\":\"eval\",\"params\":{\"text\":\"measure\",\"session\":\"one\"}}\n"
         "{\"id\":3,\"method\":\"send_message\",\"params\":{\"text\":\"x\",\"session\":\"one\"},"
         "\"unordered\":true}\n");
  // What came unordered passes them.
  CHECK(c.read().at("id") == 3);
  CHECK(of_one("queued") == 1);
  CHECK(of_one("measures") == 0);
  s.release();
  CHECK(c.read().at("id") == 1);
  CHECK(c.read().at("result").at("after") == 1);
  CHECK(of_one("measures") == 1);
}

TEST_CASE("a wait does not hold up what it waits for") {
  served_sessions s;
  socket_client c{s};
  c.ask("system.hello", R"({"client":"friend","version":"1"})");
  c.send("{\"id\":1,\"method\":\"wait_for_change\",\"params\":{\"revision\":0}}\n"
         "{\"id\":2,\"method\":\"session_switch\",\"params\":{\"session\":\"two\"}}\n"
         "{\"id\":3,\"method\":\"eval\",\"params\":{\"text\":\"measure\",\"session\":\"one\"}}\n");
  CHECK(c.read().at("result").at("changed") == true);
  CHECK(c.read().at("result").at("before") == "one");
  CHECK(c.read().at("result").at("after") == 1);
}

TEST_CASE("words are signed with the name that their client had when it sent them") {
  served_sessions s;
  socket_client c{s};
  c.send(
      "{\"id\":1,\"method\":\"system.hello\",\"params\":{\"client\":\"ann\",\"version\":\"1\"}}\n"
      "{\"id\":2,\"method\":\"send_message\",\"params\":{\"text\":\"first\"}}\n"
      "{\"id\":3,\"method\":\"system.hello\",\"params\":{\"client\":\"bob\",\"version\":\"1\"}}\n"
      "{\"id\":4,\"method\":\"send_message\",\"params\":{\"text\":\"second\"}}\n");
  for (int id = 1; id <= 4; ++id)
    CHECK(c.read().at("id") == id);
  s.submit("one", "measure");
  auto entries = c.ask("get_history").at("result").at("entries").as_array();
  CHECK(entries.at(0).at("author") == "ann");
  CHECK(entries.at(1).at("author") == "bob");
}

TEST_CASE("a stream can be ended by the request behind the one that began it") {
  served_sessions s;
  socket_client c{s};
  c.send("{\"id\":1,\"method\":\"events.subscribe\",\"params\":{}}\n"
         "{\"id\":2,\"method\":\"events.unsubscribe\",\"params\":{\"subscription\":1}}\n");
  CHECK(c.read().at("result").at("subscription") == 1);
  CHECK(c.read().at("result").at("changed") == true);
}

TEST_CASE("what a client asked for before it hung up is done, but its evaluations end") {
  session_limits limits;
  limits.remote_wall_time = std::chrono::hours{1};
  ipc_options o;
  o.connection.look_for_client = std::chrono::milliseconds{5};
  served_sessions s{o, std::make_shared<snapshot_board>(), {}, limits};
  socket_client watching{s};
  {
    socket_client c{s};
    c.ask("system.hello", R"({"client":"friend","version":"1"})");
    std::string all;
    for (int i = 0; i < 40; ++i)
      all += fmt::format(R"({{"id":{},"method":"{}","params":{{"text":"{}"}}}})"
                         "\n",
                         i, i % 4 == 3 ? "eval" : "send_message", i % 4 == 3 ? "loop" : "x");
    c.send(all);
    c.close();
  }
  const auto seen = [&](std::string_view what) {
    return watching.ask("get_session").at("result").at(what).as_int64();
  };
  for (int i = 0; i < 1'000 && seen("queued") < 30; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  CHECK(seen("queued") == 30);
  s.submit("one", "x");  // nothing stands before it
}
