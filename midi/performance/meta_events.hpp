#pragma once

#include "core/score/analysis/sounding.hpp"
#include "core/score/model/score.hpp"
#include "midi/performance/event.hpp"

#include <cstdint>
#include <vector>

namespace fermata::midi {

/// Events that sound nothing: names, time and key signatures, markers, lyrics. Their `time` in
/// nanoseconds is set later.

/// For everybody (track 0): the title, time signatures (of the first part that has any) and
/// rehearsal marks. A time signature that a file cannot say, such as 4/6, is left out.
std::vector<timed_event> common_meta_events(const score& s, const unfolded_time& time);

/// For one part: its name and that of its first instrument, its key signatures as the part sounds
/// (a clarinet in B flat that reads D major sounds in C), and the verse of each pass of its lyrics.
/// A syllable that ends a word has a blank behind it (MIDI RP-017).
std::vector<timed_event> part_meta_events(const score& s, std::uint32_t part,
                                          const unfolded_time& time, std::uint32_t track);

}  // namespace fermata::midi
