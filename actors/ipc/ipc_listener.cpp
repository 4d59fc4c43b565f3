#include "actors/ipc/ipc_listener.hpp"

#include "actors/ipc/file_watcher.hpp"
#include "actors/ipc/unix_acceptor.hpp"
#include "io/protocol/envelope.hpp"
#include "io/protocol/instance_files.hpp"
#include "io/protocol/method.hpp"

#include <caf/io/middleman.hpp>
#include <caf/io/typed_broker.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace fermata::actors {

namespace {

/// The time between the removal of one of our files and its recreation: who removes a whole folder
/// is not held up, and finds nothing new in it.
constexpr std::chrono::milliseconds before_recreation{200};

/// What a listener is started with.
struct listener_setup {
  std::shared_ptr<io::protocol::instance_files> files;
  session_manager_actor sessions;
  ipc_settings_ptr settings;      ///< of clients on the Unix socket
  ipc_settings_ptr tcp_settings;  ///< of clients over TCP; null: TCP is disabled
  std::shared_ptr<io::protocol::tcp_listener> tcp;
  std::shared_ptr<snapshot_board> board;
  std::size_t max_clients = 0;
};

class ipc_listener_state {
public:
  using pointer = ipc_listener_actor::stateful_broker_pointer<ipc_listener_state>;
  static inline const char* name = "ipc_listener";

  explicit ipc_listener_state(pointer ptr) : self_(ptr) {}

  ipc_listener_actor::behavior_type start(listener_setup with) {
    what_ = std::move(with);
    sockets_.push_back({{}, what_.settings, true, {}});
    if (!what_.files->closed()) open_unix_socket();
    watcher_ = spawn_file_watcher(self_->system(), ipc_listener_actor{self_});
    watch_files();
    if (what_.tcp)
      sockets_.push_back(
          {add_unix_acceptor(*self_, what_.tcp->release()), what_.tcp_settings, false, {}});
    if (what_.board)
      what_.board->on_change([to = self_->address()] {
        if (auto listener = caf::actor_cast<ipc_listener_actor>(to))
          caf::anon_send(listener, atom::listed::value);
      });
    self_->set_default_handler(caf::drop);
    self_->set_down_handler([this](caf::down_msg& msg) { client_left(msg.source); });
    self_->set_exit_handler([this](caf::exit_msg& msg) {
      // Without the watcher a removed socket is not noticed; everything else goes on.
      if (!watcher_ || msg.source != watcher_.address()) stop(msg.reason);
    });
    return {
        [this](const caf::io::new_connection_msg& msg) { client_came(msg.source, msg.handle); },
        [this](const caf::io::acceptor_closed_msg&) { self_->quit(); },
        [this](atom::listed) {
          for (const auto& d : sockets_)
            for (const auto& client : d.clients)
              self_->send(client, atom::listed::value);
        },
        [this](atom::changed, const std::vector<std::string>&) { check_files_later(); },
        [this](atom::look_files) { check_files(); },
    };
  }

private:
  struct listening_socket {
    std::optional<caf::io::accept_handle> handle;  ///< nothing: it is closed
    ipc_settings_ptr settings;
    bool knows_user = false;  ///< the kernel says who connects
    std::set<ipc_connection_actor> clients;
  };

