#pragma once

#include "core/score/model/note.hpp"
#include "midi/smf/file.hpp"
#include "midi/smf/file_parts.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace fermata::midi::smf {

/// The syllables at a time, verse by verse.
using lyrics_by_time = std::map<ticks, std::vector<lyric>>;

/// The lyrics of a track (meta event 5). A hyphen at the end of a syllable joins it to the next one
/// (SMF 1.0, RP-017); several events at the same time are verses.
lyrics_by_time lyrics_of(const track& t);

/// Lyrics for each part, most of them without any: those of a track go to its first part with
/// pitches; those of a track without notes, and of format 0, to the part where most of them meet
/// the beginning of a note. `left_out` counts those that no part has.
std::vector<lyrics_by_time> lyrics_of_parts(const file& f, const std::vector<file_part>& parts,
                                            std::size_t& left_out);

}  // namespace fermata::midi::smf
