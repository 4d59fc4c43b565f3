#pragma once

#include "core/score/model/score.hpp"
#include "midi/performance/written_change.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace fermata::midi {

/// The pedals of a part as values of a controller, 0..127.
///
/// Pedal marks press and lift the damper, or the sostenuto pedal if they begin with "Sost."; a
/// change lifts and presses at once. `<sound>` says the pedals too (damper-pedal, sostenuto-pedal,
/// soft-pedal), with numbers from 0 to 100 for half pedalling.
struct pedal_line {
  std::uint8_t number = 64;                           ///< of the controller
  std::vector<written_change<std::uint8_t>> changes;  ///< in order; the first: up, at the beginning
};

/// Damper, sostenuto and soft pedal.
std::array<pedal_line, 3> pedals_of(const part& p);

}  // namespace fermata::midi
