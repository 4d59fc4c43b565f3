#pragma once

#include "core/session/timeline/state.hpp"

namespace fermata {

/// Whether reading the whole timeline reads from the disk.
inline bool is_partly_on_disk(const session_state& s) {
  return s.history.loader() && s.history.resident() < s.history.size();
}

}  // namespace fermata
