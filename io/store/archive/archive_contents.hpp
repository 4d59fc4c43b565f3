#pragma once

#include "core/result.hpp"
#include "core/session/timeline/event.hpp"
#include "io/store/journal_file.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fermata::io {

/// Changes in a session that are in no folder, since nothing can be written there.
struct unwritten_part {
  session_meta meta;  ///< of a session without a folder
  std::vector<transition> transitions;
};

/// The contents of a copy of a session. The journal alone is sufficient if all its lines are
/// intact; the checkpoint has the contents of damaged lines, so it is copied too.

/// Writes the contents of an archive of the session in `from` to `to`, an empty folder: its journal
/// up to the last complete line, unwritten changes appended, and a checkpoint of exactly that, with
/// the score as text. If the journal was removed, or has lost the last saved state, that is
/// appended as one change. Another process may write to the session meanwhile. Returns remarks on
/// damage for the user.
result<std::vector<std::string>> gather_session(const std::filesystem::path& from,
                                                const std::filesystem::path& to,
                                                const unwritten_part& unwritten);

/// The score of a checkpoint, as shown in lists of sessions, and the number of entries at that
/// time.
struct copied_score {
  std::string summary;
  std::int64_t entries = 0;
};

/// Copies the checkpoint of one folder to another whose journal has the same lines; they start at
/// `begins_at` there and at `began_at` here. If it does not match, only its score is copied.
/// Returns the score of one that matches.
result<std::optional<copied_score>> copy_checkpoint(const std::filesystem::path& from,
                                                    const std::filesystem::path& to,
                                                    std::uint64_t began_at,
                                                    std::uint64_t begins_at);

/// Appends the bytes [from, to) of a file to another.
result<void> append_bytes(const std::filesystem::path& source, std::uint64_t from, std::uint64_t to,
                          const file_descriptor& target, const std::filesystem::path& path);

}  // namespace fermata::io
