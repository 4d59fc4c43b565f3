#pragma once

#include "core/result.hpp"
#include "core/score/score.hpp"

#include <filesystem>
#include <string>

namespace fermata::io {

/// What it is called in the folder of a session.
inline constexpr auto score_name = "score.ferm";

/// Writes a score as Fermata text. `exact`: reading the text gives the very same score again; if
/// not, the one who needs it exactly has to keep it otherwise as well.
struct written_score {
  std::string text;
  bool exact = false;
};
result<written_score> write_score_file(const std::filesystem::path& path, const score& s);

/// What stands in such a file.
std::string text_of_score(const score& s);

/// The score that a text evaluates to. Error: what is wrong with it; that it is none.
result<score_ptr> score_of_text(std::string text);

}  // namespace fermata::io
