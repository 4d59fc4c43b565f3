#include "midi/transport/beats.hpp"

#include <algorithm>

namespace fermata::midi {

namespace {

/// Whether three units are one beat.
bool is_compound(const time_change& t) {
  return t.beat_type >= 8 && t.beats > 3 && t.beats % 3 == 0;
}

}  // namespace

quarters beat_length(const time_change& metre) {
  return quarters{rational{is_compound(metre) ? 12 : 4, metre.beat_type}};
}

int beats_in_measure(const time_change& metre) {
  return std::max(1, is_compound(metre) ? metre.beats / 3 : static_cast<int>(metre.beats));
}

}  // namespace fermata::midi
