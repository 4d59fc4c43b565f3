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

/// Entries that a command lists. Only their numbers are held: each entry is read when its turn
/// comes to be written out, so that a list of a million takes no more memory than one of ten, and
/// whoever writes it can stop anywhere. It goes to the one who asked and to nobody else: the
/// timeline keeps only how many there were (`summary_of`).
struct entry_listing {
  history from;                       ///< as it was when it was asked
  std::vector<std::int64_t> indices;  ///< oldest first
  bool as_json = false;
  bool in_words = false;              ///< for a screen reader
  std::optional<wall_clock> clock{};  ///< with the time of each entry, as this clock shows it

  std::size_t size() const { return indices.size(); }
  /// The entry as it is to be shown, see `without_list`. Reads from the disk when it lies there.
  entry_ptr at(std::size_t i) const;
};
using entry_listing_ptr = std::shared_ptr<const entry_listing>;

/// What the query finds.
entry_listing listing_of(const history& h, const history_query& q);

/// "(3 entries of the timeline)", "no entry matches".
std::string summary_of(const entry_listing& l);

/// Whether the entry is a command that listed entries, which other entries say themselves.
bool is_listing(const history_entry& e);

/// The same, unless a `;` at its end keeps the list off the screen.
bool shows_listing(const history_entry& e);

/// Timelines written before hold the lists themselves: such an entry with the number of their lines
/// in place of them. Every other entry as it is.
entry_ptr without_list(const entry_ptr& entry);

}  // namespace fermata
