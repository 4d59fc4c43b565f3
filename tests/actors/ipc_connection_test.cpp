#include "tests/actors/ipc_fixture.hpp"

#include <fmt/format.h>

#include <thread>

using namespace fermata;
using namespace fermata::actors;
namespace json = boost::json;

TEST_CASE("a client says hello and learns whom it talks to") {
  served_sessions s;
  socket_client c{s};
  auto v = c.ask("system.hello", R"({"client":"test","version":"1"})").at("result");
  CHECK(v.at("server") == "fermata");
  CHECK(v.at("version") == "9.9");
  CHECK(std::string{v.at("instance").as_string()} == s.record.id);
  CHECK(v.at("pid") == ::getpid());
}

TEST_CASE("a pipelined client that stops sending gets every reply, in order") {
  served_sessions s;
  socket_client c{s};
  std::string all;
  for (int i = 0; i < 2000; ++i)
    all += "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(i) + ",\"method\":\"" +
           (i % 3 == 0   ? "system.ping"
            : i % 3 == 1 ? "get_session"
                         : "get_score") +
           "\"}\n";
  std::thread sender{[&] {
    c.send(all);
    c.stop_sending();
  }};
  bool in_order = true;
  for (int i = 0; i < 2000; ++i)
    in_order &= c.read().at("id") == i;
  sender.join();
  CHECK(in_order);
  CHECK(c.ended());
}

TEST_CASE("a query sees what the write before it on the same connection did") {
  // With the board and without it.
  for (auto board : {std::make_shared<snapshot_board>(), std::shared_ptr<snapshot_board>{}}) {
    served_sessions s{{}, board};
    socket_client c{s};
    c.ask("system.hello", R"({"client":"friend","version":"1"})");
    for (int i = 1; i <= 20; ++i) {
      CHECK(c.ask("eval", R"({"text":"measure"})").at("result").at("after") == i);
      CHECK(c.ask("get_session").at("result").at("measures") == i);
      CHECK(c.ask("get_session", R"({"session":"two"})").at("result").at("measures") == 0);
    }
  }
}

TEST_CASE("the last line needs no end when the client stops sending") {
  served_sessions s;
  socket_client c{s};
  c.send(R"({"id":5,"method":"system.ping"})");
  c.stop_sending();
  CHECK(c.read().at("id") == 5);
  CHECK(c.ended());
}

TEST_CASE("lines that come byte by byte are answered") {
  served_sessions s;
  socket_client c{s};
  for (char byte : std::string{"{\"id\":1,\"method\":\"system.ping\"}\r\n"})
    REQUIRE(c.send({&byte, 1}));
  CHECK(c.read().at("result").at("pong") == true);
}

TEST_CASE("a slow request holds up later ones of its connection, but no other connection") {
  served_sessions s;
  socket_client slow{s}, other{s};
  slow.send("{\"id\":1,\"method\":\"get_session\",\"params\":{\"session\":\"slow\"}}\n"
            "{\"id\":2,\"method\":\"system.ping\"}\n"
            "{\"id\":3,\"method\":\"system.ping\",\"unordered\":true}\n");
  CHECK(slow.read().at("id") == 3);
  CHECK(other.ask("get_session").at("result").at("session") == "one");
  s.release();
  CHECK(slow.read().at("id") == 1);
  CHECK(slow.read().at("id") == 2);
}

TEST_CASE("a batch is answered whole and a notification not at all") {
  served_sessions s;
  socket_client c{s};
  c.send("{\"jsonrpc\":\"2.0\",\"method\":\"system.ping\"}\n"
         "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list_sessions\"},"
         "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"system.ping\"}]\n");
  auto v = c.read();
  REQUIRE(v.as_array().size() == 2);
  CHECK(v.at(0).at("result").at("sessions").as_array().size() == 2);
  CHECK(v.at(1).at("id") == 0);
}

