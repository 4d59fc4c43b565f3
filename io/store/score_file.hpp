#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"

#include <string>

namespace fermata::io {

/// What it is called in the folder of a session.
inline constexpr auto score_name = "score.ferm";

/// A score as Fermata text.
std::string text_of_score(const score& s);

/// Whether reading the text gives the very same score again; if not, whoever needs the score
/// exactly has to keep it otherwise as well. Takes as long as evaluating the text.
bool is_exact(const std::string& text, const score& s);

/// The score that a text evaluates to. Error: what is wrong with it; that it is none.
result<score_ptr> score_of_text(std::string text);

}  // namespace fermata::io
