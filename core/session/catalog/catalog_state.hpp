#pragma once

#include "core/session/catalog/creation_allowance.hpp"
#include "core/session/catalog/operation.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fermata::catalog {

/// A session that has an actor, or is about to.
///
///     loading -> starting -> running <-> reloading
///        ^                     |  ^
///        +---- restarting <----+  | it is used after all
///                              |  |
///                              +-> unloading -> closing_unused -> (on disk)
///                              +-> stopping  -> closing        -> (on disk, moved)
struct session_record {
  enum class phase_t : std::uint8_t {
    loading,
    starting,  ///< it was read; its actor is being made
    running,
    reloading,       ///< running read-only; it is read again, perhaps to be written to
    restarting,      ///< it crashed, and is loaded again soon
    unloading,       ///< it is asked whether it is used
    closing_unused,  ///< it is not; its store ends
    stopping,        ///< it is told to stop
    closing,         ///< it stopped; its store ends
  };
  session_meta meta;
  phase_t phase = phase_t::loading;
  ticket load = 0;         ///< the current loading
  bool has_store = false;  ///< from the first loading until its end
  bool close_when_loaded = false;
  bool only_to_write = false;                  ///< until it is loaded: it is of no use otherwise
  std::optional<requested_name> made_as = {};  ///< until it is loaded: it is a new one
  std::string written_by = {};                 ///< the other process, while it is read-only here
  bool in_memory = false;                      ///< nothing can be written where it is
  std::string not_saved_reason = {};           ///< why
  timestamp last_used = {};
  int crashes = 0;  ///< without a minute between
  timestamp last_crash = {};
  std::string crash_reason = {};  ///< told in its timeline when it is back
};

/// All sessions of a home, as far as this process knows them, and the operations on them.
struct catalog_state {
  std::map<std::string, session_record> sessions;  ///< by slug
  std::map<std::uint64_t, operation> operations;   ///< by id, in the order of their requests
  std::string active;                              ///< empty: none yet
  /// Requests for another active session are counted; the last one that took effect.
  std::uint64_t activations_asked = 0, activation_done = 0;
  /// Names that sessions were allowed to take and have not recorded yet, by slug.
  std::map<std::string, std::string> granted_names;
  /// Slugs that another process took before a folder was made; until they are seen on disk.
  std::set<std::string> taken_elsewhere;
  std::set<ticket> jobs;  ///< folder jobs and looks at the disk under way
  std::size_t moves = 0;  ///< of folders so far
  std::uint64_t next_operation = 1;
  ticket next_ticket = 1;
  creation_allowance may_create{};
  bool unload_is_due = false;  ///< the timer runs
  bool stopping = false, stopped = false;
  std::vector<request_id> stop_requests;
  std::string unsaved;  ///< what could not be written at the end, and why
};

}  // namespace fermata::catalog
