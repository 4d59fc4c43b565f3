#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fermata {

/// What is being recorded, for displays and clients.
struct recording_status {
  std::string session{};             ///< slug; empty: nothing is being recorded
  int take = 0;                      ///< its number
  std::size_t notes = 0;             ///< recorded so far
  std::vector<std::uint8_t> keys{};  ///< that are down, from the lowest
  std::string notice{};              ///< for the user, once: an input was lost, or is back

  bool is_recording() const { return !session.empty(); }
  bool operator==(const recording_status&) const = default;
};

}  // namespace fermata
