#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace fermata::midi {

/// The clock of everything that is heard: CLOCK_MONOTONIC.
using steady_time = std::chrono::steady_clock::time_point;

/// An open destination of MIDI messages: a port of a device, the synthesizer, a recorder.
///
/// One thread at a time sends to it, which is the transport's. It may be destroyed on another one
/// once that thread has let go of it.
class output_port {
public:
  output_port() = default;
  output_port(const output_port&) = delete;
  output_port& operator=(const output_port&) = delete;
  virtual ~output_port() = default;

  /// Sends one complete MIDI 1.0 message (with its status byte; no running status), to be heard at
  /// `due`, or at once if that has passed. `group`: which 16 channels, below `groups()`. Never
  /// blocks and never allocates, except for system exclusive messages. False: it was not taken,
  /// because the port is lost or its queue is full.
  virtual bool send(std::uint8_t group, std::span<const std::uint8_t> message,
                    steady_time due) noexcept = 0;
  /// How long before it is due a message should be sent: two periods of a JACK server, 0 for ports
  /// that send at once.
  virtual std::chrono::nanoseconds look_ahead() const noexcept = 0;
  /// False once its device or server is gone; it does not come back, another has to be opened.
  virtual bool is_alive() const noexcept = 0;
  virtual int groups() const noexcept { return 1; }
  /// In bytes. A longer message, which only a system exclusive one can be, is not taken.
  virtual std::size_t longest_message() const noexcept {
    return std::numeric_limits<std::size_t>::max();
  }
};

}  // namespace fermata::midi
