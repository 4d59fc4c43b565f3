#pragma once

#include "core/result.hpp"
#include "midi/smf/file.hpp"
#include "midi/transport/playback_plan.hpp"

namespace fermata::midi {

/// A Standard MIDI File as the transport plays it: each channel message as it stands, at its time,
/// so that recorded performances and files with SMPTE time code are played like those of scores.
///
/// - Parts are the tracks that have notes, by their names; if only one has, its channels. What a
///   track without notes says to a channel belongs to the first part with that channel.
/// - Ports are numbered in the order in which tracks with messages name them (meta event 0x21); one
///   that names none has port 0.
/// - Measures are those of the time signatures, numbered from 1; with SMPTE time code, where there
/// are none,
///   two seconds each. Left without measures is a file with more than 100,000 of them.
/// - A note-on of velocity 0 becomes a note-off.
///
/// `left_out` counts what is not played: system exclusive messages. Errors: errc::invalid_score for
/// several tracks of format 2, which are pieces of their own.
[[nodiscard]] result<playback_plan_ptr> plan_of_file(const smf::file& f);

}  // namespace fermata::midi