TEST_CASE("a batch of more than a line holds is answered in a line, and the connection stays") {
  served_sessions s;
  socket_client c{s};
  // Nine megabytes in all: each reply has more than thirty thousand bytes.
  std::string batch;
  for (int i = 1; i <= 256; ++i)
    batch += fmt::format(R"({}{{"jsonrpc":"2.0","id":{},"method":"rpc.discover"}})",
                         batch.empty() ? "[" : ",", i);
  c.send(batch + "]\n");
  const auto line = c.line();
  CHECK(line.size() <= io::protocol::max_line);
  const auto replies = boost::json::parse(line).as_array();
  REQUIRE(replies.size() == 256);
  for (std::size_t i = 0; i < 256; ++i) {
    const auto& reply = replies[i].as_object();
    CHECK(reply.at("id") == i + 1);
    if (!reply.contains("result")) CHECK(reply.at("error").at("code") == -32004);
  }
  CHECK(replies.front().as_object().contains("result"));
  CHECK_FALSE(replies.back().as_object().contains("result"));
  CHECK(c.ask("system.ping").at("result").at("pong") == true);
}

TEST_CASE("who reads is not disconnected, however much it has asked for at once") {
  served_sessions s;
  socket_client c{s};
  // What stands behind the first is held back and leaves together with it: more than eight
  // megabytes, of which the socket takes a small part.
  std::string many = "{\"id\":0,\"method\":\"get_session\",\"params\":{\"session\":\"slow\"}}\n";
  for (int i = 1; i < 250; ++i)
    many += fmt::format("{{\"id\":{},\"method\":\"rpc.discover\"}}\n", i);
  c.send(many);
  socket_client other{s};
  CHECK(other.ask("system.ping").at("result").at("pong") == true);
  s.release();
  for (int i = 0; i < 250; ++i)
    REQUIRE(c.read().at("id") == i);
}

TEST_CASE("too long a line is answered with an error, then the connection closes") {
  served_sessions s;
  socket_client c{s};
  c.ask("system.ping");
  // Two megabytes: the client is still sending when the error is on its way.
  std::thread sender{[&] {
    c.send(std::string(2u << 20, 'x') + "\n{\"id\":1,\"method\":\"system.ping\"}\n");
    c.stop_sending();
  }};
  auto v = c.read();
  sender.join();
  CHECK(v.at("error").at("code") == "invalid_request");
  CHECK(c.ended());
  socket_client next{s};
  CHECK(next.ask("system.ping").at("result").at("pong") == true);
}

TEST_CASE("an HTTP client is disconnected without an answer") {
  served_sessions s;
  socket_client c{s};
  c.send("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n{\"id\":1,\"method\":\"system.ping\"}\n");
  CHECK(c.ended());
}

TEST_CASE("clients that vanish in the middle of a line or of a request harm nobody") {
  served_sessions s;
  for (int i = 0; i < 50; ++i) {
    socket_client c{s};
    if (i % 2)
      c.send("{\"id\":1,\"meth");
    else
      c.send("{\"id\":1,\"method\":\"get_session\",\"params\":{\"session\":\"slow\"}}\n");
  }
  socket_client c{s};
  s.release();
  CHECK(c.ask("get_session").at("result").at("session") == "one");
}

TEST_CASE("a reader that takes nothing is disconnected and nobody else notices") {
  ipc_options o;
  o.connection.stall = std::chrono::milliseconds{200};
  o.connection.max_unsent = 64 * 1024;
  served_sessions s{o};
  socket_client lazy{s}, other{s};
  // It asks for more than socket and queue hold and reads nothing.
  std::string many;
  for (int i = 0; i < 500; ++i)
    many += "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"rpc.discover\"}\n";
  lazy.send(many);
  CHECK(other.ask("system.ping").at("result").at("pong") == true);
  // Whatever came before the end was cut off.
  pollfd p{-1, 0, 0};
  ::poll(&p, 1, 600);
  std::size_t lines = 0;
  while (!lazy.ended())
    ++lines;
  CHECK(lines < 500);
}

