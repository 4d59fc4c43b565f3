#pragma once

#include "actors/actor_runtime.hpp"
#include "actors/front_end.hpp"
#include "actors/ipc/ipc_listener.hpp"
#include "actors/system_config.hpp"
#include "actors/work/worker_pool.hpp"
#include "core/memory_meter.hpp"
#include "io/protocol/home_lock.hpp"
#include "io/protocol/instance.hpp"
#include "io/protocol/tcp_listener.hpp"
#include "io/store/loading_progress.hpp"

#include <caf/actor_system.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace fermata::app {

/// How this process runs sessions.
struct hosting {
  std::filesystem::path home;  ///< empty: sessions are in memory, and end with this
  std::optional<io::protocol::home_lock> lock;
  /// Why clients cannot connect and other windows cannot attach: another process has the lock, or
  /// it could not be taken. Empty: they can, as far as the socket can be opened.
  std::string no_socket;
  std::shared_ptr<io::protocol::tcp_listener> tcp;
  bool has_prompt = false;
  std::shared_ptr<memory_pool> memory;                    ///< that evaluations share
  commit_rule commit_by_default = commit_rule::notation;  ///< of config.toml
  setting_values configured;                              ///< config.toml, for playback
};

/// The sessions of a home, run by this process, with the socket for clients and further windows.
///
/// Components start in this order and stop in the reverse one: first the socket, so that nothing
/// new comes in, then the front-end, then the sessions with everything written out, and the actor
/// system last, which waits for all of them.
class hosted_sessions {
public:
  hosted_sessions(hosting how, actors::front_end::inbox& events);
  hosted_sessions(const hosted_sessions&) = delete;
  hosted_sessions& operator=(const hosted_sessions&) = delete;
  ~hosted_sessions();

  actors::front_end_port& front_end() { return *front_end_; }
  /// How far the sessions have been read that are being opened.
  const io::loading_progress& loading() const { return *loading_; }
  /// Saves and ends everything; sessions that are being opened are given up. Answers an empty text,
  /// or what did not end in time or could not be saved.
  std::string shut_down();

private:
  void open_socket(const actors::manager_setup& setup);

  hosting how_;
  std::shared_ptr<io::loading_progress> loading_ = std::make_shared<io::loading_progress>();
  actors::worker_pool_ptr workers_;  ///< goes last, after all who use it
  actors::system_config config_;
  std::optional<caf::actor_system> system_;
  std::optional<actors::actor_runtime> roots_;
  std::optional<actors::front_end> front_end_;
  ipc_listener_actor listener_;
  std::optional<io::protocol::attach_key> key_;
  std::optional<io::protocol::record_without_socket> instead_;
};

}  // namespace fermata::app
