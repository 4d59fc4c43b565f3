#include "actors/ipc_listener.hpp"

#include "actors/unix_doorman.hpp"
#include "io/protocol/method.hpp"

#include <caf/io/broker.hpp>
#include <caf/io/middleman.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <set>
#include <vector>

namespace fermata::actors {

namespace {

/// What the listener leaves in the file system.
struct ipc_files {
  io::protocol::socket_file socket;
  std::filesystem::path record;
  ipc_files(io::protocol::socket_file s, std::filesystem::path r)
    : socket(std::move(s)), record(std::move(r)) {}
  ipc_files(const ipc_files&) = delete;
  ipc_files& operator=(const ipc_files&) = delete;
  ~ipc_files() {
    std::error_code ec;
    std::filesystem::remove(record, ec);
  }
};

/// What a listener is started with.
struct listener_setup {
  std::shared_ptr<ipc_files> files;
  session_manager_actor sessions;
  ipc_settings_ptr settings;      ///< of clients on the Unix socket
  ipc_settings_ptr tcp_settings;  ///< of clients over TCP; null: there is no such door
  std::shared_ptr<io::protocol::tcp_door> tcp;
  std::shared_ptr<snapshot_board> board;
  std::size_t max_clients = 0;
};

class ipc_listener_state {
public:
  using pointer = caf::stateful_actor<ipc_listener_state, caf::io::broker>*;
  static inline const char* name = "ipc_listener";

  explicit ipc_listener_state(pointer ptr) : self_(ptr) {}

  caf::behavior start(listener_setup with) {
    what_ = std::move(with);
    doors_.push_back(
        {add_unix_doorman(*self_, what_.files->socket.release()), what_.settings, true, {}});
    if (what_.tcp)
      doors_.push_back(
          {add_unix_doorman(*self_, what_.tcp->release()), what_.tcp_settings, false, {}});
    if (what_.board)
      what_.board->on_change([to = caf::actor_cast<caf::actor_addr>(self_)] {
        if (auto listener = caf::actor_cast<caf::actor>(to))
          caf::anon_send(listener, sessions_changed::value);
      });
    self_->set_default_handler(caf::drop);
    self_->set_down_handler([this](caf::down_msg& msg) { client_left(msg.source); });
    self_->set_exit_handler([this](caf::exit_msg& msg) { stop(msg.reason); });
    return {
        [this](const caf::io::new_connection_msg& msg) { client_came(msg.source, msg.handle); },
        [this](const caf::io::acceptor_closed_msg&) { self_->quit(); },
        [this](sessions_changed) {
          for (const auto& d : doors_)
            for (const auto& client : d.clients)
              self_->send(client, sessions_changed::value);
        },
    };
  }

private:
  struct door {
    caf::io::accept_handle handle;
    ipc_settings_ptr settings;
    bool knows_user = false;  ///< the kernel says who connects
    std::set<caf::actor> clients;
  };

  void client_came(caf::io::accept_handle at, caf::io::connection_handle hdl) {
    auto d = std::find_if(doors_.begin(), doors_.end(), [&](auto& x) { return x.handle == at; });
    if (d == doors_.end()) return;
    if (d->knows_user) {
      const auto uid = io::protocol::peer_uid(static_cast<int>(hdl.id()));
      if (uid != ::geteuid()) {
        what_.settings->log(fmt::format("refused a connection of user {}", uid ? int(*uid) : -1));
        self_->close(hdl);
        return;
      }
    }
    auto client = self_->fork(ipc_connection, hdl, what_.sessions, d->settings);
    self_->monitor(client);
    d->clients.insert(client);
    if (d->clients.size() >= what_.max_clients) self_->halt(d->handle);
  }
  void client_left(const caf::actor_addr& source) {
    for (auto& d : doors_)
      for (auto it = d.clients.begin(); it != d.clients.end(); ++it)
        if (it->address() == source) {
          d.clients.erase(it);
          if (d.clients.size() + 1 == what_.max_clients) self_->trigger(d.handle);
          return;
        }
  }
  void stop(const caf::error& reason) {
    if (what_.board) what_.board->on_change(nullptr);
    for (auto& d : doors_) {
      self_->close(d.handle);
      for (const auto& client : d.clients)
        self_->send_exit(client, reason);
    }
    what_.files.reset();
    self_->quit(reason);
  }

  pointer self_;
  listener_setup what_;
  std::vector<door> doors_;
};
static_assert(!std::is_aggregate_v<ipc_listener_state>);

caf::behavior ipc_listener(caf::stateful_actor<ipc_listener_state, caf::io::broker>* self,
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
  auto socket = io::protocol::socket_file::listen(options.home);
  if (!socket) return fail(std::move(socket.error()));
  std::error_code ec;
  io::protocol::instance_record record;
  record.id = new_instance_id();
  record.pid = ::getpid();
  record.started =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  record.socket = std::filesystem::absolute(socket->path(), ec).string();
  record.cwd = std::filesystem::current_path(ec).string();
  if (options.tcp) record.tcp = options.tcp->address();
  record.version = options.version;
  record.protocol = io::protocol::protocol_version;
  auto written = io::protocol::write_record(options.home, record);
  if (!written) return fail(std::move(written.error()));
  auto files = std::make_shared<ipc_files>(std::move(*socket), std::move(*written));
  auto settings = std::make_shared<ipc_settings>(std::move(options.connection));
  settings->instance = record.id;
  settings->version = record.version;
  settings->cwd = record.cwd;
  if (!settings->log)
    settings->log = [](const std::string& line) {
      std::fprintf(stderr, "fermata: socket: %s\n", line.c_str());
    };
  auto setup = std::make_shared<listener_setup>();
  setup->files = std::move(files);
  setup->sessions = std::move(sessions);
  setup->settings = settings;
  setup->board = settings->board;
  setup->max_clients = affordable(options.max_clients);
  if (options.tcp) {
    auto for_strangers = std::make_shared<ipc_settings>(*settings);
    for_strangers->token = options.tcp->token();
    setup->tcp_settings = std::move(for_strangers);
    setup->tcp = std::move(options.tcp);
  }
  auto listener = sys.middleman().spawn_broker(ipc_listener, std::move(setup));
  return ipc_endpoint{std::move(listener), std::move(record)};
}

}  // namespace fermata::actors
