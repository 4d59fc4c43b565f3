#pragma once

#include "core/result.hpp"
#include "core/session/state.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace fermata::io {

/// Where in the journal a checkpoint holds: after so many transitions, which end at this byte.
struct journal_place {
  std::uint64_t lines = 0;
  std::uint64_t offset = 0;
  bool operator==(const journal_place&) const = default;
};

/// Writes score.ferm, env.json and, last, checkpoint.json. When the text of the score does not give
/// the very same score again, checkpoint.json has the score in full as well.
result<void> write_checkpoint(const std::filesystem::path& folder, const session_state& s,
                              journal_place place);

/// A checkpoint that was read: everything of the session but its history and its meta data.
struct checkpoint {
  session_state state;
  journal_place place;
  std::int64_t entries = 0;  ///< that the history has at this place
};

/// The checkpoint, when there is one and its files belong together. Nothing: there is none. Errors:
/// what is wrong with it; the journal has to be replayed from its beginning then.
result<std::optional<checkpoint>> read_checkpoint(const std::filesystem::path& folder);

}  // namespace fermata::io
