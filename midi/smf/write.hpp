#pragma once

#include "midi/smf/file.hpp"

#include <string>

namespace fermata::midi::smf {

struct write_options {
  /// Leaves out a status byte that is that of the event before, which saves a third. Off, as
  /// readers differ in what cancels a running status; files without it are read alike by all.
  bool running_status = false;
};

/// The bytes of a file, as short as the standard allows except for running status: a header of 6
/// bytes with the true number of tracks, quantities without leading zeros, no padding, and one end
/// of track in each track.
///
/// What a file cannot be is made into what it can be: events are sorted by time (those of equal
/// times keep their order); times above 0x0FFFFFFF since the event before are divided by empty text
/// events; format 0 with several tracks becomes format 1; without tracks there is an empty one.
/// Left out are messages that are none (status outside 0x80..0xEF) and meta events that end a
/// track; data bytes keep their low seven bits.
///
/// What was written is read without remarks, apart from those on events that were odd in the value
/// and on RIFF, and is written as the same bytes again.
std::string write(const file& f, const write_options& options = {});

}  // namespace fermata::midi::smf
