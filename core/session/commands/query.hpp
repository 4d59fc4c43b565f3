#pragma once

#include "core/session/timeline/affected_ranges.hpp"
#include "core/session/timeline/entry.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

class history;         // core/session/timeline/history.hpp
struct session_state;  // core/session/timeline/state.hpp

/// A query for entries; all conditions must hold. The prompt (`:history`), the socket and MCP use
/// the same structure.
struct history_query {
  std::optional<std::int64_t> from, to;  ///< inclusive; negative counts back from the end
  std::optional<timestamp> since, until;
  std::vector<std::string> kinds;  ///< names of `kind_name`; empty: all
  bool errors_only = false;
  std::vector<std::string> words;  ///< all must occur in input, output or content; case-insensitive
  std::optional<wanted_part> part;  ///< entries whose delta touches this part
  std::optional<std::pair<int, int>>
      measures;  ///< entries whose delta touches these, 1-based inclusive
  /// The entries that change `measures`, ascending, if they have been followed
  /// (measure_history.hpp); null: those whose delta changes measures with these numbers.
  std::shared_ptr<const std::vector<std::int64_t>> among;
  bool changes_only = false;          ///< only changes of the score, including `:undo` and `:redo`
  std::optional<std::string> author;  ///< as matched by `is_by`
  std::optional<std::size_t> limit;   ///< the last N that match
};

/// Whether there are conditions besides the range.
bool has_conditions(const history_query& q);

/// Matching entries, oldest first.
std::vector<entry_ptr> select(const history& h, const history_query& q);

/// Their indices, oldest first. Without conditions no entry is read; with them each is released
/// after the check.
std::vector<std::int64_t> select_indices(const history& h, const history_query& q);

/// Whether the part exists or an entry changed it.
bool was_ever_there(const session_state& s, const wanted_part& part);
/// Error for a part that does not exist and never did; the hint lists those that do.
error unknown_part_error(const session_state& s, const std::string& part);

/// The last `most` matching entries, oldest first, and the number of all matches. Holds and,
/// without conditions, reads no more entries than it returns.
struct history_page {
  std::vector<entry_ptr> entries;
  std::size_t matching = 0;
};
history_page select_last(const history& h, history_query q, std::size_t most);

}  // namespace fermata
