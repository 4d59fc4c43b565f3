#pragma once

#include "actors/ipc/ipc_listener.hpp"
#include "actors/session/session.hpp"
#include "actors/system_config.hpp"
#include "messages/errors.hpp"

#include <caf/all.hpp>
#include <caf/io/all.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <future>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace fermata::actors {

/// Evaluates five words: "measure" appends a measure, "late" does so after a while, "fail" fails,
/// "loop" turns until it is told to stop, anything else is its own value.
inline result<evaluation> word_evaluator(const evaluation_request& r) {
  if (r.text == "loop")
    while (true)
      if (auto why = r.interrupted()) return fermata::fail({*why, "stopped"});
  if (r.text == "fail")
    return fermata::fail(
        error{errc::unknown_name, "`fail` is not bound", source_span{0, 4}, "define it"});
  if (r.text == "late") std::this_thread::sleep_for(std::chrono::milliseconds{2});
  evaluation out;
  out.env = r.env;
  out.score = r.score;
  out.values = {value::string(r.text)};
  if (r.text == "measure" || r.text == "late") {
    auto s = *r.score;
    part p;
    if (!s.parts.empty())
      p = *s.parts.front();
    else
      s.part_list.emplace_back(std::size_t{0});
    measure m;
    m.number = std::to_string(p.measures.size() + 1);
    p.measures.push_back(std::make_shared<const measure>(m));
    s.parts = {std::make_shared<const part>(p)};
    auto after = std::make_shared<const score>(std::move(s));
    out.delta = diff_snapshots(r.score, after);
    out.score = after;
    out.committed = true;
  }
  return out;
}

/// A manager of sessions in memory; "slow" answers nothing until it is told to.
struct memory_manager_state {
  explicit memory_manager_state(session_manager_actor::pointer ptr) : self(ptr) {}
  session_manager_actor::pointer self;
  std::map<std::string, session_actor> all;
  std::string active = "one";
  std::shared_ptr<snapshot_board> board;
  history old;  ///< of session one
  session_limits limits{};
  std::vector<caf::typed_response_promise<session_ref>> withheld;

  caf::result<session_ref> make(const std::string& slug) {
    session_meta meta;
    meta.slug = meta.name = slug;
    auto state = empty_session(meta);
    state.client_policies["friend"] = remote_policy::allow;
    state.client_policies["stranger"] = remote_policy::deny;
    session_setup setup;
    if (slug == "one") state.history = old;
    setup.loader = state.history.loader();
    setup.state = std::make_shared<const session_state>(std::move(state));
    setup.evaluate = word_evaluator;
    setup.limits = limits;
    setup.now = [] {
      return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    };
    if (board) setup.publish = [b = board](const session_snapshot& s) { b->publish(s); };
    auto actor = self->spawn(session, setup);
    all[slug] = actor;
    return session_ref{slug, actor};
  }
  caf::result<session_ref> create(const std::string& name) {
    make(name);
    return activate(name);
  }
  caf::result<session_ref> find(const std::string& slug) {
    if (slug == "slow") {
      withheld.push_back(self->make_response_promise<session_ref>());
      return withheld.back();
    }
    auto at = all.find(slug);
    if (at == all.end())
      return make_problem(problem::not_found, "no session " + slug, "list_sessions");
    return session_ref{slug, at->second};
  }
  caf::result<session_ref> activate(const std::string& name) {
    auto found = find(name);
    if (all.count(name)) {
      active = name;
      if (board) board->set_active(name);
    }
    return found;
  }
  std::vector<session_summary> list() const {
    std::vector<session_summary> out;
    for (auto& [slug, actor] : all) {
      session_summary s;
      s.meta.slug = s.meta.name = slug;
      s.active = slug == active;
      s.loaded = true;
      out.push_back(s);
    }
    return out;
  }
};