  void client_came(caf::io::accept_handle at, caf::io::connection_handle hdl) {
    auto d =
        std::find_if(sockets_.begin(), sockets_.end(), [&](auto& x) { return x.handle == at; });
    if (d == sockets_.end()) return;
    if (d->knows_user) {
      const auto uid = io::protocol::peer_uid(static_cast<int>(hdl.id()));
      if (uid != ::geteuid()) {
        what_.settings->log(fmt::format("refused a connection of user {}", uid ? int(*uid) : -1));
        self_->close(hdl);
        return;
      }
    }
    if (d->clients.size() >= what_.max_clients) {
      turn_away(hdl);
      return;
    }
    auto client = self_->fork(ipc_connection, hdl, what_.sessions, d->settings);
    self_->monitor(client);
    d->clients.insert(client);
  }
  /// In the short form: it has not said which it speaks. A new socket takes a line at once; one
  /// that does not is no loss.
  void turn_away(caf::io::connection_handle hdl) {
    auto line = io::protocol::fault_line(
        {io::protocol::envelope::short_form, "null", true},
        {io::protocol::fault_code::busy,
         fmt::format("{} clients are already connected, the maximum", what_.max_clients),
         "connect again later, or send several requests over one connection",
         {{"max", what_.max_clients}, {"retry_after_ms", 1'000}}});
    line += '\n';
    const auto fd = static_cast<int>(hdl.id());
    std::ignore = ::send(fd, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    self_->close(hdl);
  }
  void client_left(const caf::actor_addr& source) {
    for (auto& d : sockets_) {
      auto it = std::find_if(d.clients.begin(), d.clients.end(),
                             [&](auto& client) { return client.address() == source; });
      if (it == d.clients.end()) continue;
      d.clients.erase(it);
      break;
    }
    end_when_alone();
  }
  void open_unix_socket() {
    auto& first = sockets_.front();
    if (first.handle) self_->close(*first.handle);
    first.handle = add_unix_acceptor(*self_, what_.files->release_socket());
  }
  void watch_files() {
    std::vector<std::string> paths;
    for (const auto& p : what_.files->watched())
      paths.push_back(p.string());
    // One may have been removed before it was watched.
    auto watched = [this] {
      if (end_) return;
      if (what_.files->closed())
        check_files_later();
      else
        check_files();
    };
    self_->request(watcher_, caf::infinite, atom::watch_v, std::move(paths))
        .then(watched, [this](const caf::error&) {
          if (!end_) what_.settings->log("the files of the socket are not watched any more");
        });
  }
  void check_files_later() {
    caf::delayed_anon_send(ipc_listener_actor{self_}, before_recreation, atom::look_files_v);
  }
  /// Clients that are connected stay so, whatever becomes of the files.
  void check_files() {
    using made_t = io::protocol::instance_files::made_t;
    if (end_) return;
    const bool was_open = sockets_.front().handle.has_value();
    auto made = what_.files->recreate();
    if (!made) {
      auto& why = made.error().first();
      what_.settings->log(
          (was_open ? "the socket was removed and cannot be recreated: " : "no socket yet: ") +
          why.message);
      return;
    }
    if (*made == made_t::socket) {
      open_unix_socket();
      what_.settings->log(
          (was_open ? "the socket was removed; it was recreated at " : "socket created at ") +
          what_.files->record().socket);
    }
    if (*made != made_t::nothing) watch_files();
  }
  void stop(const caf::error& reason) {
    if (end_) return;
    end_ = reason;
    if (what_.board) what_.board->on_change(nullptr);
    for (auto& d : sockets_) {
      if (d.handle) self_->close(*d.handle);
      for (const auto& client : d.clients)
        self_->send_exit(client, reason);
    }
    // The end of the watcher is nothing to hear about, and neither is that of the files.
    self_->unlink_from(watcher_);
    self_->send_exit(watcher_, reason);
    what_.files.reset();
    end_when_alone();
  }
  /// Brokers keep what is in their mailbox when they end (CAF 0.17.6). A connection that ends with
  /// our exit message unread, and a listener that ends with the connection's down message unread,
  /// would hold each other for ever; so the listener reads them all.
  void end_when_alone() {
    if (end_ &&
        std::all_of(sockets_.begin(), sockets_.end(), [](auto& d) { return d.clients.empty(); }))
      self_->quit(*end_);
  }

  pointer self_;
  listener_setup what_;
  std::vector<listening_socket> sockets_;
  file_watcher_actor watcher_;
  std::optional<caf::error> end_;  ///< why; set while it waits for its connections to leave
};
static_assert(!std::is_aggregate_v<ipc_listener_state>);

ipc_listener_actor::behavior_type ipc_listener(ipc_listener_state::pointer self,
                                               const std::shared_ptr<listener_setup>& setup) {
  return self->state.start(std::move(*setup));
}

/// Connections that leave descriptors for everything else that the process opens.
std::size_t affordable(std::size_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return wanted;
  return std::min<std::size_t>(wanted, std::max<rlim_t>(limit.rlim_cur / 2, 1));
}

std::string new_instance_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace

result<ipc_endpoint> open_ipc(caf::actor_system& sys, session_manager_actor sessions,
                              ipc_options options) {
  if (!sys.has_middleman())
    return fail({errc::internal, "the actor system runs without its network module"});
  auto record = io::protocol::this_process(options.version, options.has_prompt);
  record.id = new_instance_id();
  if (options.tcp) record.tcp = options.tcp->address();
  auto files = io::protocol::instance_files::make(options.home, std::move(record));
  if (!files) return fail(std::move(files.error()));
  record = (*files)->record();
  auto settings = std::make_shared<ipc_settings>(std::move(options.connection));
  settings->instance = record.id;
  settings->version = record.version;
  settings->cwd = record.cwd;
  if (!settings->log)
    settings->log = [](const std::string& line) {
      std::fprintf(stderr, "fermata: socket: %s\n", line.c_str());
    };
  auto closed = (*files)->closed();
  auto setup = std::make_shared<listener_setup>();
  setup->files = std::move(*files);
  setup->sessions = std::move(sessions);
  setup->settings = settings;
  setup->board = settings->board;
  setup->max_clients = affordable(options.max_clients);
  if (options.tcp) {
    auto for_strangers = std::make_shared<ipc_settings>(*settings);
    for_strangers->token = options.tcp->token();
    for_strangers->attach_key.clear();  // the user's own windows are on this machine
    setup->tcp_settings = std::move(for_strangers);
    setup->tcp = std::move(options.tcp);
  }
  auto listener = sys.middleman().spawn_broker(ipc_listener, std::move(setup));
  return ipc_endpoint{std::move(listener), std::move(record), std::move(closed)};
}

}  // namespace fermata::actors
