#pragma once

#include "core/session/commands/query.hpp"
#include "core/session/timeline/history.hpp"
#include "core/session/timeline/wall_clock.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// Entries listed by a command. It holds only their numbers: each entry is read just before it is
/// printed, so that a list of a million entries needs no more memory than one of ten, and printing
/// can stop anywhere. Only the author of the line gets the list: the timeline records how many
/// entries it had (`summary_of`).
struct entry_listing {
  history from;                       ///< as of the time of the command
  std::vector<std::int64_t> indices;  ///< oldest first
  bool as_json = false;
  bool accessible = false;            ///< for screen readers
  std::optional<wall_clock> clock{};  ///< also shows the time of each entry

  std::size_t size() const { return indices.size(); }
  /// The entry as it is shown, see `without_list`. May read from disk.
  entry_ptr at(std::size_t i) const;
};
using entry_listing_ptr = std::shared_ptr<const entry_listing>;

/// The result of the query.
entry_listing listing_of(const history& h, const history_query& q);

/// "(3 entries of the timeline)", "no entry matches".
std::string summary_of(const entry_listing& l);

/// Whether the entry is a command that listed entries, which have their own text.
bool is_listing(const history_entry& e);

/// The same, unless a final `;` suppresses the list.
bool shows_listing(const history_entry& e);

/// Old journals contain the lists themselves: replaces the list in such an entry by its number of
/// lines. Returns every other entry unchanged.
entry_ptr without_list(const entry_ptr& entry);

}  // namespace fermata
