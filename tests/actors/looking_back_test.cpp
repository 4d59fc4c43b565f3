#include "tests/actors/ipc_fixture.hpp"
#include "tests/actors/session_fixture.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

// Searches in what lies on disk, and what happens meanwhile.

namespace fermata::actors {

namespace {

/// Old entries that are words with a number. It counts how often it is asked, and can be made to
/// wait like a slow disk.
class old_entries final : public entry_source_on_disk {
public:
  result<entry_ptr> load(std::int64_t index) const override {
    std::unique_lock lock{mutex_};
    ++asked_;
    askers_.insert(std::this_thread::get_id());
    changed_.notify_all();
    if (broken_) throw std::runtime_error{"the disk has come off"};
    changed_.wait(lock, [this] { return !slow_ || let_go_ > 0; });
    if (slow_) --let_go_;
    auto entry = std::make_shared<history_entry>();
    entry->index = index;
    entry->kind = user_message_entry{"words " + std::to_string(index)};
    return entry_ptr{std::move(entry)};
  }
  void be_slow(bool slow) {
    std::lock_guard lock{mutex_};
    slow_ = slow;
    changed_.notify_all();
  }
  /// Whoever asks meets with what nobody reckons with.
  void be_broken(bool broken) {
    std::lock_guard lock{mutex_};
    broken_ = broken;
  }
  std::set<std::thread::id> askers() const {
    std::lock_guard lock{mutex_};
    return askers_;
  }
  /// One more entry is read, however slow it is.
  void let_one_go() {
    std::lock_guard lock{mutex_};
    ++let_go_;
    changed_.notify_all();
  }
  std::int64_t asked() const {
    std::lock_guard lock{mutex_};
    return asked_;
  }
  /// However long that takes: on a machine with much else to do the searches begin late.
  void wait_until_asked(std::int64_t times) const {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return asked_ >= times; });
  }

private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::int64_t asked_ = 0;
  mutable std::int64_t let_go_ = 0;
  mutable std::set<std::thread::id> askers_;
  bool slow_ = false, broken_ = false;
};

/// The disk is slow as long as this lives: also when a check fails meanwhile, since nobody who
/// waits for the disk could end.
class slow_while {
public:
  explicit slow_while(old_entries& disk) : disk_(disk) { disk_.be_slow(true); }
  ~slow_while() { disk_.be_slow(false); }
  slow_while(const slow_while&) = delete;
  slow_while& operator=(const slow_while&) = delete;

private:
  old_entries& disk_;
};

constexpr std::int64_t many = 250'000;

struct long_session : session_under_test {
  std::shared_ptr<old_entries> disk = std::make_shared<old_entries>();

  long_session() {
    auto state = *setup.state;
    state.history = history::on_disk(20'000, disk);
    setup.state = std::make_shared<const session_state>(std::move(state));
    setup.loader = disk;
    start();
  }
  auto enter(submission what) {
    return self->request(session, caf::infinite, atom::submit_v, std::move(what));
  }
  template <class Pending>
  caf::expected<turn> turn_of(Pending& pending) {
    caf::expected<turn> out{caf::sec::unexpected_response};
    pending.receive([&](turn& t) { out = std::move(t); },
                    [&](caf::error& e) { out = std::move(e); });
    return out;
  }
};

std::int64_t index_of(const caf::expected<turn>& t) {
  REQUIRE(t);
  return t->entries.back()->index;
}

const command_entry& command_of(const caf::expected<turn>& t) {
  REQUIRE(t);
  return std::get<command_entry>(t->entries.back()->kind);
}

}  // namespace

TEST_CASE("what is entered during a search is answered first and stands before it") {
  long_session t;
  for (auto line : {":history --grep 777", ":hist 1: --grep nowhere --limit 5", ":diff 5 9"}) {
    auto size = t.snapshot()->history.size();
    auto searching = t.enter(t.line(line));
    auto sum = t.enter(t.line("(+ 1 2)"));
    t.sched.run();
    CHECK(index_of(t.turn_of(sum)) == size + 1);
    auto found = t.turn_of(searching);
    CHECK(index_of(found) == size + 2);
    CHECK(command_of(found).text == line);
  }
  CHECK(command_of(t.submit(":history 7770:7779 --grep 7777")).output ==
        "[7777] [you]: words 7777");
}

