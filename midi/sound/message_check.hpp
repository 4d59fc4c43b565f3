#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace fermata::midi {

/// Whether these bytes are one complete MIDI 1.0 message: with its status byte and all of its data
/// bytes, nothing after it. Back ends pass on what they are given, and receivers lose their place
/// in anything else.
inline bool is_complete_message(std::span<const std::uint8_t> m) {
  if (m.empty() || m[0] < 0x80) return false;
  auto are_data = [](std::span<const std::uint8_t> bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](auto b) { return b < 0x80; });
  };
  if (m[0] == 0xF0)
    return m.size() >= 2 && m.back() == 0xF7 && are_data(m.subspan(1, m.size() - 2));
  std::size_t size = 0;
  switch (m[0] & 0xF0) {
    case 0xC0:
    case 0xD0: size = 2; break;
    case 0xF0:
      switch (m[0]) {
        case 0xF1:
        case 0xF3: size = 2; break;
        case 0xF2: size = 3; break;
        case 0xF6:
        case 0xF8:
        case 0xFA:
        case 0xFB:
        case 0xFC:
        case 0xFE:
        case 0xFF: size = 1; break;
        default: return false;  // undefined, or the end of an exclusive message on its own
      }
      break;
    default: size = 3; break;
  }
  return m.size() == size && are_data(m.subspan(1));
}

}  // namespace fermata::midi
