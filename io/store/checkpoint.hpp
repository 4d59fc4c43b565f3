#pragma once

#include "core/result.hpp"
#include "core/session/timeline/state.hpp"
#include "io/store/journal_file.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace fermata::io {

/// The texts of a checkpoint, before they are written.
struct checkpoint_files {
  journal_place place;
  std::string branch;  ///< that the score is of
  std::string score, environment, rest;
};

/// The checkpoint of a session as it is at this place of its journal. When the text of the score
/// does not give the very same score again, `rest` has the score in full as well. Reads and writes
/// no file, but takes long when the score is long: as long as printing and evaluating it.
checkpoint_files make_checkpoint(const session_state& s, journal_place place);

/// Writes score.ferm, env.json and, last, checkpoint.json.
result<void> write_checkpoint(const std::filesystem::path& folder, const checkpoint_files& files);

/// A checkpoint that was read: everything of the session but its history and its meta data.
struct checkpoint {
  session_state state;
  journal_place place;
  std::int64_t entries = 0;  ///< that the history has at this place
  std::string score_text;    ///< hash of score.ferm as it was written
  /// It is not that any more. When the score could only have come from it, or when the writing of
  /// the next checkpoint was interrupted, `state.score` is null and the journal has to be replayed;
  /// of the state only the branch that score.ferm was written from is there then.
  bool score_text_differs = false;
};

/// What tells one text of a score from another.
std::string score_text_hash(std::string_view text);

/// The checkpoint, when there is one and its files belong together. Nothing: there is none. Errors:
/// what is wrong with it; the journal has to be replayed from its beginning then.
result<std::optional<checkpoint>> read_checkpoint(const std::filesystem::path& folder);

}  // namespace fermata::io
