#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fermata {

/// Keys that were struck together, on whatever inputs: all from when no key was down until none is
/// again.
struct struck_chord {
  std::uint64_t number = 0;          ///< counts the chords of the program, from 1
  std::vector<std::uint8_t> keys{};  ///< MIDI, in the order in which they were struck
  bool operator==(const struck_chord&) const = default;
};

/// What is being recorded, for displays and clients.
struct recording_status {
  std::string session{};             ///< slug; empty: nothing is being recorded
  int take = 0;                      ///< its number
  std::size_t notes = 0;             ///< recorded so far
  std::vector<std::uint8_t> keys{};  ///< that are down, from the lowest
  /// The last ones struck, oldest first, once step entry was begun. Some, so that none is missed by
  /// a display that sees only the newest status.
  std::vector<struck_chord> chords{};
  std::string notice{};  ///< for the user, once: an input was lost, or is back

  bool is_recording() const { return !session.empty(); }
  bool operator==(const recording_status&) const = default;
};

}  // namespace fermata
