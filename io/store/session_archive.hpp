#pragma once

#include "core/result.hpp"
#include "core/session/state.hpp"

#include <filesystem>
#include <string>

namespace fermata::io {

/// Copies of whole sessions: under another name beside the first one, and as one file that can be
/// carried elsewhere. The journal is all that is copied: it alone is enough. A session may be open
/// and written to meanwhile; what its journal holds at that moment is copied, up to the last whole
/// line.

/// Makes the session in the folder `to`, which is not there yet, out of the one in `from`.
/// `meta` has its slug, name, dates and tags. After an error there is no new session.
result<void> copy_session(const std::filesystem::path& from, const std::filesystem::path& to,
                          const session_meta& meta);

/// Writes the session in `folder` to a zip archive: `fermata-archive.json` (format, version, name,
/// dates, tags), `history.jsonl`, and `score.ferm` for people. What was at `file` is replaced.
result<void> write_archive(const std::filesystem::path& folder, const std::filesystem::path& file);

/// What an archive says of its session. Error: it is no archive of a session, or of a newer
/// Fermata.
result<session_meta> read_archive_meta(const std::filesystem::path& file);

/// Makes the session in the folder `to`, which is not there yet, out of an archive.
result<void> unpack_archive(const std::filesystem::path& file, const std::filesystem::path& to,
                            const session_meta& meta);

}  // namespace fermata::io