TEST_CASE("a message reaches the user's queue under the name the client gave") {
  served_sessions s;
  socket_client c{s};
  c.ask("system.hello", R"({"client":"claude","version":"1","door":"mcp"})");
  auto v = c.ask("send_message", R"({"text":"A Neapolitan sixth!","session":"two"})").at("result");
  CHECK(v.at("session") == "two");
  CHECK(v.at("waiting") == 1);
  CHECK(v.at("changed") == true);
  s.submit("two", "measure");
  auto entries = c.ask("get_history", R"({"session":"two"})").at("result").at("entries");
  INFO(json::serialize(entries));
  REQUIRE(entries.as_array().size() == 2);
  CHECK(entries.at(0).at("kind") == "ai");
  CHECK(entries.at(0).at("author") == "claude");
  CHECK(entries.at(0).at("door") == "mcp");
  CHECK(entries.at(1).at("kind") == "eval");
}

TEST_CASE("an evaluation asked for under the policy ask becomes a proposal") {
  served_sessions s;
  socket_client c{s};
  auto v = c.ask("eval", R"({"text":"measure"})").at("result");
  CHECK(v.at("outcome") == "proposed");
  CHECK(v.at("changed") == false);
  CHECK(c.ask("get_session").at("result").at("proposals") == json::array{v.at("proposal")});
  CHECK(c.ask("get_session").at("result").at("revision") == 0);
}

TEST_CASE("an evaluation under the policy allow is done and can be undone") {
  served_sessions s;
  socket_client c{s};
  c.ask("system.hello", R"({"client":"friend","version":"1"})");
  auto v = c.ask("eval", R"({"text":"measure","expect_rev":0})").at("result");
  CHECK(v.at("outcome") == "done");
  CHECK(v.at("before") == 0);
  CHECK(v.at("after") == 1);
  auto stale = c.ask("eval", R"({"text":"measure","expect_rev":0})").at("error");
  CHECK(stale.at("code") == "conflict");
  CHECK(stale.at("data").at("revision") == 1);
  CHECK(c.ask("propose", R"({"text":"measure"})").at("result").at("outcome") == "proposed");
  auto undone = c.ask("undo").at("result");
  CHECK(undone.at("changed") == true);
  CHECK(c.ask("get_score", R"({"format":"summary"})").at("result").at("measures") == 0);
}

TEST_CASE("a client that may not undo is told so and what to do instead") {
  served_sessions s;
  socket_client c{s};
  s.submit("one", "measure");
  auto e = c.ask("undo").at("error");
  CHECK(e.at("code") == "not_permitted");
  CHECK(e.at("data").as_object().contains("hint"));
}

TEST_CASE("a client that was switched off may read and write nothing at all") {
  served_sessions s;
  socket_client c{s};
  c.ask("system.hello", R"({"client":"stranger","version":"1"})");
  CHECK(c.ask("get_session").at("result").at("session") == "one");
  for (auto [method, params] : {std::pair{"send_message", R"({"text":"x"})"},
                                {"eval", R"({"text":"measure"})"},
                                {"propose", R"({"text":"measure"})"},
                                {"undo", "{}"},
                                {"session_save", "{}"},
                                {"session_create", R"({"name":"three"})"},
                                {"session_switch", R"({"session":"two"})"}}) {
    CAPTURE(method);
    CHECK(c.ask(method, params).at("error").at("code") == "not_permitted");
  }
  CHECK(c.ask("list_sessions").at("result").at("total") == 2);
}

TEST_CASE("a failed evaluation says where, with carets") {
  served_sessions s;
  socket_client c{s};
  auto e = c.ask("eval_preview", R"({"text":"fail"})").at("error");
  CHECK(e.at("code") == "eval_error");
  CHECK(e.at("data").at("code") == "unknown-name");
  CHECK(e.at("data").at("column") == 1);
  CHECK(std::string{e.at("data").at("text").as_string()}.find('^') != std::string::npos);
}

TEST_CASE("an unknown session is not found") {
  served_sessions s;
  socket_client c{s};
  auto e = c.ask("get_score", R"({"session":"three"})").at("error");
  CHECK(e.at("code") == "not_found");
}

