#pragma once

#include "midi/smf/file.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fermata::midi::smf {

/// A note of a file: a note on and the note off that ends it.
struct file_note {
  ticks on = 0;
  ticks off = 0;
  std::uint8_t channel = 0;  ///< 0..15
  std::uint8_t key = 60;
  std::uint8_t velocity = 64;
  std::size_t track = 0;  ///< index into `file::tracks`
  bool operator==(const file_note&) const = default;
};

/// The notes of a track in the order of their beginnings. A note on with velocity 0 is a note off.
/// Of several notes of a key that sound at once the first one ends first. Of events of the same
/// time note offs come before note ons, as files have them in any order; a note off that would end
/// nothing then ends a note that begins at the same time, which is 0 ticks long. What nobody ends
/// lasts to the end of the track.
std::vector<file_note> notes_of(const file& f, std::size_t track);

}  // namespace fermata::midi::smf
