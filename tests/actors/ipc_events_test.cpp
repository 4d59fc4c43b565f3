#include "tests/actors/ipc_fixture.hpp"

#include <atomic>
#include <future>
#include <memory>

// Streams of events whose readers are slow or late.

namespace fermata::actors {

namespace {

/// So much that neither the socket nor what is kept for a client holds it: about three megabytes.
constexpr std::int64_t much = 600;

history long_timeline() {
  history out;
  for (std::int64_t i = 1; i <= much; ++i) {
    auto entry = std::make_shared<history_entry>();
    entry->index = i;
    entry->kind = user_message_entry{std::string(5'000, 'x')};
    out.append(std::move(entry));
  }
  return out;
}

/// Reads events until the entry `last` has come; each entry comes once and in order after `from`.
void read_entries(socket_client& c, std::int64_t from, std::int64_t last, std::int64_t& number) {
  while (from < last) {
    auto e = c.read();
    REQUIRE(e.at("method") == "events.event");
    REQUIRE(e.at("params").at("number") == ++number);
    for (auto& entry : e.at("params").at("entries").as_array())
      REQUIRE(entry.at("index") == ++from);
  }
}

}  // namespace

TEST_CASE("who comes back gets all that was promised, though nothing else happens") {
  served_sessions s{{}, std::make_shared<snapshot_board>(), long_timeline()};
  socket_client c{s};
  auto sub = c.ask("events.subscribe", R"({"since":1})").at("result");
  CHECK(sub.at("resumed") == true);
  CHECK(sub.at("entries") == much);
  std::int64_t number = 0;
  read_entries(c, 1, much, number);
  CHECK(c.ask("system.ping").at("result").at("pong") == true);
}

TEST_CASE("a reconnecting client that closes its output gets all missed events before the end") {
  served_sessions s{{}, std::make_shared<snapshot_board>(), long_timeline()};
  socket_client c{s};
  c.send(R"({"id":1,"method":"events.subscribe","params":{"since":1}})"
         "\n");
  c.stop_sending();
  REQUIRE(c.read().at("id") == 1);
  std::int64_t number = 0;
  read_entries(c, 1, much, number);
  CHECK(c.ended());
}

TEST_CASE("no event comes before the reply that names its stream") {
  served_sessions s{{}, std::make_shared<snapshot_board>(), long_timeline()};
  socket_client c{s};
  const std::string until_something_happens =
      R"("method":"wait_for_change","params":{"entry":)" + std::to_string(much) + "}}";
  const std::string from_the_first = R"("method":"events.subscribe","params":{"since":1}})";
  SECTION("held back by an earlier reply") {
    c.send("{\"id\":1," + until_something_happens + "\n{\"id\":2," + from_the_first + '\n');
  }
  SECTION("held back by its batch") {
    c.send("[{\"jsonrpc\":\"2.0\",\"id\":1," + until_something_happens +
           ",{\"jsonrpc\":\"2.0\",\"id\":2," + from_the_first + "]\n");
  }
  // One that is not held back is the third to ask the session; its stream begins at once.
  c.send(R"({"id":3,"unordered":true,"method":"events.subscribe"})"
         "\n");
  auto at_once = c.read();
  REQUIRE(at_once.at("id") == 3);
  s.submit("one", "measure");
  bool named = false;
  while (!named) {
    auto line = c.read();
    if (line.is_object() && line.as_object().contains("params"))
      REQUIRE(line.at("params").at("subscription") == at_once.at("result").at("subscription"));
    else
      named = line.is_array() || line.at("id") == 2;
  }
  // What was missed follows: the whole timeline and what has happened since.
  std::int64_t from = 1;
  while (from < much + 1) {
    auto line = c.read();
    if (line.at("params").at("subscription") == at_once.at("result").at("subscription")) continue;
    for (auto& entry : line.at("params").at("entries").as_array())
      REQUIRE(entry.at("index") == ++from);
  }
}

TEST_CASE("what nobody asked for does not take the place of what was promised") {
  served_sessions s{{}, std::make_shared<snapshot_board>(), long_timeline()};
  socket_client c{s}, other{s};
  CHECK(
      c.ask("events.subscribe", R"({"since":1,"kinds":["entries"]})").at("result").at("resumed") ==
      true);
  // A message of a client waits for the user: that is no entry.
  for (int i = 0; i < 3; ++i)
    REQUIRE(other.ask("send_message", R"({"text":"hello"})").as_object().contains("result"));
  std::int64_t number = 0;
  read_entries(c, 1, much, number);
  s.submit("one", "measure");
  read_entries(c, much, much + 4, number);  // the three messages are shown with it
}

TEST_CASE("a stream whose reader pauses goes on where it was, and others do not notice") {
  served_sessions s;
  socket_client pausing{s}, other{s};
  for (auto* c : {&pausing, &other})
    REQUIRE(c->ask("events.subscribe", R"({"kinds":["entries"]})").as_object().contains("result"));
  std::int64_t at_other = 0, at_pausing = 0;
  for (std::int64_t i = 1; i <= much; ++i) {
    s.submit("one", std::string(5'000, 'x'));
    if (i % 50 == 0) read_entries(other, i - 50, i, at_other);
  }
  read_entries(pausing, 0, much, at_pausing);
  CHECK(pausing.ask("events.unsubscribe", R"({"subscription":1})").at("result").at("changed") ==
        true);
}

TEST_CASE("a subscriber that takes nothing any more is disconnected") {
  std::promise<std::string> said;
  std::atomic<bool> once{false};
  ipc_options o;
  o.connection.stall = std::chrono::milliseconds{100};
  o.connection.log = [&](const std::string& line) {
    if (!once.exchange(true)) said.set_value(line);
  };
  served_sessions s{o};
  socket_client lazy{s}, other{s};
  REQUIRE(lazy.ask("events.subscribe").as_object().contains("result"));
  for (std::int64_t i = 1; i <= much; ++i)
    s.submit("one", std::string(5'000, 'x'));
  CHECK(said.get_future().get().find("disconnected") != std::string::npos);
  while (!lazy.ended()) {
  }
  CHECK(other.ask("system.ping").at("result").at("pong") == true);
}

TEST_CASE("events of entries that grow in JSON keep to the length of a line") {
  // Each byte of these texts takes six: fifty entries of 30,000 bytes are more than a line.
  history grown;
  for (std::int64_t i = 1; i <= 60; ++i) {
    auto entry = std::make_shared<history_entry>();
    entry->index = i;
    entry->kind = user_message_entry{std::string(32'000, '\1')};
    grown.append(std::move(entry));
  }
  served_sessions s{{}, std::make_shared<snapshot_board>(), grown};
  socket_client c{s};
  // Of entries alone: the list of sessions may still change while they start.
  REQUIRE(c.ask("events.subscribe", R"({"since":0,"kinds":["entries"]})")
              .as_object()
              .contains("result"));
  std::int64_t number = 0;
  for (std::int64_t last = 0; last < 60;) {
    const auto line = c.line();
    REQUIRE(line.size() <= io::protocol::max_line);
    const auto e = boost::json::parse(line);
    REQUIRE(e.at("params").at("number") == ++number);
    for (auto& entry : e.at("params").at("entries").as_array()) {
      REQUIRE(entry.at("index") == ++last);
      CHECK(entry.at("truncated") == true);
    }
  }
  CHECK(number == 2);
}

}  // namespace fermata::actors
