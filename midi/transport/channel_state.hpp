#pragma once

#include "midi/transport/message_sink.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace fermata::midi {

/// What the messages up to some point have set on each channel, apart from notes: to be restored
/// when playback begins there ("chase").
class channel_states {
public:
  /// So that no memory is needed later for this many groups.
  void reserve(int groups) {
    states_.reserve(static_cast<std::size_t>(groups) * channels_of_group);
  }
  void clear() { states_.clear(); }
  void apply(std::uint8_t group, std::span<const std::uint8_t> message);
  /// Sends the state of all channels that were given one: bank before program, then registered
  /// parameters, the other controllers, pressure and pitch bend.
  void send(message_sink& out, steady_time due) const;

private:
  /// Registered parameters that are restored: pitch bend range, fine and coarse tuning. 0x3FFF and
  /// above: none is selected (MIDI 1.0, "Null").
  static constexpr std::uint16_t restored_parameters = 3;
  static constexpr std::int8_t unknown = -1;

  struct state {
    std::array<std::int8_t, 120> controllers;
    std::array<std::array<std::int8_t, 2>, restored_parameters> parameters;  ///< coarse and fine
    std::int8_t selected_high = unknown, selected_low = unknown;
    std::int8_t program = unknown, pressure = unknown;
    std::int16_t bend = unknown;
    bool used = false;

    state() {
      controllers.fill(unknown);
      for (auto& p : parameters)
        p.fill(unknown);
    }
    void set_controller(std::uint8_t number, std::int8_t value);
    void reset_controllers();
    void send(std::uint8_t group, std::uint8_t channel, message_sink& out, steady_time due) const;
    void send_parameters(std::uint8_t group, std::uint8_t channel, message_sink& out,
                         steady_time due) const;
  };

  std::vector<state> states_;  ///< of group and channel, as far as they were used
};

}  // namespace fermata::midi
