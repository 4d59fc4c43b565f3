#pragma once

#include "midi/sound/output_port.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace fermata::midi {

/// Called for each message that arrives, in the order of arrival, on one thread of the port; must
/// not throw. `at`: when it was played, as far as the system knows. The bytes are one complete MIDI
/// 1.0 message with its status byte.
using message_receiver = std::function<void(steady_time at, std::span<const std::uint8_t>)>;

/// An open source of MIDI messages: a keyboard, or a port of another program. Its receiver is no
/// longer called once the destructor has returned.
class input_port {
public:
  input_port() = default;
  input_port(const input_port&) = delete;
  input_port& operator=(const input_port&) = delete;
  virtual ~input_port() = default;

  /// False once its device or server is gone; it does not come back, another has to be opened.
  virtual bool is_alive() const noexcept = 0;
  /// The number of messages that were lost because the receiver was too slow.
  virtual std::uint64_t lost() const noexcept { return 0; }
};

}  // namespace fermata::midi
