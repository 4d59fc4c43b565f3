#pragma once

#include "core/lang/evaluation/evaluate.hpp"
#include "core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// What a text gives that is to be the score as a whole, such as a score.ferm that somebody edited.
///
/// Evaluating is not enough to know: `42`, or nothing at all, is evaluated without an error and
/// leaves the score empty that it was evaluated on, and of two scores the second takes the place of
/// the first, as it would at the prompt.
struct whole_score {
  score_ptr score;
  /// What else stands there and does not come along, in words; empty: nothing.
  std::string left_out;
};

/// `what`: `text`, evaluated on an empty score in an empty environment. Errors, `invalid_score`
/// with the place: there is no music; a score stands behind music, whose place it would take.
result<whole_score> whole_score_of(std::string_view text, const evaluation& what);

}  // namespace fermata
