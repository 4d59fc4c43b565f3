#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace fermata {

/// Where playback is, for displays and clients.
struct playback_status {
  enum class state_t : std::uint8_t { stopped, counting_in, playing, paused };
  state_t state = state_t::stopped;
  std::string session;  ///< slug
  std::string what;     ///< "measures 3-8"
  std::string measure;  ///< as printed
  int beat = 1;
  double tempo = 1;                         ///< factor
  std::chrono::milliseconds time{}, end{};  ///< in the piece, at the written tempo
  std::string device;                       ///< its name
  std::string started_by;                   ///< author of the request
  std::string notice;                       ///< for the user, once: the device was lost, or is back

  bool is_active() const { return state != state_t::stopped; }
  bool operator==(const playback_status&) const = default;
};

}  // namespace fermata
