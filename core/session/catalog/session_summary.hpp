#pragma once

#include "core/session/timeline/state.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fermata {

/// One row of the session list.
struct session_summary {
  session_meta meta;
  /// "2 parts, 16 measures, 4/4"; "..., at entry 12" if the information is that old: for a session
  /// that is open in another process, or was not closed.
  std::string score;
  std::size_t entries = 0;
  bool active = false;          ///< the default for clients
  bool loaded = false;          ///< has an actor; otherwise only on disk
  std::uint64_t bytes = 0;      ///< of its files, if requested
  std::string written_by = {};  ///< the other process, if it is read-only here
  /// Pending for the user; only for a loaded session.
  std::size_t messages = 0, proposals = 0;
};

/// The oldest session first.
void sort_for_a_list(std::vector<session_summary>& all);

}  // namespace fermata