TEST_CASE("sessions are made, switched to and saved") {
  served_sessions s;
  socket_client c{s};
  CHECK(c.ask("session_create", R"({"name":"three"})").at("result").at("session") == "three");
  CHECK(c.ask("get_active_session").at("result").at("session") == "three");
  auto v = c.ask("session_switch", R"({"session":"two"})").at("result");
  CHECK(v.at("before") == "three");
  CHECK(v.at("changed") == true);
  CHECK(c.ask("session_switch", R"({"session":"two"})").at("result").at("changed") == false);
  CHECK(c.ask("get_active_session").at("result").at("session") == "two");
  CHECK(c.ask("session_save").at("result").at("saved") == true);
}

TEST_CASE("waiting ends with the change, and without one at its time") {
  served_sessions s;
  socket_client c{s};
  c.send(
      "{\"id\":1,\"method\":\"wait_for_change\",\"params\":{\"revision\":0},\"unordered\":true}\n"
      "{\"id\":2,\"method\":\"wait_for_change\",\"params\":{\"revision\":9,\"timeout\":0.05}}\n");
  auto nothing = c.read();
  CHECK(nothing.at("id") == 2);
  CHECK(nothing.at("result").at("changed") == false);
  s.submit("one", "measure");
  auto v = c.read();
  CHECK(v.at("id") == 1);
  CHECK(v.at("result").at("changed") == true);
  CHECK(v.at("result").at("revision") == 1);
  // What has happened already is not waited for.
  CHECK(c.ask("wait_for_change", R"({"entry":0})").at("result").at("entries") == 1);
}

TEST_CASE("events come in order without a gap, and a new client catches up from where it was") {
  served_sessions s;
  socket_client c{s};
  auto sub = c.ask("events.subscribe", R"({"kinds":["entries"]})").at("result");
  CHECK(sub.at("resumed") == true);
  for (int i = 0; i < 20; ++i)
    s.submit("one", "measure");
  std::int64_t number = 0, last = 0;
  while (last < 20) {
    auto e = c.read();
    CHECK(e.at("method") == "events.event");
    CHECK(e.at("params").at("number") == ++number);
    for (auto& entry : e.at("params").at("entries").as_array())
      CHECK(entry.at("index") == ++last);
  }
  CHECK(c.ask("events.unsubscribe", R"({"subscription":1})").at("result").at("changed") == true);
  s.submit("one", "measure");
  CHECK(c.ask("system.ping").at("result").at("pong") == true);

  socket_client again{s};
  CHECK(again.ask("events.subscribe", R"({"since":18})").at("result").at("resumed") == true);
  auto missed = again.read().at("params").at("entries").as_array();
  REQUIRE(missed.size() == 3);
  CHECK(missed.front().at("index") == 19);
  // From another life: it says that it cannot.
  CHECK(again.ask("events.subscribe", R"({"since":999})").at("result").at("resumed") == false);
}

TEST_CASE("when a session dies its clients are told instead of waiting for ever") {
  served_sessions s;
  socket_client c{s};
  s.submit("one", "measure");
  // Of entries alone: the list of sessions may still change while they start.
  c.ask("events.subscribe", R"({"kinds":["entries"]})");
  // The wait has begun when the one behind it, which goes the same way, is over.
  c.send("{\"id\":2,\"method\":\"wait_for_change\",\"params\":{}}\n"
         "{\"id\":3,\"method\":\"wait_for_change\",\"params\":{\"entry\":0},"
         "\"unordered\":true}\n");
  REQUIRE(c.read().at("id") == 3);
  s.self->send_exit(s.session("one"), caf::exit_reason::kill);
  auto first = c.read(), second = c.read();
  if (!first.as_object().contains("error")) std::swap(first, second);
  CHECK(first.at("error").at("code") == "unavailable");
  CHECK(second.at("method") == "events.ended");
}

