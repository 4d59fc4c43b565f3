#pragma once

#include "core/session/timeline/entry.hpp"
#include "core/session/timeline/touches.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

class history;         // core/session/timeline/history.hpp
struct session_state;  // core/session/timeline/state.hpp

/// Which entries are wanted; all conditions hold together. The same structure serves the prompt
/// (`:history`), the socket and MCP.
struct history_query {
  std::optional<std::int64_t> from, to;  ///< inclusive; negative counts back from the end
  std::optional<timestamp> since, until;
  std::vector<std::string> kinds;  ///< names of `kind_name`; empty: all
  bool errors_only = false;
  std::vector<std::string> words;  ///< all must occur in input, output or content; case-insensitive
  std::optional<wanted_part> part;  ///< entries whose delta touches this part
  std::optional<std::pair<int, int>>
      measures;  ///< entries whose delta touches these, 1-based inclusive
  /// The entries that touch `measures`, ascending, when they have been followed (measure_past.hpp);
  /// null: those whose delta touches measures of these numbers.
  std::shared_ptr<const std::vector<std::int64_t>> among;
  bool changes_only = false;  ///< entries that changed the score, `:undo` and `:redo` whatever
  std::optional<std::string> author;  ///< as `is_by` understands it
  std::optional<std::size_t> limit;   ///< the last N that match
};

/// Whether anything but the range narrows it down.
bool has_conditions(const history_query& q);

/// Matching entries, oldest first.
std::vector<entry_ptr> select(const history& h, const history_query& q);

/// Their indices, oldest first. Without conditions no entry is read for it; with them each is let
/// go when it has been looked at.
std::vector<std::int64_t> select_indices(const history& h, const history_query& q);

/// Whether there is such a part, or an entry touched one.
bool was_ever_there(const session_state& s, const wanted_part& part);
/// That none is or was there; the hint names those that are.
error never_was_there(const session_state& s, const std::string& part);

/// The last `most` matching entries, oldest first, and how many match in all. Holds no more than it
/// answers, and without conditions reads no more either.
struct history_page {
  std::vector<entry_ptr> entries;
  std::size_t matching = 0;
};
history_page select_last(const history& h, history_query q, std::size_t most);

}  // namespace fermata
