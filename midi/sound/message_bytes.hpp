#pragma once

#include "midi/performance/event.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace fermata::midi {

/// The bytes of a channel message.
struct message_bytes {
  std::array<std::uint8_t, 3> data{};
  std::uint8_t size = 0;  ///< 0: it is a meta event, which is not sent

  std::span<const std::uint8_t> view() const { return {data.data(), size}; }
};

/// As in the MIDI 1.0 Detailed Specification, Table I.
inline message_bytes bytes_of(const message& m) {
  auto status = [](int kind, std::uint8_t channel) {
    return static_cast<std::uint8_t>(kind | channel);
  };
  if (auto x = std::get_if<note_off>(&m))
    return {{status(0x80, x->channel), x->key, x->velocity}, 3};
  if (auto x = std::get_if<note_on>(&m))
    return {{status(0x90, x->channel), x->key, x->velocity}, 3};
  if (auto x = std::get_if<controller>(&m))
    return {{status(0xB0, x->channel), x->number, x->value}, 3};
  if (auto x = std::get_if<program_change>(&m))
    return {{status(0xC0, x->channel), x->program, 0}, 2};
  if (auto x = std::get_if<pitch_bend>(&m)) {
    auto wheel = static_cast<unsigned>(x->value + 8192);
    return {{status(0xE0, x->channel), static_cast<std::uint8_t>(wheel & 0x7F),
             static_cast<std::uint8_t>(wheel >> 7)},
            3};
  }
  return {};
}

}  // namespace fermata::midi
