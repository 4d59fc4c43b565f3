#pragma once

#include "core/result.hpp"
#include "core/session/timeline/event.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace fermata::io {

/// One line of `history.jsonl`. An entry stands in the line as clients see it (entry_json.hpp), and
/// beside it what is needed to have the very same session again:
///
///     {"index": 4, "time": ..., "kind": "eval", ..., "revision": 3,
///      "value": {...},        the value; "printed" when the output text says it
///      "change": {...},       what it changed in the score, both sides
///      "env": {...},          what it changed in the environment, both sides
///      "also": [{"event": "proposal-resolved", ...}]}
///
/// A line without an entry has `also` alone: {"also": [{"event": "message-queued", ...}]}.
/// `index` comes first in a line with an entry, so that entries are found without reading lines.
boost::json::object write_transition(const transition& t);

/// The same as text without a newline, with a checksum at its end (checksum.hpp).
std::string transition_line(const transition& t);

/// Whether the line is an object with the right checksum, or without one.
bool is_sound_line(std::string_view line);

/// Reads it again. `before` is the session before the transition. A line whose entry changed the
/// score without saying how has `change` missing: then the expression is evaluated again on it.
/// Errors: what is wrong, with the place.
result<transition> read_transition(std::string_view line, const session_state& before);

/// What a line says of name and tags, without reading the rest of it; nothing when it says nothing
/// or is damaged.
meta_changed names_in(std::string_view line);

/// The entry of a line alone, for looking back.
result<entry_ptr> read_entry(std::string_view line);

}  // namespace fermata::io