inline session_manager_actor::behavior_type memory_manager(
    session_manager_actor::stateful_pointer<memory_manager_state> self,
    std::shared_ptr<snapshot_board> board, history old, session_limits limits) {
  auto& st = self->state;
  st.old = std::move(old);
  st.limits = limits;
  st.board = std::move(board);
  if (st.board) st.board->set_active(st.active);
  st.make("one");
  st.make("two");
  return {
      [&st](atom::create, const std::string& name) { return st.create(name); },
      [&st](atom::create, atom::client, const std::string&, const std::string& name) {
        return st.create(name);
      },
      [&st](atom::find, const std::string& name) { return st.find(name); },
      [&st](atom::active) { return st.find(st.active); },
      [&st](atom::activate, const std::string& name) { return st.activate(name); },
      [&st](atom::activate, atom::client, const std::string& name) { return st.activate(name); },
      [&st](atom::list) { return st.list(); },
      [&st](atom::list, atom::sizes) { return st.list(); },
      // Nothing lies on a disk here.
      [](atom::archived) { return std::vector<session_summary>{}; },
      [](atom::clone, const std::string&, const std::string&) -> caf::result<session_ref> {
        return make_problem(problem::failed, "no disk");
      },
      [](atom::archive_session, const archive_request&) -> caf::result<archive_answer> {
        return make_problem(problem::failed, "no disk");
      },
      [](atom::left, const std::string&, bool) {},
      [](atom::restore, const std::string&) -> caf::result<session_ref> {
        return make_problem(problem::failed, "no disk");
      },
      [](atom::export_session, const export_request&) -> caf::result<exported_session> {
        return make_problem(problem::failed, "no disk");
      },
      [](atom::import_session, const std::string&, const std::string&) -> caf::result<session_ref> {
        return make_problem(problem::failed, "no disk");
      },
      [](atom::rename, const std::string&, const std::string& wanted) { return wanted; },
      [](atom::renamed, const std::string&) {},
      [self, &st](atom::stop) -> caf::result<void> {
        // Also how a test releases what it withheld.
        for (auto& p : st.withheld)
          p.deliver(session_ref{"one", st.all.at("one")});
        st.withheld.clear();
        (void)self;
        return caf::unit;
      },
      [](atom::follow, const std::string&, const session_snapshot&) {},
      [](atom::restart, const std::string&) {},
      [](atom::unload) {},
  };
}

/// A socket in a folder of its own with real threads: what is tested is what happens on a socket.
struct served_sessions {
  struct config : system_config {
    config() { load<caf::io::middleman>(); }
  };

  /// Waits until every actor has ended and the network's thread has let go of the brokers. The end
  /// of the actor system stops that thread with whatever stands in its queue: a broker in there, on
  /// its way to be resumed once more, would never be released.
  struct network_at_rest {
    caf::actor_system& sys;
    explicit network_at_rest(caf::actor_system& s) : sys(s) {}
    network_at_rest(const network_at_rest&) = delete;
    network_at_rest& operator=(const network_at_rest&) = delete;
    ~network_at_rest() {
      sys.registry().await_running_count_equal(0);
      // What a round does may put something into the queue again: brokers close their sockets in
      // one and are released in the next.
      for (int round = 0; round < 3; ++round) {
        std::promise<void> done;
        sys.middleman().backend().post([&done] { done.set_value(); });
        done.get_future().wait();
      }
    }
  };

  std::filesystem::path home;
  worker_pool_ptr workers = std::make_shared<worker_pool>();
  config cfg;
  caf::actor_system sys{cfg};
  network_at_rest rest{sys};  ///< before those who hold actors, so that it goes after them
  caf::scoped_actor self{sys, true};
  session_manager_actor manager;
  ipc_listener_actor listener;
  io::protocol::instance_record record;
  std::optional<error> closed;  ///< why there is no socket yet
  std::vector<std::string> logged;

