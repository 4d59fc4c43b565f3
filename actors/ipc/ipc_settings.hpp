#pragma once

#include "actors/session/snapshot_board.hpp"
#include "actors/work/worker_pool.hpp"
#include "messages/midi.hpp"
#include "messages/recording.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace fermata::actors {

/// Identity and limits of a connection.
struct ipc_settings {
  /// Set for TCP, where anybody on the machine can connect: `system.hello` with this token comes
  /// first, within `patience`. Empty: the kernel has said that it is our own user.
  std::string token;
  std::chrono::milliseconds patience{10'000};
  /// A client that shows this may enter lines in the user's name (front_end.attach). Empty: none
  /// may.
  std::string attach_key;
  std::string instance;  ///< differs between runs
  std::string version;   ///< of the program
  std::string cwd;
  std::size_t max_pending = 256;  ///< unanswered requests, then the connection is not read
  std::size_t max_pending_bytes = 16u << 20;  ///< of these requests, then it is not read
  std::size_t max_unsent = 1u << 20;          ///< bytes the peer has not taken, then it is not read
  std::size_t max_held = 8u << 20;  ///< bytes that wait for an earlier reply, then it is not read
  /// How often it is checked whether the client of a long query is still connected.
  std::chrono::milliseconds look_for_client{1'000};
  std::chrono::milliseconds last_line{2'000};  ///< that a window's line may take at the end
  std::chrono::milliseconds stall{30'000};  ///< without taking a byte of a full queue: disconnected
  /// Where sessions publish their states. A query reads there instead of asking: two wake-ups of
  /// other threads less. May be null.
  std::shared_ptr<snapshot_board> board;
  worker_pool_ptr workers;  ///< where long queries run; null: on the thread of the connection
  player_actor player;      ///< null: nothing can be heard
  recorder_actor recorder;  ///< null: nothing can be recorded
  quantizer_actor quantizer;
  std::filesystem::path home{};                 ///< where the folders of sessions are
  std::function<void(const std::string&)> log;  ///< for the operator, one line
};
using ipc_settings_ptr = std::shared_ptr<const ipc_settings>;

}  // namespace fermata::actors
