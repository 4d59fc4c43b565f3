#pragma once

#include "core/result.hpp"
#include "core/score/score.hpp"

#include <filesystem>

namespace fermata::io {

/// Writes a score as Fermata text. Answers whether reading the text gives the very same score
/// again; if not, the one who needs it exactly has to keep it otherwise as well.
result<bool> write_score_file(const std::filesystem::path& path, const score& s);

/// Reads the text of a score: evaluates it. Error: what is wrong with it.
result<score_ptr> read_score_file(const std::filesystem::path& path);

}  // namespace fermata::io
