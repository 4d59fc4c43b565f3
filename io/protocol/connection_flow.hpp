#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace fermata::io::protocol {

/// Beyond one of these, a connection is not read: the kernel holds its peer back.
struct flow_limits {
  std::size_t pending = 256;          ///< unanswered requests
  std::size_t pending_bytes = 0;      ///< of these requests
  std::size_t unsent = 0;             ///< bytes the peer has not taken
  std::size_t held = 0;               ///< bytes that wait for an earlier reply
  std::size_t discarded = 64u << 20;  ///< of a peer whose requests are refused
};

/// What a connection has to do at the moment.
struct connection_load {
  std::size_t pending = 0, pending_bytes = 0, unsent = 0, held = 0;
  bool owes_events = false;
};

/// When a connection is read, and when it is closed; no sockets and no time.
///
///     open --input_ended--> everything is answered --> closed
///     open --refuse_input--> everything is answered --> end of output --input_ended--> closed
///
/// A peer that takes nothing of what waits for it between two checks is disconnected.
class connection_flow {
public:
  explicit connection_flow(const flow_limits& limits) : limits_(limits) {}

  /// The peer sends no more. It is not read any more either.
  void input_ended();
  /// What the peer sends from now on is thrown away. Its end is waited for: closing before that
  /// would lose replies, because bytes that nobody has read turn the close into a reset.
  void refuse_input() { refuses_ = true; }
  void discarded(std::size_t bytes) { discarded_ += bytes; }

  bool has_ended() const { return ended_; }
  bool refuses_input() const { return refuses_; }

  enum class step_t : std::uint8_t {
    nothing,
    read,        ///< read on
    hold,        ///< do not read for now
    end_output,  ///< close for writing
    close,       ///< everything is said
    disconnect,  ///< it keeps sending what nobody wants
  };
  /// The next step, which is taken by the caller.
  step_t next(const connection_load& load);

  /// Begins to watch whether the peer takes anything; false: that is being watched already.
  bool watch(std::uint64_t taken_in_all);
  enum class progress_t : std::uint8_t { not_needed, some, none };
  /// What came of the watch that was begun last.
  progress_t progress(std::uint64_t taken_in_all, std::size_t in_socket);

private:
  bool is_full(const connection_load& load) const;

  flow_limits limits_;
  bool ended_ = false, refuses_ = false, held_ = false, output_ended_ = false;
  std::size_t discarded_ = 0;
  std::optional<std::uint64_t> taken_at_watch_;
};

}  // namespace fermata::io::protocol
