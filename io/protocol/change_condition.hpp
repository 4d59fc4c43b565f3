#pragma once

#include "core/session/timeline/state.hpp"

#include <cstdint>
#include <optional>

namespace fermata::io::protocol {

/// What a client that waits for a change waits for: a later revision, a later entry, or, without
/// either, anything at all.
struct change_condition {
  std::optional<std::uint64_t> revision;
  std::optional<std::int64_t> entry;

  bool is_met(const session_state& s, bool something_happened) const {
    if (revision && s.revision > *revision) return true;
    if (entry && s.history.size() > *entry) return true;
    return something_happened && !revision && !entry;
  }
};

}  // namespace fermata::io::protocol
