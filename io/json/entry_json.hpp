#pragma once

#include "core/result.hpp"
#include "core/session/timeline/entry.hpp"

#include <boost/json/object.hpp>

#include <limits>
#include <string>
#include <string_view>

namespace fermata::io {

/// How much of an entry is said. The default is everything, for the journal and
/// `:history --json`; the members are the same either way.
struct entry_view {
  /// Longer texts are cut and the entry marked with `truncated`, so that one enormous value cannot
  /// fill a page.
  std::size_t text_limit = std::numeric_limits<std::size_t>::max();
  bool carets = false;  ///< errors also as text, with carets below the source
  /// A text with a thousand faults is answered with the first ones.
  std::size_t max_faults = std::numeric_limits<std::size_t>::max();
};

/// What clients of the socket and of MCP get.
inline constexpr entry_view client_view{.text_limit = 5'000, .carets = true, .max_faults = 20};

/// An entry of the timeline, the same in the journal, in `:history --json`, on the socket and over
/// MCP (rows for the reference are in `io/protocol/entry_fields.hpp`):
///
///     {"index": 4, "time": "2026-02-01T14:03:07.120Z", "kind": "eval", "author": "user",
///      "door": "terminal", "text": "(note c4 :q)", "output": "(note c4 :q)", "ok": true,
///      "delta": "1 note added", "touched": [{"id": "P1", "name": "Piano", "measures": [1, 1]}],
///      "revision_before": 2, "revision": 3}
///
/// Members that hold nothing are left out. `kind` is eval, command, ai, user or system; `text` is
/// what was typed or said; what failed has `error`.
boost::json::object to_json(const history_entry& e, const entry_view& view = {});

/// Bytes of the longest entry that a client gets.
inline constexpr std::size_t client_entry_limit = std::size_t{256} * 1024;

/// An entry as clients get it. One that would be longer than `client_entry_limit`, with what was
/// touched in a thousand parts or with faults that quote long names, loses `touched` and all of
/// `error` but the beginning of its words, and says so with `truncated`.
struct client_entry {
  boost::json::object row;
  std::size_t bytes = 0;  ///< as text
};
client_entry to_client_json(const history_entry& e);

/// {"code", "message", "hint", "span": [begin, end], "line", "column"} of the first fault; further
/// ones in "more". `source` is the text that was evaluated.
boost::json::object to_json(const error& e, std::string_view source = {},
                            const entry_view& view = {});

/// Reads what `to_json` writes of an error. Error: it is not one, or has an unknown code.
result<error> parse_error(const boost::json::object& o);

/// An entry on one line.
std::string to_json_line(const history_entry& e);

}  // namespace fermata::io
