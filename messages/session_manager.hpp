#pragma once

#include "core/session/catalog/folder_requests.hpp"
#include "core/session/catalog/session_summary.hpp"
#include "messages/session.hpp"

#include <string>
#include <vector>

namespace fermata {

/// An actor for a session, and its slug.
struct session_ref {
  std::string slug;
  session_actor actor;
  std::string instead_of = {};  ///< its slug in the archive, if that is now taken
  /// What was left out of an archive; that it is writable again.
  std::vector<std::string> remarks = {};
};

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
    caf::replies_to<atom::restore, std::string>::with<session_ref>,
    // Writes a session to an archive file. Errors: not_found; failed, also if another file than an
    // archive of this session exists there.
    caf::replies_to<atom::export_session, export_request>::with<exported_session>,
    // A new session from an archive file; the name may be empty. It becomes the active one.
    caf::replies_to<atom::import_session, std::string, std::string>::with<session_ref>,
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
    caf::reacts_to<atom::unload>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::session_summary)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(std::vector<fermata::session_summary>)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::session_ref)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::archive_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::archive_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::export_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::exported_session)
