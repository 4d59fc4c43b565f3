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

/// What happened in a session and is in no folder, since nothing can be written there.
struct unwritten_part {
  session_meta meta;  ///< of a session that has no folder either
  std::vector<transition> transitions;
};

/// What a copy of a session is made of. The journal alone is enough while every line of it is
/// sound; the checkpoint knows what a damaged line once said, so it goes along.

/// Makes in `to`, an empty folder, what an archive of the session in `from` holds: its journal up
/// to the last whole line, what is unwritten behind it, and a checkpoint of just that, with the
/// score as text. Where the journal is gone, or has lost what was saved last, that is taken as one
/// change behind it. Another process may write to the session meanwhile. Answers what the musician
/// is to know of damage in it.
result<std::vector<std::string>> gather_session(const std::filesystem::path& from,
                                                const std::filesystem::path& to,
                                                const unwritten_part& unwritten);

/// The score of a checkpoint, as lists of sessions show it, and after how many entries it was so.
struct copied_score {
  std::string summary;
  std::int64_t entries = 0;
};

/// The checkpoint of one folder in another, whose journal has the same lines; they begin at
/// `begins_at` there and `began_at` here. One that does not fit is left out; its score alone is
/// taken along. Answers the score of one that fits.
result<std::optional<copied_score>> copy_checkpoint(const std::filesystem::path& from,
                                                    const std::filesystem::path& to,
                                                    std::uint64_t began_at,
                                                    std::uint64_t begins_at);

/// Appends the bytes [from, to) of a file to another.
result<void> append_bytes(const std::filesystem::path& source, std::uint64_t from, std::uint64_t to,
                          const file_descriptor& target, const std::filesystem::path& path);

}  // namespace fermata::io
