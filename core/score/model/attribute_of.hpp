#pragma once

#include "core/score/model/preserved.hpp"

#include <string_view>

namespace fermata {

/// The value of a preserved attribute, or empty.
inline std::string_view attribute_of(const preserved& x, std::string_view name) {
  if (x)
    for (const auto& [key, value] : x->attributes)
      if (key == name) return value;
  return {};
}

/// MusicXML: print-object="no": exists but is not drawn.
inline bool is_hidden(const preserved& x) { return attribute_of(x, "print-object") == "no"; }

}  // namespace fermata
