#pragma once

#include "core/lang/evaluation/evaluate.hpp"
#include "core/session/proposals/proposals.hpp"
#include "core/session/timeline/state.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// What becomes of a proposal when the score has changed since it was made. Its measures are looked
/// for where they are now, as when branches are merged (score/merge.hpp). Where both changed the
/// same place its text has to be evaluated again, and what comes of that is shown before it writes
/// over anything that nobody was shown.

/// What a proposal comes to on the score as it is now.
struct proposal_now {
  score_delta delta;  ///< against the current score
  environment_delta env_change;
  score_ptr score;                    ///< with all of it
  bool moved = false;                 ///< the score was another one when it was made
  std::vector<std::string> repaired;  ///< what was changed to fit, a sentence each
};

/// Nothing: the score, or a definition that it changes, has changed in the same places, so that it
/// has to be evaluated again. Reads the entries since it was made. `in_part`: its definitions are
/// not taken, whatever became of those here.
std::optional<proposal_now> as_it_fits(const proposal& p, const session_state& s,
                                       bool in_part = false);

/// What of a proposal lies in some measures, counted as its own diff shows them, where they are as
/// they were: whatever became of the others. Errors: these have changed here as well, or the score
/// that it was made of is not to be had any more; those of `within_measures`.
struct unchanged_measures {
  score_ptr score;  ///< with them
  std::size_t taken = 0, left_out = 0;
  std::vector<std::string> repaired;  ///< what was changed to fit, a sentence each
};
result<unchanged_measures> unchanged_within(const proposal& p, const session_state& s,
                                            const asked_measures& asked);

/// The score that a proposal would have made of the one it was made of; null: that is not to be had
/// any more.
score_ptr proposed_score(const proposal& p, const session_state& s);

/// What its text gave, or what it changes when that is not what it would have changed then.
std::string answer_now(const proposal& p, const score_delta& delta,
                       const environment_delta& env_change);

/// The environment's change when a proposal makes the score `next`, which has all of it or some.
/// `now` is what all of it comes to.
environment_delta cursor_change(const proposal& p, const proposal_now& now, const session_state& s,
                                const score& next);

/// The score that it was evaluated on; null: it is not to be had any more. Reads the entries since.
score_ptr score_of_its_time(const proposal& p, const session_state& s);

/// The text of a proposal and what it changes of the score `before`, as `:diff` shows it.
std::string proposal_text(const proposal& p, const score_delta& delta,
                          const environment_delta& env_change, const score& before,
                          bool in_words = false);

/// What evaluating it again would change, for `:diff`.
std::string text_of_evaluation(const proposal& p, const session_state& s,
                               const result<evaluation>& again, bool in_words = false);

/// Evaluated again it writes over measures, parts or titles that its own diff did not show: which.
/// `again` is against the score of `s`.
std::optional<std::string> overwritten_by(const score_delta& again, const proposal& p);

}  // namespace fermata
