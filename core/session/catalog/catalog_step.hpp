#pragma once

#include "core/session/catalog/catalog_state.hpp"
#include "core/session/catalog/failure.hpp"
#include "core/session/catalog/folder_job.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fermata::catalog {

/// How sessions are created, found, loaded, unloaded, copied and moved, as a pure function: a state
/// and an input give the next state and actions for whoever has the actors and files
/// (`actors/manager/catalog_runner.hpp`; tests run it without actors). Each action with a result is
/// followed by one input that carries it, also when it failed.

// --- inputs --------------------------------------------------------------------------------------

/// The program starts.
struct started {};
/// A request of the interface of the manager (messages/session_manager.hpp). Its operation has the
/// first step of its kind.
struct requested {
  request_id id = 0;
  operation_kind what;
};
/// Everything is to be written, and every session to end.
struct stop_requested {
  request_id id = 0;
};
/// The session that archives itself has recorded that; or it could not, and stays.
struct archive_recorded {
  std::string slug;
  bool recorded = false;
};
/// The session has recorded its new name; or it could not.
struct name_recorded {
  std::string slug;
};
/// A new state of a session to which another process writes.
struct followed {
  std::string slug;
  session_snapshot state;
};
/// Result of `look_at_disk`.
struct disk_seen {
  ticket id = 0;
  disk_view_ptr disk = {};
  std::optional<failure> failed = {};
};
/// Result of `start_job`.
struct job_finished {
  ticket id = 0;
  std::optional<failure> failed = {};
  bool place_is_taken = false;  ///< another process has made that folder
  session_meta meta = {};       ///< of `read_archive`
  std::vector<std::string> remarks = {};
};
/// Results of `load_session` and `reload_session`.
struct session_loaded {
  std::string slug;
  ticket load = 0;
  session_meta meta = {};
  std::string written_by = {};
  std::optional<std::string> read_only = {};  ///< why nothing can be written
  std::vector<std::string> remarks = {};      ///< damage
};
struct load_failed {
  std::string slug;
  ticket load = 0;
  failure why;
};
/// Result of `start_session`, or `load_failed`.
struct session_started {
  std::string slug;
  ticket load = 0;
};
/// Result of `ask_to_unload`.
struct unload_answered {
  std::string slug;
  bool granted = false;
};
/// Result of `stop_session`; an error if something could not be written.
struct session_stopped {
  std::string slug;
  std::optional<failure> failed = {};
};
/// Result of `flush_session`, `read_unwritten` and `rename_in_session`.
struct session_answered {
  ticket id = 0;
  std::optional<failure> failed = {};
  std::shared_ptr<const std::vector<transition>> unwritten = {};
};
/// An actor ended.
struct session_down {
  std::string slug;
  std::string reason;
};
struct store_down {
  std::string slug;
};
/// Timers.
struct restart_due {
  std::string slug;
};
struct unload_due {};

using input = std::variant<started, requested, stop_requested, archive_recorded, name_recorded,
                           followed, disk_seen, job_finished, session_loaded, load_failed,
                           session_started, unload_answered, session_stopped, session_answered,
                           session_down, store_down, restart_due, unload_due>;

// --- actions -------------------------------------------------------------------------------------

/// Reads what is on disk; of the sessions in use not those that are left out.
struct look_at_disk {
  ticket id = 0;
  disk_detail detail = disk_detail::names;
  std::vector<std::string> left_out;
};
struct start_job {
  ticket id = 0;
  folder_job job;
};
/// Reads a session; makes its store, unless it has one.
struct load_session {
  enum class mode_t : std::uint8_t {
    existing,
    new_session,
    only_to_write,  ///< refused where another process writes
    in_memory,      ///< nothing is kept; after a crash it goes on with what was shown
  };
  session_meta meta;
  ticket load = 0;
  mode_t mode = mode_t::existing;
};
/// Makes the actor of a session that was loaded.
struct start_session {
  std::string slug;
  ticket load = 0;
  bool is_written = false;            ///< with its store
  std::string not_saved_reason = {};  ///< why nothing can be written
};
/// Reads a session again that is read-only.
struct reload_session {
  std::string slug;
  ticket load = 0;
};
/// Continues a session with what was read again.
struct show_reloaded {
  std::string slug;
  bool is_written = false;  ///< with its store
  std::string not_saved_reason = {};
};
/// Continues a session with what another process has written.
struct show_followed {
  std::string slug;
  session_snapshot state;
};
/// Ends the session if nobody uses it.
struct ask_to_unload {
  std::string slug;
};
/// Ends the session, with everything written.
struct stop_session {
  std::string slug;
};
/// Ends the session at once.
struct kill_session {
  std::string slug;
};
/// Lets go of the session's actor and ends its store once that has done all its work; `store_down`
/// follows.
struct end_store {
  std::string slug;
};
/// Ends the store of a session that could not be loaded; no input follows.
struct discard_session {
  std::string slug;
};
/// The session is not loaded any more.
struct forget_session {
  std::string slug;
};
/// Has everything of the session written.
struct flush_session {
  ticket id = 0;
  std::string slug;
};
/// Reads what a session has only in memory.
struct read_unwritten {
  ticket id = 0;
  std::string slug;
};
struct rename_in_session {
  ticket id = 0;
  std::string slug;
  std::string name;
};
/// An entry in the timeline of a session.
struct send_note {
  std::string slug;
  std::string event;
  std::string text;
};
struct restart_later {
  std::string slug;
  std::chrono::milliseconds delay;
};
struct unload_later {};
/// The session that clients use if they name none.
struct show_active {
  std::string slug;
};
/// Answers.
struct opened_session {
  std::string slug;
  std::string instead_of = {};  ///< its slug in the archive, if that is now taken
  std::vector<std::string> remarks = {};
};
struct all_stopped {};
struct answer {
  request_id id = 0;
  std::variant<opened_session, std::vector<session_summary>, archive_answer, exported_session,
               std::string, all_stopped>
      value;
};
struct refuse {
  request_id id = 0;
  failure why;
};
struct quit {};

using action =
    std::variant<look_at_disk, start_job, load_session, start_session, reload_session,
                 show_reloaded, show_followed, ask_to_unload, stop_session, kill_session, end_store,
                 discard_session, forget_session, flush_session, read_unwritten, rename_in_session,
                 send_note, restart_later, unload_later, show_active, answer, refuse, quit>;

// --- step ----------------------------------------------------------------------------------------

/// What a step is made on.
struct catalog_context {
  timestamp now;
  bool keeps_sessions = true;  ///< false: there is no home, everything is in memory
  /// When more sessions are loaded, unused ones are unloaded, the one that was used longest ago
  /// first; none that was used in the last `unused_after`.
  std::size_t most_loaded = 32;
  std::chrono::milliseconds unused_after{2'000};
  /// A given name as sessions keep it.
  std::function<std::string(const std::string&)> kept_name;
  /// The last shown state of a loaded session; null: it is not loaded.
  std::function<session_snapshot(const std::string& slug)> shown;
};

struct catalog_step {
  catalog_state state;
  std::vector<action> actions;  ///< to be executed in this order
};

/// The next state. Never throws: what goes wrong inside refuses the operation that was continued,
/// or fails the session that was being loaded.
catalog_step step(catalog_state state, input in, const catalog_context& context);

/// The input that follows an action that could not be executed; none for an action without result.
std::optional<input> result_of_failed(const action& a, const failure& why);

/// The refusal of everything that is not done when the program ends.
failure program_ends();

}  // namespace fermata::catalog
