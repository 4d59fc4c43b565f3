#pragma once

#include "core/session/entry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

class history;  // core/session/history.hpp

/// Which entries are wanted; all conditions hold together. The same structure serves the prompt
/// (`:history`), the socket and MCP.
struct history_query {
  std::optional<std::int64_t> from, to;  ///< inclusive; negative counts back from the end
  std::optional<timestamp> since, until;
  std::vector<std::string> kinds;  ///< names of `kind_name`; empty: all
  bool errors_only = false;
  std::vector<std::string> words;  ///< all must occur in input, output or content; case-insensitive
  std::optional<std::string> part;  ///< entries whose delta touches this part (id or name)
  std::optional<std::pair<int, int>>
      measures;  ///< entries whose delta touches these, 1-based inclusive
  std::optional<std::string> author;
  std::optional<std::size_t> limit;  ///< the last N that match
};

/// Matching entries, oldest first.
std::vector<entry_ptr> select(const history& h, const history_query& q);

/// The last `most` matching entries, oldest first, and how many match in all. Holds no more than it
/// answers, and without conditions reads no more either.
struct history_page {
  std::vector<entry_ptr> entries;
  std::size_t matching = 0;
};
history_page select_last(const history& h, history_query q, std::size_t most);

}  // namespace fermata
