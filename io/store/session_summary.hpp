#pragma once

#include "core/result.hpp"
#include "core/session/timeline/state.hpp"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace fermata::io {

/// What a list of sessions needs, without opening the session. Another process may have it open and
/// be writing to it.
struct stored_summary {
  session_meta meta;
  std::string score;               ///< as of the last checkpoint
  std::int64_t score_entries = 0;  ///< that there were then
  std::int64_t entries = 0;        ///< in the journal now
};
/// What meta.json says, and nothing else. Error: it cannot be read.
result<stored_summary> read_meta_json(const std::filesystem::path& folder);
/// Name and tags as the journal says them: the last of its lines that do, before the byte `end`.
/// Reads all of it, so only for where meta.json cannot be had.
void take_names_from_journal(const std::filesystem::path& journal, session_meta& meta,
                             std::uint64_t end = std::numeric_limits<std::uint64_t>::max());
/// Error: there is no session, or neither its meta.json nor its journal says what it is.
result<stored_summary> read_summary(const std::filesystem::path& folder);
/// Whether there is a session in the folder. Its journal may be what is missing: then it opens with
/// what else is there.
bool is_session(const std::filesystem::path& folder);
/// Its names and dates alone, without a look into the journal.
result<session_meta> read_meta(const std::filesystem::path& folder);

/// The size of all files in a folder.
std::uint64_t bytes_in(const std::filesystem::path& folder);

/// meta.json of a session that is not open. What others have written there stays.
result<void> write_meta_file(const std::filesystem::path& folder, const session_meta& meta,
                             std::string_view score, std::int64_t entries);

}  // namespace fermata::io
