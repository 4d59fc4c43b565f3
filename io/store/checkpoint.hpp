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
  std::string branch;  ///< the branch of the score
  std::string score, environment, rest;
};

/// The checkpoint of a session at this position of its journal. If the text of the score does not
/// reproduce exactly the same score, `rest` also has the full score. Does no input or output, but
/// takes long for a long score, which is printed and evaluated.
checkpoint_files make_checkpoint(const session_state& s, journal_place place);

/// Writes score.ferm, env.json and, last, checkpoint.json.
result<void> write_checkpoint(const std::filesystem::path& folder, const checkpoint_files& files);

/// A loaded checkpoint: everything of the session but its history and its metadata.
struct checkpoint {
  session_state state;
  journal_place place;
  std::int64_t entries = 0;  ///< in the history at this position
  std::string score_text;    ///< hash of score.ferm as written
  /// The file no longer matches. If the score depends on it, or if writing the next checkpoint was
  /// interrupted, `state.score` is null and the journal must be replayed; the state then only has
  /// the branch from which score.ferm was written.
  bool score_text_differs = false;
};

/// A hash of the text of a score.
std::string score_text_hash(std::string_view text);

/// The checkpoint, if there is one and its files match. Empty: there is none. Errors: the damage;
/// the journal must then be replayed from its start.
result<std::optional<checkpoint>> read_checkpoint(const std::filesystem::path& folder);

}  // namespace fermata::io
