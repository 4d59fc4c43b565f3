#pragma once

#include "messages/session.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fermata {

/// One line of the session list.
struct session_summary {
  session_meta meta;
  /// "2 parts, 16 measures, 4/4"; "..., at entry 12" when what is known of it is that old: of a
  /// session that is open in another process, or was not ended.
  std::string score;
  std::size_t entries = 0;
  bool active = false;          ///< the one that clients mean who name none
  bool loaded = false;          ///< has an actor; else only on disk
  std::uint64_t bytes = 0;      ///< of its files, where that was asked for
  std::string written_by = {};  ///< another process, where it is open to be looked at only
  /// What waits there for the musician; of a loaded one.
  std::size_t messages = 0, proposals = 0;
};

/// An actor for a session, and its slug.
struct session_ref {
  std::string slug;
  session_actor actor;
  std::string instead_of = {};  ///< the slug that it had in the archive, when that is taken now
  /// What of an archive could not be taken along; that it can be written to again.
  std::vector<std::string> remarks = {};
};

/// A session is to be put into the archive or into the trash.
struct archive_request {
  std::string session;  ///< slug or name
  std::string asker;    ///< slug of the session where it was asked
  bool to_trash = false;
  bool only_asks = false;  ///< says which it is; nothing is done
};

/// What became of it. A session that puts itself away is told where the musician goes next, and is
/// moved when it has said `left`.
struct archive_answer {
  std::string slug;
  std::string next;  ///< set when the asker itself goes
};

/// A session is to be written to an archive.
struct packing {
  std::string session;       ///< slug or name
  std::string file;          ///< empty: called as the session is
  bool replaces = false;     ///< whatever is there
  std::string perhaps = {};  ///< when a session is called so, that one, and `file` is part of it
};

/// It was written.
struct packed_session {
  std::string slug;
  std::string file;
  std::vector<std::string> remarks;  ///< what is damaged in it
};

/// Behind "was moved to the": what there is to know of a session that was put away.
inline std::string where_it_lies(const std::string& slug, bool to_trash) {
  return to_trash ? "trash, where its folder is kept"
                  : "archive; `:session unarchive " + slug + "` restores it";
}

/// Knows every session by slug; makes, restores, watches and ends session actors. A session that
/// crashes is made again from its journal: whoever held its actor sees it go down and finds the new
/// one under the same slug.
using session_manager_actor = caf::typed_actor<
    // A new session; the name may be empty ("session-1", ...). A name or slug that another session
    // has gets a number behind it. It becomes the active one.
    caf::replies_to<atom::create, std::string>::with<session_ref>,
    // By slug or name, loaded from disk when needed. Errors: not_found with the nearest name;
    // invalid_state when it is in the archive.
    caf::replies_to<atom::find, std::string>::with<session_ref>,
    // The active session; the last one used is restored, or a first one made, when there is none
    // yet.
    caf::replies_to<atom::active>::with<session_ref>,
    // Makes a session the active one. One that is only looked at, since another process wrote to
    // it, is read again, to be written to when nobody else does any more.
    caf::replies_to<atom::activate, std::string>::with<session_ref>,
    // The same two for a client: the musician stays where he is, and finds that session again at
    // the next start.
    // A client that makes many is told to wait. The first text is its name.
    caf::replies_to<atom::create, atom::client, std::string, std::string>::with<session_ref>,
    caf::replies_to<atom::activate, atom::client, std::string>::with<session_ref>,
    // Every session but those in the archive, in the order in which they were made.
    caf::replies_to<atom::list>::with<std::vector<session_summary>>,
    // The same with the sizes of their files.
    caf::replies_to<atom::list, atom::sizes>::with<std::vector<session_summary>>,
    // Those that were put into the archive, with their sizes.
    caf::replies_to<atom::archived>::with<std::vector<session_summary>>,
    // A copy of a session (slug) under another name, with its whole timeline; it becomes the active
    // one. Errors: failed.
    caf::replies_to<atom::clone, std::string, std::string>::with<session_ref>,
    // Ends a session and moves its folder. Nothing is deleted. Errors: not_found; failed, when it
    // cannot be moved: it is as it was then.
    caf::replies_to<atom::archive_session, archive_request>::with<archive_answer>,
    // The session (slug) that asked to be put away has written that down and is not needed any
    // more; or (false) it could not, and stays.
    caf::reacts_to<atom::left, std::string, bool>,
    // Back from the archive; under another id when another process has taken its own meanwhile.
    // Errors: not_found, failed.
    caf::replies_to<atom::bring_back, std::string>::with<session_ref>,
    // Writes a session to an archive file. Errors: not_found; failed, also when something else than
    // an archive of this session is there.
    caf::replies_to<atom::pack, packing>::with<packed_session>,
    // A new session out of an archive file; the name may be empty. It becomes the active one.
    caf::replies_to<atom::unpack, std::string, std::string>::with<session_ref>,
    // The session (slug) wants to be called something. Answers what it may be called: with a number
    // behind it when another session is called that.
    caf::replies_to<atom::rename, std::string, std::string>::with<std::string>,
    // The session (slug) has written down what it is called; or it could not, and nothing keeps the
    // name for it any more.
    caf::reacts_to<atom::renamed, std::string>,
    // Stops every session, writing all out; answers when all is on disk. Errors: failed when
    // something is not; all have ended then as well.
    caf::replies_to<atom::stop>::with<void>,
    // INTERNAL, from the store of a session (slug) that another process writes to: it has become
    // this.
    caf::reacts_to<atom::follow, std::string, session_snapshot>,
    // INTERNAL: time to make a session anew that crashed.
    caf::reacts_to<atom::restart, std::string>,
    // INTERNAL: time to unload sessions that nobody uses.
    caf::reacts_to<atom::rest>>;

}  // namespace fermata

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::session_summary)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(std::vector<fermata::session_summary>)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::session_ref)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::archive_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::archive_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::packing)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::packed_session)
