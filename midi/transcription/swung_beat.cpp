#include "midi/transcription/swung_beat.hpp"

#include "core/music/time.hpp"
#include "midi/performance/swing.hpp"

#include <array>

namespace fermata::midi {

namespace {

/// Where the positions of a beat are played.
std::array<std::int64_t, grid_of_quarter> swung_beat() {
  const swing eighths{quarters{rational{1, 2}}, 2, 1};
  std::array<std::int64_t, grid_of_quarter> played{};
  for (std::size_t i = 0; i < played.size(); ++i) {
    auto ticks = static_cast<std::int64_t>(i);
    auto place = swung(quarters{rational{ticks, grid_of_quarter}}, eighths);
    played[i] = is_tuplet_position(ticks) ? ticks : floor(place.value * rational{grid_of_quarter});
  }
  return played;
}

}  // namespace

std::int64_t swung_position(std::int64_t ticks) {
  static const auto beat = swung_beat();
  auto inside = (ticks % grid_of_quarter + grid_of_quarter) % grid_of_quarter;
  return ticks - inside + beat[static_cast<std::size_t>(inside)];
}

}  // namespace fermata::midi
