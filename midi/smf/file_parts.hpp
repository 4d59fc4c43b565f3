#pragma once

#include "midi/smf/file.hpp"
#include "midi/smf/notes.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata::midi::smf {

/// The music of one player in a file: the notes of a channel in a track.
struct file_part {
  std::string name;  ///< of the track, if it has one channel; may be empty
  std::size_t track = 0;
  std::uint8_t channel = 0;                            ///< 0..15
  std::optional<int> program;                          ///< 0..127: in force at the first note
  std::vector<file_note> notes;                        ///< in order of beginning
  bool is_percussion() const { return channel == 9; }  ///< General MIDI's channel 10
};

/// The first name that a track gives itself or its instrument; empty: it gives none.
std::string name_of_track(const track& t);

/// The parts of a file by track, then by channel. Format 0 has one track, and so a part for each
/// channel.
std::vector<file_part> parts_of(const file& f);

}  // namespace fermata::midi::smf
