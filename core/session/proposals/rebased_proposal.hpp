#pragma once

#include "core/lang/evaluation/evaluate.hpp"
#include "core/session/proposals/proposals.hpp"
#include "core/session/timeline/state.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// A proposal on a score that has changed since it was made. Its measures are located as in a merge
/// of branches (score/merge.hpp). If both sides changed the same measures, the text must be
/// evaluated again, and nothing that was not shown may be overwritten.

/// The effect of a proposal on the current score.
struct rebased_proposal {
  score_delta delta;  ///< against the current score
  environment_delta env_change;
  score_ptr score;                    ///< with the whole proposal applied
  bool moved = false;                 ///< the score has changed since it was made
  std::vector<std::string> repaired;  ///< adjustments that were needed, one sentence each
};

/// Empty: the score, or a definition that the proposal changes, has changed in the same positions,
/// so that it must be evaluated again. Reads the entries since it was made. `in_part`: its
/// definitions are ignored.
std::optional<rebased_proposal> rebase(const proposal& p, const session_state& s,
                                       bool in_part = false);

/// The part of a proposal that lies in some measures, numbered as in its own diff, if these
/// measures are unchanged here; other measures may have changed. Errors: these have changed as
/// well; the original score is not available; those of `within_measures`.
struct unchanged_measures {
  score_ptr score;  ///< with that part applied
  std::size_t taken = 0, left_out = 0;
  std::vector<std::string> repaired;  ///< adjustments that were needed, one sentence each
};
result<unchanged_measures> unchanged_within(const proposal& p, const session_state& s,
                                            const asked_measures& asked);

/// The score that the proposal would have produced from its original score; null: that is not
/// available.
score_ptr proposed_score(const proposal& p, const session_state& s);

/// The values of its text, or its changes if these differ from the original ones.
std::string answer_now(const proposal& p, const score_delta& delta,
                       const environment_delta& env_change);

/// The change of the environment if a proposal makes the score `next`, with all or part of it.
/// `now` is the effect of the whole proposal.
environment_delta cursor_change(const proposal& p, const rebased_proposal& now,
                                const session_state& s, const score& next);

/// The score on which it was evaluated; null: not available. Reads the entries since.
score_ptr original_score(const proposal& p, const session_state& s);

/// The text of a proposal and its changes to the score `before`, as shown by `:diff`.
std::string proposal_text(const proposal& p, const score_delta& delta,
                          const environment_delta& env_change, const score& before,
                          bool accessible = false);

/// The changes if it is evaluated again, for `:diff`.
std::string text_of_evaluation(const proposal& p, const session_state& s,
                               const result<evaluation>& again, bool accessible = false);

/// The measures, parts or titles that a new evaluation overwrites although its diff did not show
/// them. `again` is relative to the score of `s`.
std::optional<std::string> overwritten_by(const score_delta& again, const proposal& p);

}  // namespace fermata
