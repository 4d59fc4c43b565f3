#pragma once

#include "core/music/clef.hpp"
#include "core/music/key.hpp"
#include "core/music/meter.hpp"
#include "core/music/time.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace fermata {

/// The position of the next music: part, staff, voice, measure, position.
struct score_cursor {
  std::size_t part = 0;  ///< index into score::parts; may be one past the end
  std::uint8_t staff = 1;
  std::string voice = "1";
  std::size_t measure = 0;  ///< index into part::measures; may be one past the end
  measure_position position;
  bool operator==(const score_cursor&) const = default;
};

/// Defaults for music that does not specify these: used when a commit must create a part or a
/// measure.
struct score_defaults {
  key_signature key;
  time_signature time;
  fermata::clef clef;
  std::string instrument = "piano";  ///< row of `instrument_table`
  double tempo = 120;                ///< quarter notes per minute
  bool operator==(const score_defaults&) const = default;
};

}  // namespace fermata
