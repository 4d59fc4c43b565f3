#pragma once

#include "core/lang/value/commit_rule.hpp"
#include "core/lang/value/environment.hpp"
#include "core/lang/value/value.hpp"
#include "core/result.hpp"
#include "core/score/model/delta.hpp"
#include "core/score/model/score.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The limits of one evaluation. Exceeding them is an ordinary error, errc::budget_exceeded.
struct evaluation_budget {
  std::uint64_t steps = 200'000'000;
  std::uint32_t depth = 2'000;          ///< nested calls
  std::uint64_t elements = 20'000'000;  ///< list items and notes produced
  std::uint64_t bytes = 1'000'000'000;  ///< roughly, of produced strings and lists
};

/// An entry of the history as seen by `$In[n]` and `$Out[n]`.
struct history_value {
  std::optional<value> input;   ///< the expression as data
  std::optional<value> output;  ///< the value, if the entry has one
};

/// Looks up history references; `session` is empty for the current one. Empty: no such entry.
using history_lookup =
    std::function<std::optional<history_value>(std::string_view session, std::int64_t index)>;

/// The complete input of an evaluation: a snapshot, so that it can run on any thread while the
/// session continues to answer queries.
struct evaluation_request {
  std::string text;  ///< one or more top-level forms
  environment_ptr env;
  score_ptr score;
  history_lookup history;
  std::int64_t next_index = 1;  ///< the base of $Out[-1]
  evaluation_budget budget;
  /// Polled every few thousand steps: errc::cancelled or errc::budget_exceeded (wall time) stops.
  std::function<std::optional<errc>()> interrupted;
  bool commit = true;  ///< false: preview, score and environment are unchanged
  commit_rule rule = commit_rule::everything;  ///< what enters the score automatically
  bool stored = false;                         ///< written by `to_source`; may be larger than input
};

/// The result. Either all top-level forms of the text succeeded or nothing changed.
struct evaluation {
  std::vector<value> forms;   ///< the expressions as data, as read
  std::vector<value> values;  ///< their values
  environment_ptr env;        ///< after definitions and cursor movement
  score_ptr score;            ///< after commits; the same pointer if nothing changed
  score_delta delta;          ///< empty if nothing changed
  bool committed = false;     ///< some value was added to the score
  /// What a transformation or an edit dropped, one line each.
  std::vector<std::string> remarks;
  /// Music that `play` asked to be heard, in order; nothing of a preview.
  std::vector<value> played;
};

/// Reads and evaluates. Pure: same request, same result.
result<evaluation> evaluate(const evaluation_request& request);

/// Adds one value to the score: a score replaces it, a part is appended, a measure goes to the
/// current part, notes and marks to the cursor. Values that are not music change nothing. Updates
/// `env.cursor`.
result<score_ptr> commit(const value& v, score_ptr score, environment& env);

}  // namespace fermata