  /// With a board, as the program runs; without one, queries go to the sessions.
  explicit served_sessions(
      ipc_options options = {},
      std::shared_ptr<snapshot_board> board = std::make_shared<snapshot_board>(), history old = {},
      session_limits limits = {},
      const std::function<void(const std::filesystem::path& home)>& prepare = nullptr) {
    auto name = (std::filesystem::temp_directory_path() / "fermata-ipc-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()));
    home = name;
    if (prepare) prepare(home);
    manager = sys.spawn(memory_manager, board, std::move(old), limits);
    options.home = home;
    options.version = "9.9";
    options.connection.board = board;
    options.connection.workers = workers;
    if (!options.connection.log) options.connection.log = [](const std::string&) {};
    auto opened = open_ipc(sys, manager, options);
    REQUIRE(opened);
    listener = opened->listener;
    record = opened->record;
    closed = opened->closed;
  }
  ~served_sessions() {
    close();
    self->send_exit(manager, caf::exit_reason::user_shutdown);
    manager = nullptr;
    std::error_code ec;
    std::filesystem::remove_all(home, ec);
  }
  void close() {
    if (!listener) return;
    self->monitor(listener);
    self->send_exit(listener, caf::exit_reason::user_shutdown);
    self->receive([](const caf::down_msg&) {});
    listener = nullptr;
  }
  session_actor session(const std::string& slug) {
    session_actor out;
    self->request(manager, caf::infinite, atom::find::value, slug)
        .receive([&](session_ref& ref) { out = ref.actor; },
                 [](caf::error&) { FAIL("no session"); });
    return out;
  }
  void submit(const std::string& slug, const std::string& text) {
    self->request(session(slug), caf::infinite, atom::submit::value,
                  submission{text, {}, nullptr, false})
        .receive([](turn& t) { REQUIRE_FALSE(t.entries.empty()); },
                 [&](caf::error& e) { FAIL("not submitted: " << detail_of(e).message); });
  }
  void release() {
    self->request(manager, caf::infinite, atom::stop::value).receive([] {}, [](caf::error&) {});
  }
};

/// A client with blocking calls. Waiting is bounded so that a broken server fails the test.
class socket_client {
public:
  explicit socket_client(const served_sessions& s)
    : fd_(io::protocol::connect_socket(s.record.socket)) {
    REQUIRE(fd_ >= 0);
  }
  /// Over TCP, to a port of this machine.
  explicit socket_client(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(fd_, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
  }
  ~socket_client() { close(); }
  socket_client(const socket_client&) = delete;
  socket_client& operator=(const socket_client&) = delete;

  /// Writes all of it; reads nothing meanwhile. False when the server closed.
  bool send(std::string_view text) {
    while (!text.empty()) {
      auto n = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (n < 0 && errno == EAGAIN) {
        pollfd p{fd_, POLLOUT, 0};
        ::poll(&p, 1, -1);
        continue;
      }
      if (n < 0) return false;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  /// The next line, however long it takes (whoever runs the tests has a limit for all); empty at
  /// the end.
  std::string line() {
    for (;;) {
      if (auto end = buffer_.find('\n'); end != std::string::npos) {
        auto out = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return out;
      }
      pollfd p{fd_, POLLIN, 0};
      if (::poll(&p, 1, -1) < 0) continue;  // interrupted
      char chunk[4096];
      auto n = ::recv(fd_, chunk, sizeof chunk, 0);
      if (n <= 0) return {};
      buffer_.append(chunk, static_cast<std::size_t>(n));
    }
  }
  boost::json::value read() {
    auto text = line();
    INFO(text);
    REQUIRE_FALSE(text.empty());
    return boost::json::parse(text);
  }
  boost::json::value ask(std::string_view method, std::string_view params = "{}") {
    REQUIRE(send("{\"id\":1,\"method\":\"" + std::string{method} +
                 "\",\"params\":" + std::string{params} + "}\n"));
    return read();
  }
  bool ended() { return line().empty(); }
  void stop_sending() { ::shutdown(fd_, SHUT_WR); }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

private:
  int fd_;
  std::string buffer_;
};

}  // namespace fermata::actors
