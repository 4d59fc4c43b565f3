#pragma once

#include "core/session/catalog/disk_view.hpp"
#include "core/session/catalog/folder_requests.hpp"
#include "core/session/timeline/state.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata::catalog {

/// A requester who waits for one answer.
using request_id = std::uint64_t;
/// Work under way, whose result is an input.
using ticket = std::uint64_t;

/// The name that was requested for a session, and the disk on which it was looked for: what the
/// next free name is chosen from when another process takes the first.
struct requested_name {
  std::string name;
  disk_view_ptr disk;
};

// --- kinds of operations -------------------------------------------------------------------------

/// The steps of each are in the order in which they are usually taken.

struct create_session {
  enum class step_t : std::uint8_t { finding_name, opening };
  step_t step = step_t::finding_name;
  std::string name;
  std::optional<std::string> client = {};  ///< who creates it, unless the user does
};
struct find_session {
  enum class step_t : std::uint8_t { waiting_for_note, finding, opening };
  step_t step = step_t::finding;
  std::string wanted;
};
struct find_active {
  enum class step_t : std::uint8_t {
    finding,
    opening_active,
    opening_last_used,  ///< none is active yet
    opening_read_only,  ///< the last used one, to which another process writes
    finding_name,       ///< it could not be opened: for a new one
    opening_new,
  };
  step_t step = step_t::finding;
  session_meta last_used = {};
  std::string active_before = {};  ///< others may make another one active meanwhile
  std::string note = {};           ///< shown in the session that is opened
  std::string others = {};         ///< the other sessions, in words
};
struct activate_session {
  enum class step_t : std::uint8_t { finding, opening };
  step_t step = step_t::finding;
  std::string wanted;
  bool by_client = false;
};
struct list_sessions {
  disk_detail detail = disk_detail::summaries;
  bool archived = false;
};
struct clone_session {
  enum class step_t : std::uint8_t { finding, flushing, finding_name, copying, opening };
  step_t step = step_t::finding;
  std::string wanted;
  std::string name;
  session_meta source = {}, made = {};
};
struct archive_session {
  enum class step_t : std::uint8_t {
    finding,
    checking,  ///< whether its folder can be moved
    finding_next,
    opening_next,  ///< the session to switch to after the current one is archived
    finding_name,  ///< for a new one
    opening_new,
    waiting_for_record,  ///< the session writes down that it is archived
    closing,
    moving,
  };
  step_t step = step_t::finding;
  archive_request request;
  std::string slug = {};  ///< from `checking` on: everybody finds it in the archive or the trash
  std::vector<session_meta> candidates = {};
  std::string next = {};
  bool is_told_next = false;    ///< `next` is told what became of it
  bool delays_finding = false;  ///< whoever looks for `next` waits for that
};
struct restore_session {
  enum class step_t : std::uint8_t {
    finding,
    waiting_until_moved,  ///< it is on its way to the archive
    finding_place,
    moving,
    opening,
    renaming
  };
  step_t step = step_t::finding;
  std::string wanted;
  session_meta original = {}, as = {};
  bool was_moved = true;
  bool place_is_taken = false;  ///< another process has a session with its slug
};
struct export_session {
  enum class step_t : std::uint8_t {
    finding_other,
    finding,
    flushing,
    reading_memory,  ///< what no file has
    writing
  };
  step_t step = step_t::finding;
  export_request request;
  session_meta source = {};
};
struct import_session {
  enum class step_t : std::uint8_t { reading, finding_name, unpacking, opening };
  step_t step = step_t::reading;
  std::string file;
  std::string name;
  session_meta archived = {}, made = {};
};
struct rename_session {
  std::string slug;
  std::string wanted;
};

using operation_kind = std::variant<create_session, find_session, find_active, activate_session,
                                    list_sessions, clone_session, archive_session, restore_session,
                                    export_session, import_session, rename_session>;

// --- operations ----------------------------------------------------------------------------------

/// A condition on a session that an operation waits for.
struct wait_condition {
  enum class kind_t : std::uint8_t {
    nothing,
    loaded,         ///< an input tells, also when it failed
    not_unloading,  ///< loaded and used, or unloaded
    closed,
    unread,   ///< no operation reads its folder
    settled,  ///< no operation moves it to the archive or trash
    told,     ///< the session was told what became of the one that the user left
  };
  kind_t kind = kind_t::nothing;
  std::string slug = {};
};

/// A request that is being carried out.
struct operation {
  std::uint64_t id = 0;
  std::vector<request_id> askers;  ///< until they are answered
  operation_kind kind;
  ticket awaits = 0;  ///< the result that continues it; 0: none
  wait_condition wait = {};

  /// A look at the disk.
  struct look_t {
    disk_detail detail = disk_detail::names;
    std::size_t moves = 0;  ///< of folders, when it began
    std::vector<std::string> left_out = {};
  };
  look_t look = {};
  /// A search for a free name.
  std::optional<std::string> name_to_find = {};
  /// A session that is being opened.
  struct opening_t {
    session_meta meta = {};
    bool to_write = false;                       ///< refused where another process writes
    bool again = false;                          ///< one that is read-only is loaded again
    std::optional<requested_name> made_as = {};  ///< it is a new one
  };
  std::optional<opening_t> opening = {};

  std::string reads = {};                 ///< the session whose folder must not be moved meanwhile
  session_meta reserved = {};             ///< slug and name of a folder that is being made
  std::uint64_t activation = 0;           ///< order among requests for another active session
  std::vector<std::string> remarks = {};  ///< in the answer
};

}  // namespace fermata::catalog
