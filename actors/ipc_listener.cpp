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

#include <cstdio>
#include <random>
#include <set>

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

class ipc_listener_state {
public:
  using pointer = caf::stateful_actor<ipc_listener_state, caf::io::broker>*;
  static inline const char* name = "ipc_listener";

  explicit ipc_listener_state(pointer ptr) : self(ptr) {}

  caf::behavior start(std::shared_ptr<ipc_files> what, session_manager_actor sessions,
                      ipc_settings_ptr how, std::size_t most) {
    files = std::move(what);
    manager = std::move(sessions);
    settings = std::move(how);
    max_clients = most;
    door = add_unix_doorman(*self, files->socket.release());
    self->set_default_handler(caf::drop);
    self->set_down_handler([this](caf::down_msg& msg) { client_left(msg.source); });
    self->set_exit_handler([this](caf::exit_msg& msg) { stop(msg.reason); });
    return {
        [this](const caf::io::new_connection_msg& msg) { client_came(msg.handle); },
        [this](const caf::io::acceptor_closed_msg&) { self->quit(); },
    };
  }

private:
  void client_came(caf::io::connection_handle hdl) {
    const auto uid = io::protocol::peer_uid(static_cast<int>(hdl.id()));
    if (uid != ::geteuid()) {
      settings->log(fmt::format("refused a connection of user {}", uid ? int(*uid) : -1));
      self->close(hdl);
      return;
    }
    auto client = self->fork(ipc_connection, hdl, manager, settings);
    self->monitor(client);
    clients.insert(client);
    if (clients.size() >= max_clients) self->halt(door);
  }
  void client_left(const caf::actor_addr& source) {
    for (auto it = clients.begin(); it != clients.end(); ++it)
      if (it->address() == source) {
        clients.erase(it);
        break;
      }
    if (clients.size() + 1 == max_clients) self->trigger(door);
  }
  void stop(const caf::error& reason) {
    self->close(door);
    for (const auto& client : clients)
      self->send_exit(client, reason);
    files.reset();
    self->quit(reason);
  }

  pointer self;
  caf::io::accept_handle door;
  std::shared_ptr<ipc_files> files;
  session_manager_actor manager;
  ipc_settings_ptr settings;
  std::size_t max_clients = 0;
  std::set<caf::actor> clients;
};
static_assert(!std::is_aggregate_v<ipc_listener_state>);

caf::behavior ipc_listener(caf::stateful_actor<ipc_listener_state, caf::io::broker>* self,
                           std::shared_ptr<ipc_files> files, session_manager_actor sessions,
                           ipc_settings_ptr settings, std::size_t max_clients) {
  return self->state.start(std::move(files), std::move(sessions), std::move(settings), max_clients);
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
  auto listener =
      sys.middleman().spawn_broker(ipc_listener, std::move(files), std::move(sessions),
                                   ipc_settings_ptr{settings}, affordable(options.max_clients));
  return ipc_endpoint{std::move(listener), std::move(record)};
}

}  // namespace fermata::actors
