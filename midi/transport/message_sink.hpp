#pragma once

#include "midi/sound/output_port.hpp"

#include <cstdint>
#include <initializer_list>
#include <span>

namespace fermata::midi {

inline constexpr int most_groups = 128;  ///< as many ports as a Standard MIDI File can name
inline constexpr int channels_of_group = 16;

/// Where the transport's messages go, in order of time. `group`: 16 channels each.
class message_sink {
public:
  virtual ~message_sink() = default;
  virtual void send(std::uint8_t group, std::span<const std::uint8_t> message,
                    steady_time due) noexcept = 0;

  void send_bytes(std::uint8_t group, std::initializer_list<std::uint8_t> message,
                  steady_time due) noexcept {
    send(group, std::span<const std::uint8_t>{message.begin(), message.size()}, due);
  }
};

}  // namespace fermata::midi
