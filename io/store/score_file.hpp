#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"

#include <string>

namespace fermata::io {

/// Its name in the folder of a session.
inline constexpr auto score_name = "score.ferm";

/// A score as Fermata text.
std::string text_of_score(const score& s);

/// Whether evaluating the text gives exactly the same score; if not, the exact score must be stored
/// as well. Takes as long as evaluating the text.
bool is_exact(const std::string& text, const score& s);

/// The score of a text. Errors: those of the evaluation; the text is not a score.
result<score_ptr> score_of_text(std::string text);

}  // namespace fermata::io
