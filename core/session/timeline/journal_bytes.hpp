#pragma once

#include "core/session/timeline/event.hpp"

#include <cstdint>

namespace fermata {

/// About how many bytes a transition takes in the journal; counting them costs a fraction of
/// writing them.
std::uint64_t journal_bytes(const transition& t);

}  // namespace fermata
