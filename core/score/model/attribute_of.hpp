#pragma once

#include "core/score/model/preserved.hpp"

#include <string_view>

namespace fermata {

/// The value of a preserved attribute, empty when it is not there.
inline std::string_view attribute_of(const preserved& x, std::string_view name) {
  if (x)
    for (const auto& [key, value] : x->attributes)
      if (key == name) return value;
  return {};
}

/// MusicXML: print-object="no", which is there and is not seen.
inline bool is_hidden(const preserved& x) { return attribute_of(x, "print-object") == "no"; }

}  // namespace fermata
