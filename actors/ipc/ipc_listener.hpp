#pragma once

#include "actors/ipc/ipc_connection.hpp"
#include "core/result.hpp"
#include "io/protocol/instance.hpp"
#include "io/protocol/tcp_listener.hpp"
#include "messages/ipc_listener.hpp"

#include <caf/actor_system.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace fermata::actors {

struct ipc_options {
  std::filesystem::path home = io::protocol::fermata_home();
  std::string version;            ///< of the program
  bool has_prompt = false;        ///< interactive; stated in the record
  std::size_t max_clients = 256;  ///< further ones are told so and closed
  ipc_settings connection{};      ///< instance, version and cwd are filled in
  /// The same protocol over TCP; null: disabled. Its clients are counted separately, so that
  /// other users cannot lock out the owner.
  std::shared_ptr<io::protocol::tcp_listener> tcp = nullptr;
};

/// The socket while it is open.
struct ipc_endpoint {
  /// `anon_send_exit(listener, user_shutdown)` closes socket and connections.
  ipc_listener_actor listener;
  io::protocol::instance_record record;
  /// Why there is no socket yet, as when a file is in its way. It is made, with the record, as soon
  /// as that is gone; the listener is woken when it goes, and looks at nothing until then.
  std::optional<error> closed = std::nullopt;
};

/// Opens the socket of this process and writes its record under `run/`; both go away with the
/// listener. The first instance owns `repl.sock`, a second one has a socket of its own name. If one
/// of the two is removed meanwhile, it is recreated.
///
/// The listener accepts clients of our own user only (SO_PEERCRED; over TCP, whoever shows the
/// token) and forks a connection for each.
/// Beyond `max_clients` a client is answered `busy` before it asks, and closed. It dies with
/// nothing but an exit message, and takes its connections with it. The configuration of `sys` must
/// have loaded `caf::io::middleman`.
[[nodiscard]] result<ipc_endpoint> open_ipc(caf::actor_system& sys, session_manager_actor sessions,
                                            ipc_options options);

}  // namespace fermata::actors
