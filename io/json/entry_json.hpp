#pragma once

#include "core/result.hpp"
#include "core/session/entry.hpp"

#include <boost/json/object.hpp>

#include <string>

namespace fermata::io {

/// An entry of the timeline as clients see it, the same for `:history --json`, the socket and MCP:
///
///     {"index": 4, "time": "2026-02-01T14:03:07.120Z", "kind": "eval", "author": "user",
///      "door": "terminal", "text": "(note c4 :q)", "output": "(note c4 :q)",
///      "delta": {"summary": "...", "parts": [...]}, "revision": 3}
///
/// Members that hold nothing are left out. `kind` is eval, command, ai, user or system; text stands
/// in `text` (eval, command), `content` (ai, user) or `event` and `text` (system); what failed has
/// `error`: {code, message, hint, span}.
boost::json::object to_json(const history_entry& e);

/// What an entry changed: {"summary", "parts": [{"id", "name", "measures": [first, last]}]}.
boost::json::object to_json(const score_delta& d);

/// {"code", "message", "hint", "span": [begin, end]} of the first fault; further ones in "more".
boost::json::object to_json(const error& e);

/// Reads what `to_json` writes of an error. Error: it is not one, or has an unknown code.
result<error> parse_error(const boost::json::object& o);

/// An entry on one line.
std::string to_json_line(const history_entry& e);

}  // namespace fermata::io