TEST_CASE("eight clients at once each get their own answers") {
  served_sessions s;
  std::vector<std::thread> all;
  std::atomic<int> right{0};
  for (int n = 0; n < 8; ++n)
    all.emplace_back([&, n] {
      auto fd = io::protocol::connect_socket(s.record.socket);
      std::string want;
      std::string sent;
      for (int i = 0; i < 200; ++i) {
        const auto id = "\"" + std::to_string(n) + "." + std::to_string(i) + "\"";
        sent += "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"system.ping\"}\n";
        want += "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"pong\":true}}\n";
      }
      ::send(fd, sent.data(), sent.size(), MSG_NOSIGNAL);
      std::string got;
      char chunk[4096];
      while (got.size() < want.size()) {
        pollfd p{fd, POLLIN, 0};
        if (::poll(&p, 1, -1) < 0) break;
        auto r = ::recv(fd, chunk, sizeof chunk, 0);
        if (r <= 0) break;
        got.append(chunk, static_cast<std::size_t>(r));
      }
      right += got == want;
      ::close(fd);
    });
  for (auto& t : all)
    t.join();
  CHECK(right == 8);
}

TEST_CASE("a query sees what the writes before it on the same connection did") {
  served_sessions s;
  socket_client c{s};
  for (int i = 1; i <= 50; ++i) {
    REQUIRE(c.send(R"({"jsonrpc":"2.0","method":"send_message","params":{"text":"and"}})"
                   "\n"
                   R"({"id":1,"method":"get_session"})"
                   "\n"));
    CHECK(c.read().at("result").at("queued") == i);
  }
}

TEST_CASE("a client that does not send the token is refused and then disconnected") {
  ipc_options o;
  o.connection.token = "open sesame";
  o.connection.patience = std::chrono::milliseconds{500};
  served_sessions s{o};
  socket_client knows{s}, silent{s}, wrong{s};
  CHECK(knows.ask("get_score").at("error").at("code") == "not_permitted");
  CHECK(knows.ask("system.hello", R"({"client":"a","version":"1","token":"open sesam"})")
            .at("error")
            .at("code") == "not_permitted");
  CHECK(knows.ask("system.hello", R"({"client":"a","version":"1","token":"open sesame"})")
            .at("result")
            .at("server") == "fermata");
  wrong.ask("system.hello", R"({"client":"a","version":"1"})");
  CHECK(silent.ended());
  CHECK(wrong.ended());
  CHECK(knows.ask("system.ping").at("result").at("pong") == true);
}

TEST_CASE("the person at a client decides about that client's proposals and no others") {
  served_sessions s;
  socket_client c{s}, other{s}, script{s};
  c.ask("system.hello", R"({"client":"claude","version":"1","door":"mcp"})");
  other.ask("system.hello", R"({"client":"codex","version":"1","door":"mcp"})");
  auto propose = [&] {
    auto v = c.ask("eval", R"({"text":"measure"})").at("result");
    CHECK(v.at("outcome") == "proposed");
    return v.at("proposal").as_int64();
  };
  auto answer = [](socket_client& who, std::int64_t number, bool accept) {
    return who.ask("answer_proposal",
                   fmt::format(R"({{"proposal":{},"accept":{}}})", number, accept));
  };
  const auto first = propose();
  CHECK(answer(other, first, true).at("error").at("code") == "not_permitted");
  CHECK(answer(script, first, true).at("error").at("code") == "not_permitted");
  CHECK(answer(c, 99, true).at("error").at("code") == "not_found");
  auto taken = answer(c, first, true).at("result");
  CHECK(taken.at("outcome") == "accepted");
  CHECK(taken.at("changed") == true);
  CHECK(taken.at("after").as_int64() == taken.at("before").as_int64() + 1);
  CHECK(answer(c, first, true).at("error").at("code") == "invalid_state");
  auto rejected = answer(c, propose(), false).at("result");
  CHECK(rejected.at("outcome") == "rejected");
  CHECK(rejected.at("changed") == false);
  CHECK(c.ask("get_session").at("result").at("proposals").as_array().empty());
}

