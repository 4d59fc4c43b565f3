#pragma once

#include "core/result.hpp"
#include "core/session/timeline/state.hpp"
#include "io/store/archive/archive_contents.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace fermata::io {

/// Copies of whole sessions: as another session, and as one file that can be moved elsewhere. They
/// contain the journal, and the checkpoint, which has the contents of damaged lines. A session may
/// be open and written to meanwhile; the journal is copied up to its last complete line at that
/// moment.

/// Creates the session in the new folder `to` from the one in `from`. `meta` has its slug, name,
/// dates and tags. After an error there is no new session.
result<void> copy_session(const std::filesystem::path& from, const std::filesystem::path& to,
                          const session_meta& meta);

/// Writes the session in `folder`, with its unwritten changes, to a zip archive:
/// `fermata-archive.json` (format, version, name, dates, tags), `history.jsonl`, and a checkpoint,
/// whose `score.ferm` is also for people. An existing `file` is replaced. Nothing is written to the
/// session's folder. Returns remarks on damage.
result<std::vector<std::string>> write_archive(const std::filesystem::path& folder,
                                               const std::filesystem::path& file,
                                               const unwritten_part& unwritten = {});

/// Whether an archive of this session may be written there without confirmation: the file does not
/// exist, or is an earlier archive of it. Another session may have had the same id; it has another
/// creation time.
result<void> may_replace(const std::filesystem::path& file, const session_meta& session);

/// Whether a session archive may have this name: `.fermata`, `.zip` or no usual extension. Other
/// programs would misinterpret an archive named `song.musicxml`. Error: errc::unsupported_format.
result<void> is_archive_name(const std::filesystem::path& file);

/// The metadata of an archive. Errors: it is not an archive of a session, or of a newer Fermata.
result<session_meta> read_archive_meta(const std::filesystem::path& file);

/// Creates the session in the new folder `to` from an archive. The journal is authoritative:
/// damaged or oversized files derived from it are left out. Returns remarks on these.
result<std::vector<std::string>> unpack_archive(const std::filesystem::path& file,
                                                const std::filesystem::path& to,
                                                const session_meta& meta);

}  // namespace fermata::io
