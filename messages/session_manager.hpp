#pragma once

#include "messages/session.hpp"

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

/// An actor for a session, and its slug.
struct session_ref {
  std::string slug;
  session_actor actor;
  std::string instead_of = {};  ///< its slug in the archive, if that is now taken
  /// What was left out of an archive; that it is writable again.
  std::vector<std::string> remarks = {};
};

/// A request to move a session to the archive or to the trash.
struct archive_request {
  std::string session;  ///< slug or name
  std::string asker;    ///< slug of the session with the request
  bool to_trash = false;
  bool only_asks = false;  ///< only identifies it; nothing is done
};

/// The result. A session that removes itself is told where the user goes next, and is moved after
/// it has said `left`.
struct archive_answer {
  std::string slug;
  std::string next;  ///< set if the asker itself is moved
};

/// A request to write a session to an archive.
struct packing {
  std::string session;       ///< slug or name
  std::string file;          ///< empty: named after the session
  bool replaces = false;     ///< overwrite any file
  std::string perhaps = {};  ///< a session to export instead, if there is one; `file` is part of it
};

/// The archive was written.
struct packed_session {
  std::string slug;
  std::string file;
  std::vector<std::string> remarks;  ///< damage in the session
};

/// Appended to "was moved to the": details on the removed session.
inline std::string where_it_lies(const std::string& slug, bool to_trash) {
  return to_trash ? "trash, where its folder is kept"
                  : "archive; `:session unarchive " + slug + "` restores it";
}

/// Knows every session by slug; creates, restores, monitors and terminates session actors. A
/// session that crashes is restored from its journal: holders of its actor see it go down and find
/// the new one under the same slug.
using session_manager_actor = caf::typed_actor<
    // A new session; the name may be empty ("session-1", ...). A number is appended to a name or
    // slug that is taken. It becomes the active session.
    caf::replies_to<atom::create, std::string>::with<session_ref>,
    // By slug or name, loaded from disk if needed. Errors: not_found with the nearest name;
    // invalid_state if it is in the archive.
    caf::replies_to<atom::find, std::string>::with<session_ref>,
    // The active session; if there is none yet, the last one used is restored, or a first one
    // created.
    caf::replies_to<atom::active>::with<session_ref>,
    // Makes a session the active one. A read-only one, because another process wrote to it, is
    // reloaded, and becomes writable if no other process writes to it any more.
    caf::replies_to<atom::activate, std::string>::with<session_ref>,
    // The same two for a client: the user stays in the current session, and returns to it at the
    // next start. A client that creates many is told to wait. The first text is its name.
    caf::replies_to<atom::create, atom::client, std::string, std::string>::with<session_ref>,
    caf::replies_to<atom::activate, atom::client, std::string>::with<session_ref>,
    // Every session outside the archive, in order of creation.
    caf::replies_to<atom::list>::with<std::vector<session_summary>>,
    // The same with the sizes of their files.
    caf::replies_to<atom::list, atom::sizes>::with<std::vector<session_summary>>,
    // The sessions in the archive, with their sizes.
    caf::replies_to<atom::archived>::with<std::vector<session_summary>>,
    // A copy of a session (slug) with a new name and its whole timeline; it becomes the active one.
    // Errors: failed.
    caf::replies_to<atom::clone, std::string, std::string>::with<session_ref>,
    // Closes a session and moves its folder. Nothing is deleted. Errors: not_found; failed if it
    // cannot be moved: then it is unchanged.
    caf::replies_to<atom::archive_session, archive_request>::with<archive_answer>,
    // The session (slug) that asked to be removed has recorded that and is no longer needed; or
    // (false) it could not, and stays.
    caf::reacts_to<atom::left, std::string, bool>,
    // Restores from the archive; with another id if its own is now taken. Errors: not_found,
    // failed.
    caf::replies_to<atom::bring_back, std::string>::with<session_ref>,
    // Writes a session to an archive file. Errors: not_found; failed, also if another file than an
    // archive of this session exists there.
    caf::replies_to<atom::pack, packing>::with<packed_session>,
    // A new session from an archive file; the name may be empty. It becomes the active one.
    caf::replies_to<atom::unpack, std::string, std::string>::with<session_ref>,
    // The session (slug) requests a new name. Returns the actual name: with a number appended if it
    // is taken.
    caf::replies_to<atom::rename, std::string, std::string>::with<std::string>,
    // The session (slug) has recorded its name; or it could not, and the name is no longer
    // reserved.
    caf::reacts_to<atom::renamed, std::string>,
    // Stops every session and writes everything to disk, then replies. Errors: failed if something
    // could not be written; all have terminated then as well.
    caf::replies_to<atom::stop>::with<void>,
    // INTERNAL, from the store of a session (slug) that another process writes to: its new state.
    caf::reacts_to<atom::follow, std::string, session_snapshot>,
    // INTERNAL: timer for restarting a session that crashed.
    caf::reacts_to<atom::restart, std::string>,
    // INTERNAL: timer for unloading unused sessions.
    caf::reacts_to<atom::rest>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::session_summary)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(std::vector<fermata::session_summary>)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::session_ref)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::archive_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::archive_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::packing)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::packed_session)
