#pragma once

#include "core/session/commands/playback_status.hpp"
#include "core/session/commands/recording_status.hpp"

#include <boost/json/object.hpp>

namespace fermata::io {

/// Where playback is, as clients and attached windows are told: state ("stopped", "counting_in",
/// "playing", "paused"), and, unless it is stopped, session, what, measure, beat, tempo (factor),
/// time and end (seconds), device, started_by.
boost::json::object to_json(const playback_status& s);

/// The inverse; members that are missing or of another type are left at their defaults.
playback_status read_playback_status(const boost::json::object& o);

/// What is being recorded, likewise: session, take, notes, keys (MIDI key numbers that are down);
/// empty: nothing is.
boost::json::object to_json(const recording_status& s);
recording_status read_recording_status(const boost::json::object& o);

}  // namespace fermata::io
