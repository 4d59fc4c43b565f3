#pragma once

#include "core/lang/value/value.hpp"
#include "core/score/model/cursor.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace fermata {

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
  bool key_inference = false;  ///< `f4` typed in D major means F sharp
};
using environment_ptr = std::shared_ptr<const environment>;

}  // namespace fermata
