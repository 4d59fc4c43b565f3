#pragma once

#include "core/result.hpp"
#include "core/session/timeline/state.hpp"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace fermata::io {

/// Data for a list of sessions, without opening the session. Another process may have it open and
/// be writing to it.
struct stored_summary {
  session_meta meta;
  std::string score;               ///< as of the last checkpoint
  std::int64_t score_entries = 0;  ///< at that time
  std::int64_t entries = 0;        ///< in the journal now
};
/// The contents of meta.json only. Error: it cannot be read.
result<stored_summary> read_meta_json(const std::filesystem::path& folder);
/// Name and tags from the journal: from the last lines that have them, before the byte `end`. Reads
/// all of it, so only for use without meta.json.
void take_names_from_journal(const std::filesystem::path& journal, session_meta& meta,
                             std::uint64_t end = std::numeric_limits<std::uint64_t>::max());
/// Error: the session does not exist, or neither its meta.json nor its journal can be read.
result<stored_summary> read_summary(const std::filesystem::path& folder);
/// Whether there is a session in the folder. If its journal is missing, it opens with what else
/// exists.
bool is_session(const std::filesystem::path& folder);
/// Only its names and dates, without reading the journal.
result<session_meta> read_meta(const std::filesystem::path& folder);

/// The size of all files in a folder.
std::uint64_t bytes_in(const std::filesystem::path& folder);

/// Writes meta.json of a session that is not open. Unknown members are kept.
result<void> write_meta_file(const std::filesystem::path& folder, const session_meta& meta,
                             std::string_view score, std::int64_t entries);

}  // namespace fermata::io
