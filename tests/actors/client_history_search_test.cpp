#include "tests/actors/ipc_fixture.hpp"
#include "tests/actors/slow_disk.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

// Clients of the socket who look at what lies on disk, and what others are answered meanwhile.

namespace fermata::actors {

TEST_CASE("clients are answered while others search 250,000 old entries on a slow disk") {
  auto disk = std::make_shared<old_entries>();
  served_sessions s{{}, std::make_shared<snapshot_board>(), history::on_disk(many, disk)};
  // More of them than the scheduler has threads.
  socket_client a{s}, b{s}, c{s};
  auto slow = std::make_unique<slow_while>(*disk);
  for (auto* searching : {&a, &b, &c})
    REQUIRE(searching->send(
        "{\"id\":7,\"method\":\"get_history\",\"params\":{\"session\":\"one\",\"words\":"
        "[\"249999\"]}}\n"));
  disk->wait_until_asked(3);
  socket_client friendly{s};
  friendly.ask("system.hello", R"({"client":"friend","version":"1"})");
  for (int i = 1; i <= 20; ++i) {
    auto done = friendly.ask("eval", R"({"session":"one","text":"measure"})").as_object();
    INFO(boost::json::serialize(done));
    REQUIRE(done.contains("result"));
    CHECK(done.at("result").at("revision") == i);
    auto seen = friendly.ask("get_session", R"({"session":"one"})").as_object();
    CHECK(seen.at("result").at("entries") == many + i);
  }
  s.submit("one", "a line of the user");
  CHECK(disk->asked() == 3);
  // Each of the three now reads all of the 250,000 before it answers, which may take its time.
  slow.reset();
  for (auto* searching : {&a, &b, &c}) {
    auto found = searching->read().as_object();
    CHECK(found.at("id") == 7);
    CHECK(found.at("result").at("matching") == 1);
    CHECK(found.at("result").at("total") == many);
  }
}

TEST_CASE("who has missed a little is told it, who has missed much is told to read it") {
  auto disk = std::make_shared<old_entries>();
  served_sessions s{{}, std::make_shared<snapshot_board>(), history::on_disk(many, disk)};
  socket_client c{s};
  auto from = [&](std::int64_t since) {
    auto reply =
        c.ask("events.subscribe", R"({"session":"one","since":)" + std::to_string(since) + '}');
    return reply.at("result").at("resumed").as_bool();
  };
  CHECK_FALSE(from(0));
  CHECK_FALSE(from(many - 1'001));
  CHECK(disk->asked() == 0);
  CHECK(from(many - 3));
  CHECK(c.read().at("params").at("entries").as_array().size() == 3);
}

TEST_CASE("what somebody has missed is read while others are answered, and comes without a gap") {
  auto disk = std::make_shared<old_entries>();
  served_sessions s{{}, std::make_shared<snapshot_board>(), history::on_disk(many, disk)};
  disk->be_slow(true);
  socket_client back{s};
  REQUIRE(back.send(R"({"id":1,"method":"events.subscribe","params":{"session":"one","since":)" +
                    std::to_string(many - 120) + R"(,"kinds":["entries"]}})" + "\n"));
  disk->wait_until_asked(1);
  socket_client other{s};
  CHECK(other.ask("system.ping").at("result").at("pong") == true);
  s.submit("one", "a line of the user");
  s.submit("one", "another one");
  CHECK(other.ask("get_session", R"({"session":"one"})").at("result").at("entries") == many + 2);
  CHECK(disk->asked() == 1);
  disk->be_slow(false);
  auto reply = back.read();
  CHECK(reply.at("id") == 1);
  CHECK(reply.at("result").at("resumed") == true);
  s.submit("one", "the last one");
  std::int64_t last = many - 120, number = 0;
  while (last < many + 3) {
    auto e = back.read();
    CHECK(e.at("params").at("number") == ++number);
    for (auto& entry : e.at("params").at("entries").as_array())
      CHECK(entry.at("index") == ++last);
  }
  // Each of them once.
  CHECK(disk->asked() == 120);
}

TEST_CASE("a session that dies is not searched any more") {
  auto disk = std::make_shared<old_entries>();
  served_sessions s{{}, std::make_shared<snapshot_board>(), history::on_disk(many, disk)};
  socket_client other{s};
  REQUIRE(other.ask("system.ping").as_object().contains("result"));
  auto before = s.sys.registry().running();
  disk->be_slow(true);
  socket_client a{s};
  // By way of the session: one that is named on the board depends on nobody.
  REQUIRE(a.send("{\"id\":7,\"method\":\"events.subscribe\",\"params\":{\"session\":\"one\","
                 "\"since\":" +
                 std::to_string(many - 1'000) + "}}\n"));
  disk->wait_until_asked(1);
  s.self->send_exit(s.session("one"), caf::exit_reason::kill);
  CHECK(a.read().at("error").at("code") == "unavailable");
  a.close();
  disk->be_slow(false);
  for (int i = 0; i < 100'000 && s.sys.registry().running() + 1 != before; ++i)
    other.ask("system.ping");
  CHECK(s.sys.registry().running() + 1 == before);
  CHECK(disk->asked() == 1);
}

TEST_CASE(
    "a client that hangs up later than it stops sending is noticed, whenever its search began") {
  auto disk = std::make_shared<old_entries>();
  ipc_options options;
  options.connection.max_pending = 3;
  options.connection.look_for_client = std::chrono::milliseconds{10};
  served_sessions s{options, std::make_shared<snapshot_board>(), history::on_disk(many, disk)};
  s.submit("one", "a line of the user");
  socket_client other{s};
  REQUIRE(other.ask("system.ping").as_object().contains("result"));
  auto before = s.sys.registry().running();
  disk->be_slow(true);
  const std::string search =
      R"({"id":7,"method":"get_history","params":{"session":"one","words":["5"]}})"
      "\n";
  const auto asked_before = disk->asked();
  socket_client a{s};
  SECTION("while it reads") {
    REQUIRE(a.send(search));
    a.stop_sending();
    disk->wait_until_asked(asked_before + 1);
  }
  SECTION("behind a write that took long") {
    REQUIRE(a.send(R"({"id":1,"method":"send_message","params":{"session":"slow","text":"x"}})"
                   "\n" +
                   search));
    a.stop_sending();
    // The write is on its way, and the end of the input was seen.
    for (int i = 0; i < 3; ++i)
      REQUIRE(other.ask("system.ping").as_object().contains("result"));
    s.release();
    disk->wait_until_asked(asked_before + 1);
  }
  SECTION("having asked for so much that nothing more is read from it") {
    for (int i = 0; i < 10; ++i)
      REQUIRE(a.send(search));
    disk->wait_until_asked(asked_before + 1);
  }
  a.close();
  // An entry for each question of another client: it takes thousands of them to find nothing.
  for (std::int64_t i = 0; i < many + 100 && s.sys.registry().running() != before; ++i) {
    disk->let_one_go();
    other.ask("system.ping");
  }
  disk->be_slow(false);
  CHECK(s.sys.registry().running() == before);
  CHECK(disk->asked() < many / 2);
}

TEST_CASE("over TCP, too, a disconnect is distinguished from a half-close") {
  auto disk = std::make_shared<old_entries>();
  auto name = (std::filesystem::temp_directory_path() / "fermata-tcp-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()));
  auto listener = io::protocol::tcp_listener::listen("0", name);
  std::filesystem::remove_all(name);
  REQUIRE(listener);
  const auto token = listener->token();
  ipc_options options;
  options.connection.look_for_client = std::chrono::milliseconds{10};
  options.tcp = std::make_shared<io::protocol::tcp_listener>(std::move(*listener));
  served_sessions s{options, std::make_shared<snapshot_board>(), history::on_disk(many, disk)};
  const auto port =
      static_cast<std::uint16_t>(std::stoi(s.record.tcp.substr(s.record.tcp.rfind(':') + 1)));
  s.submit("one", "a line of the user");
  socket_client other{s};
  REQUIRE(other.ask("system.ping").as_object().contains("result"));
  auto before = s.sys.registry().running();
  auto slow = std::make_unique<slow_while>(*disk);
  const auto asked_before = disk->asked();
  socket_client a{port};
  REQUIRE(a.ask("system.hello", R"({"client":"x","version":"1","token":")" + token + R"("})")
              .as_object()
              .contains("result"));
  REQUIRE(a.send(R"({"id":7,"method":"get_history","params":{"session":"one","words":["5"]}})"
                 "\n"));
  disk->wait_until_asked(asked_before + 1);
  a.stop_sending();
  SECTION("who has sent all gets the answer") {
    for (int i = 0; i < 100; ++i) {
      disk->let_one_go();
      REQUIRE(other.ask("system.ping").as_object().contains("result"));
    }
    slow.reset();
    auto found = a.read().as_object();
    CHECK(found.at("id") == 7);
    CHECK(found.at("result").at("total") == many + 1);
  }
  SECTION("who has hung up is not searched for any more") {
    a.close();
    for (std::int64_t i = 0; i < many + 100 && s.sys.registry().running() != before; ++i) {
      disk->let_one_go();
      other.ask("system.ping");
    }
    slow.reset();
    CHECK(s.sys.registry().running() == before);
    CHECK(disk->asked() < many / 2);
  }
}

TEST_CASE("an unexpected failure is answered, and so is the next request") {
  auto disk = std::make_shared<old_entries>();
  served_sessions s{{}, std::make_shared<snapshot_board>(), history::on_disk(many, disk)};
  socket_client c{s};
  const auto since = R"({"session":"one","since":)" + std::to_string(many - 3) + '}';
  disk->be_broken(true);
  for (auto [method, params] :
       {std::pair<std::string, std::string>{"get_history", R"({"session":"one","words":["5"]})"},
        {"events.subscribe", since}}) {
    const auto refused = c.ask(method, params).at("error");
    CHECK(refused.at("code") == "internal");
    CHECK(std::string{refused.at("message").as_string()}.find("the disk has come off") !=
          std::string::npos);
    CHECK_FALSE(refused.at("data").at("hint").as_string().empty());
  }
  disk->be_broken(false);
  CHECK(c.ask("events.subscribe", since).at("result").at("resumed") == true);
  CHECK(c.read().at("params").at("entries").as_array().size() == 3);
  CHECK(
      c.ask("get_history", R"({"session":"one","words":["249999"]})").at("result").at("matching") ==
      1);
}

TEST_CASE("who is so far behind that it lies on the disk by then is told all, and nobody waits") {
  auto disk = std::make_shared<old_entries>();
  session_limits limits;
  limits.entries_in_memory = 10;
  served_sessions s{{}, std::make_shared<snapshot_board>(), history::on_disk(many, disk), limits};
  socket_client behind{s}, other{s};
  REQUIRE(behind.ask("events.subscribe", R"({"session":"one","kinds":["entries"]})")
              .as_object()
              .contains("result"));
  // More than the socket holds and than is kept for a client.
  for (int i = 0; i < 200; ++i)
    s.submit("one", std::string(5'000, 'x'));
  // So many more that those before go to the disk.
  constexpr std::int64_t small = 2'500;
  for (int i = 0; i < small; ++i)
    s.submit("one", "word");
  CHECK(disk->asked() == 0);
  auto slow = std::make_unique<slow_while>(*disk);
  auto all = std::async(std::launch::async, [&] {
    std::vector<std::int64_t> indices;
    for (std::int64_t number = 1; indices.size() < 200 + small; ++number) {
      auto e = boost::json::parse(behind.line());
      if (e.at("params").at("number") != number) break;
      for (auto& entry : e.at("params").at("entries").as_array())
        indices.push_back(entry.at("index").as_int64());
    }
    return indices;
  });
  disk->wait_until_asked(1);
  for (int i = 0; i < 20; ++i)
    CHECK(other.ask("system.ping").at("result").at("pong") == true);
  slow.reset();
  const auto indices = all.get();
  REQUIRE(indices.size() == 200 + small);
  for (std::size_t i = 0; i < indices.size(); ++i)
    REQUIRE(indices[i] == many + 1 + static_cast<std::int64_t>(i));
  // It reads in a thread of its own each time, and the network's is none of them.
  std::promise<std::thread::id> network;
  s.sys.middleman().backend().post([&] { network.set_value(std::this_thread::get_id()); });
  CHECK(disk->askers().count(network.get_future().get()) == 0);
}

TEST_CASE("nobody reads on for a client that is gone") {
  auto disk = std::make_shared<old_entries>();
  served_sessions s{{}, std::make_shared<snapshot_board>(), history::on_disk(many, disk)};
  s.submit("one", "a line of the user");
  socket_client other{s};
  REQUIRE(other.ask("system.ping").as_object().contains("result"));
  auto before = s.sys.registry().running();
  auto slow = std::make_unique<slow_while>(*disk);
  {
    socket_client a{s};
    REQUIRE(a.send("{\"id\":7,\"method\":\"get_history\",\"params\":{\"session\":\"one\","
                   "\"words\":[\"5\"]}}\n"));
    disk->wait_until_asked(1);
  }
  // What is answered after it was closed is answered by a network that has seen that.
  for (int i = 0; i < 3; ++i)
    REQUIRE(other.ask("system.ping").as_object().contains("result"));
  slow.reset();
  // Reading ends, and with it the connection; were it not so, this would not end.
  while (s.sys.registry().running() != before)
    REQUIRE(other.ask("system.ping").as_object().contains("result"));
  CHECK(disk->asked() == 1);
}

}  // namespace fermata::actors