TEST_CASE("a message or an undo with a key is done once") {
  served_sessions s;
  socket_client a{s};
  a.ask("system.hello", R"({"client":"friend","version":"1"})");
  CHECK(a.ask("send_message", R"({"text":"x","idempotency_key":"k"})") ==
        a.ask("send_message", R"({"text":"x","idempotency_key":"k"})"));
  CHECK(a.ask("get_session").at("result").at("queued") == 1);
  s.submit("one", "measure");
  s.submit("one", "measure");
  const auto before = a.ask("get_session").at("result").at("measures").as_int64();
  const auto reused = a.ask("send_message", R"({"text":"y","idempotency_key":"k"})");
  CHECK(reused.at("error").at("code") == "invalid_params");
  const auto once = a.ask("undo", R"({"idempotency_key":"u"})");
  CHECK(once.at("result").at("changed") == true);
  CHECK(a.ask("undo", R"({"idempotency_key":"u"})") == once);
  CHECK(a.ask("get_session").at("result").at("measures").as_int64() == before - 1);
  // The same key of another client is another key.
  socket_client b{s};
  b.ask("system.hello", R"({"client":"someone","version":"1"})");
  b.ask("send_message", R"({"text":"x","idempotency_key":"k"})");
  CHECK(b.ask("get_session").at("result").at("queued") == 1);  // the first was shown meanwhile
}

TEST_CASE("an undo is refused when the score has moved on") {
  served_sessions s;
  socket_client a{s};
  a.ask("system.hello", R"({"client":"friend","version":"1"})");
  s.submit("one", "measure");
  auto e = a.ask("undo", R"({"expect_rev":0})").at("error");
  CHECK(e.at("code") == "conflict");
  CHECK(e.at("data").at("revision") == 1);
}

// --- those who leave, and those who speak unclearly
// ------------------------------------------------

TEST_CASE("a client that disconnects during an evaluation does not delay the user's line") {
  session_limits limits;
  limits.remote_wall_time = std::chrono::hours{1};
  for (bool half_closes : {false, true}) {
    ipc_options o;
    o.connection.look_for_client = std::chrono::milliseconds{5};
    served_sessions s{o, std::make_shared<snapshot_board>(), {}, limits};
    {
      socket_client c{s}, watching{s};
      c.ask("system.hello", R"({"client":"friend","version":"1"})");
      watching.ask("system.hello", R"({"client":"friend","version":"1"})");
      c.send("{\"id\":1,\"method\":\"eval\",\"params\":{\"text\":\"loop\"}}\n");
      // Behind it in the line of the session.
      watching.send("{\"id\":1,\"method\":\"eval\",\"params\":{\"text\":\"measure\"}}\n");
      if (half_closes) c.stop_sending();
      c.close();
      CHECK(watching.read().at("result").at("outcome") == "done");
    }
    s.submit("one", "x");
  }
}

TEST_CASE("no client may use the name of the user or of the program") {
  served_sessions s;
  socket_client c{s};
  for (std::string name : {"user", "You", "SYSTEM", " fermata "}) {
    auto e = c.ask("system.hello", "{\"client\":\"" + name + "\",\"version\":\"1\"}").at("error");
    CHECK(e.at("code") == "invalid_params");
    CHECK(e.at("data").at("param") == "client");
  }
  CHECK(c.ask("system.hello", R"({"client":"user agent","version":"1"})")
            .as_object()
            .contains("result"));
}

TEST_CASE("a line that cannot be read is answered in the envelope that was spoken before") {
  served_sessions s;
  const std::string long_line(io::protocol::max_line + 10, 'x');
  for (bool json_rpc : {false, true}) {
    for (const auto& bad : {std::string{"{bad"}, std::string{"7"}, long_line}) {
      socket_client c{s};
      c.send(json_rpc ? "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"system.ping\"}\n"
                      : "{\"id\":1,\"method\":\"system.ping\"}\n");
      c.read();
      c.send(bad + "\n");
      auto e = c.read();
      CHECK(e.at("error").at("code").is_int64() == json_rpc);
      CHECK(e.as_object().contains("jsonrpc") == json_rpc);
    }
  }
  // As the first line, one that is too long says it itself or is of the short form.
  for (bool says_so : {false, true}) {
    socket_client c{s};
    c.send((says_so ? R"({"jsonrpc":"2.0",)" : "") + long_line + "\n");
    CHECK(c.read().at("error").at("code").is_int64() == says_so);
  }
}