TEST_CASE("what goes back to an earlier state keeps its place in the line") {
  long_session t;
  auto branch = t.enter(t.line(":branch early from 3"));
  auto sum = t.enter(t.line("(+ 1 2)"));
  t.sched.run();
  CHECK(index_of(t.turn_of(branch)) == 20'001);
  CHECK(index_of(t.turn_of(sum)) == 20'002);
  CHECK(t.snapshot()->branches.size() == 2);
}

TEST_CASE("messages that waited come with the line that looks back") {
  long_session t;
  REQUIRE(t.message("shall we?"));
  auto found = t.submit(":history --grep nowhere");
  REQUIRE(found);
  REQUIRE(found->entries.size() == 2);
  CHECK(std::holds_alternative<ai_message_entry>(found->entries[0]->kind));
  CHECK(command_of(found).output == "no entry matches");
}

TEST_CASE("a search that is interrupted looks at nothing any more") {
  long_session t;
  for (auto line : {":history --grep 7", ":branch early from 3"}) {
    auto before = t.disk->asked();
    auto what = t.line(line);
    what.cancelled = std::make_shared<std::atomic<bool>>(true);
    auto searching = t.enter(what);
    t.sched.run();
    auto found = t.turn_of(searching);
    CHECK_FALSE(command_of(found).ok);
    CHECK(command_of(found).output.find("interrupted") != std::string::npos);
    CHECK(t.disk->asked() == before);
  }
  CHECK(t.snapshot()->branches.empty());
  CHECK(t.submit("(+ 1 2)"));
}

TEST_CASE("a session that ends answers those who search, and nobody reads on for them") {
  long_session t;
  auto searching = t.enter(t.line(":history --grep 7"));
  auto stopped = t.self->request(t.session, caf::infinite, atom::stop_v);
  t.sched.run();
  stopped.receive([] {}, [](caf::error& e) { FAIL(caf::to_string(e)); });
  auto found = t.turn_of(searching);
  REQUIRE_FALSE(found);
  CHECK(problem_of(found.error()) == problem::invalid_state);
  CHECK(t.disk->asked() == 0);
}

TEST_CASE("more searches than may wait are refused") {
  session_limits limits;
  limits.turns_waiting = 3;
  long_session t;
  t.self->send_exit(t.session, caf::exit_reason::user_shutdown);
  t.setup.limits = limits;
  t.start();
  std::vector<decltype(t.enter(t.line("")))> all;
  for (int i = 0; i < 5; ++i)
    all.push_back(t.enter(t.line(":history --grep nowhere")));
  t.sched.run();
  auto refused = 0;
  for (auto& pending : all)
    if (auto answer = t.turn_of(pending); !answer) {
      CHECK(problem_of(answer.error()) == problem::busy);
      ++refused;
    }
  CHECK(refused == 2);
}

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
  s.submit("one", "a line of the musician");
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
  s.submit("one", "a line of the musician");
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
  s.submit("one", "a line of the musician");
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

TEST_CASE("over TCP, too, hanging up is told from sending no more") {
  auto disk = std::make_shared<old_entries>();
  auto name = (std::filesystem::temp_directory_path() / "fermata-tcp-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()));
  auto door = io::protocol::tcp_door::listen("0", name);
  std::filesystem::remove_all(name);
  REQUIRE(door);
  const auto token = door->token();
  ipc_options options;
  options.connection.look_for_client = std::chrono::milliseconds{10};
  options.tcp = std::make_shared<io::protocol::tcp_door>(std::move(*door));
  served_sessions s{options, std::make_shared<snapshot_board>(), history::on_disk(many, disk)};
  const auto port =
      static_cast<std::uint16_t>(std::stoi(s.record.tcp.substr(s.record.tcp.rfind(':') + 1)));
  s.submit("one", "a line of the musician");
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

TEST_CASE("what fails in a way that nobody reckoned with is answered, and so is what comes next") {
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
  s.submit("one", "a line of the musician");
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
