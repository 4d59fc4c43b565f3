#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/lang/value.hpp"
#include "core/music/clef.hpp"
#include "core/music/key.hpp"
#include "core/music/meter.hpp"
#include "core/music/time.hpp"

namespace fermata {

/// Where the next music goes: part, staff, voice, measure, position.
struct score_cursor {
  std::size_t part = 0;      ///< index into score::parts; may be one past the end
  std::uint8_t staff = 1;
  std::string voice = "1";
  std::size_t measure = 0;   ///< index into part::measures; may be one past the end
  measure_position position;
  bool operator==(const score_cursor&) const = default;
};

/// What music that says nothing else gets: used when the commit has to make a part or a measure.
struct score_defaults {
  key_signature key;
  time_signature time;
  fermata::clef clef;
  std::string instrument = "piano";
  double tempo = 120;        ///< quarter notes per minute
  bool operator==(const score_defaults&) const = default;
};

/// A definition made at top level: the value, and the form that made it, for `source` and saving.
struct binding {
  value bound;
  std::string source;
};

/// The context in which a session's input is evaluated. Immutable once shared; an evaluation
/// returns the next one.
struct environment {
  std::map<std::string, binding, std::less<>> bindings;
  score_cursor cursor;
  score_defaults defaults;
  bool key_inference = false; ///< `f4` typed in D major means F sharp
  bool scratch = false;       ///< evaluate without committing
};
using environment_ptr = std::shared_ptr<const environment>;

} // namespace fermata
