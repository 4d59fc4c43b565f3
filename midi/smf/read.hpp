#pragma once

#include "core/result.hpp"
#include "midi/smf/file.hpp"
#include "midi/smf/remark.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace fermata::midi::smf {

/// Reads Standard MIDI Files as they are found, not only as they should be. Whatever deviates from
/// the standard is a remark, and the music around it is read.

struct read_limits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t tracks = 4096;
  std::size_t events = 4'000'000;  ///< of all tracks together
  std::size_t remarks = 1000;      ///< that are kept; all are counted
};

struct reading {
  smf::file file;
  std::vector<remark> remarks;  ///< in the order of their bytes, as a rule
  std::size_t remarks_left_out = 0;
};

/// The file that the bytes hold. Takes time proportional to the number of bytes, and for each event
/// about 60 bytes of memory beside the bytes themselves.
///
/// Errors: `input_too_large`; `unsupported_format` for what has no header ("MThd") in its first 64
/// bytes, half a header, a format above 2, and a division of 0, with which there is no time. All
/// else is read:
///
/// - A track ends with its end of track event. Without one it ends where its length says, or where
///   it can be read no further. A length that is too long does not hide the next track; a track is
///   read on beyond a length that is too short if the length ends inside an event and no chunk
///   begins there.
/// - Running status survives meta and sysex events, though the standard cancels it: writers rely on
///   it, and many readers accept it.
/// - A data byte above 127 is read as a status; the event it interrupts is dropped.
/// - Bytes that are not a chunk are skipped up to the next "MTrk".
[[nodiscard]] result<reading> read(std::string_view bytes, const read_limits& limits = {});

}  // namespace fermata::midi::smf
