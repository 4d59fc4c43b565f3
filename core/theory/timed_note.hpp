#pragma once

#include "core/music/pitch.hpp"
#include "core/music/time.hpp"

namespace fermata {

/// A sounding note on a time line of quarter notes, ties merged: what analysis looks at, wherever
/// the notes came from.
struct timed_note {
  quarters onset;
  quarters length;
  fermata::pitch pitch;
  bool operator==(const timed_note&) const = default;
};

}  // namespace fermata
