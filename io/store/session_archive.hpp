#pragma once

#include "core/result.hpp"
#include "core/session/timeline/state.hpp"
#include "io/store/archive_contents.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace fermata::io {

/// Copies of whole sessions: under another name beside the first one, and as one file that can be
/// carried elsewhere. The journal is copied, and the checkpoint, which knows what lines of it that
/// are damaged have once said. A session may be open
/// and written to meanwhile; what its journal holds at that moment is copied, up to the last whole
/// line.

/// Makes the session in the folder `to`, which is not there yet, out of the one in `from`.
/// `meta` has its slug, name, dates and tags. After an error there is no new session.
result<void> copy_session(const std::filesystem::path& from, const std::filesystem::path& to,
                          const session_meta& meta);

/// Writes the session in `folder`, and what of it is in no folder, to a zip archive:
/// `fermata-archive.json` (format, version, name, dates, tags), `history.jsonl`, and a checkpoint,
/// whose `score.ferm` is for people as well. What was at `file` is replaced. Nothing is written to
/// the session's folder. Answers what is damaged in it.
result<std::vector<std::string>> write_archive(const std::filesystem::path& folder,
                                               const std::filesystem::path& file,
                                               const unwritten_part& unwritten = {});

/// Whether an archive of this session may be written there without anybody being asked: nothing is
/// there, or an earlier archive of it. Another session may have had the same id; it was made at
/// another time.
result<void> may_replace(const std::filesystem::path& file, const session_meta& session);

/// Whether a session archive may be called so: `.fermata`, `.zip` or no usual extension. Another
/// program would take `song.musicxml` for what it is not. Error: errc::unsupported_format.
result<void> is_archive_name(const std::filesystem::path& file);

/// What an archive says of its session. Error: it is no archive of a session, or of a newer
/// Fermata.
result<session_meta> read_archive_meta(const std::filesystem::path& file);

/// Makes the session in the folder `to`, which is not there yet, out of an archive. The journal
/// decides: of what is made from it, what is damaged or too large is left out. Answers what that
/// was.
result<std::vector<std::string>> unpack_archive(const std::filesystem::path& file,
                                                const std::filesystem::path& to,
                                                const session_meta& meta);

}  // namespace fermata::io
