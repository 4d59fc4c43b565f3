#pragma once

#include "core/lang/evaluation/evaluate.hpp"
#include "core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The score in a text that replaces the whole score, such as an externally edited score.ferm.
///
/// Evaluating is not sufficient: `42`, or an empty text, evaluates without an error and leaves the
/// score empty, and of two scores the second replaces the first, as it would at the prompt.
struct whole_score {
  score_ptr score;
  /// Other contents, which are not loaded, in words; empty: none
  std::string left_out;
};

/// `what`: `text`, evaluated on an empty score in an empty environment. Errors, `invalid_score`
/// with the position: there is no music; a score follows music that it would replace.
result<whole_score> whole_score_of(std::string_view text, const evaluation& what);

}  // namespace fermata
