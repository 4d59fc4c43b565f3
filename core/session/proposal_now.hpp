#pragma once

#include "core/lang/evaluate.hpp"
#include "core/session/state.hpp"

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
  score_ptr score;                  ///< with all of it
  bool moved = false;               ///< the score was another one when it was made
  std::vector<std::string> mended;  ///< what was changed to fit, a sentence each
};

/// Nothing: the score, or a definition that it changes, has changed in the same places, so that it
/// has to be evaluated again. Reads the entries since it was made. `in_part`: its definitions are
/// not taken, whatever became of those here.
std::optional<proposal_now> as_it_fits(const proposal& p, const session_state& s,
                                       bool in_part = false);

/// The environment's change when a proposal makes the score `next`, which has all of it or some.
/// `now` is what all of it comes to.
environment_delta cursor_change(const proposal& p, const proposal_now& now, const session_state& s,
                                const score& next);

/// The text of a proposal and what it changes, as `:diff` shows it.
std::string proposal_text(const proposal& p, const score_delta& delta,
                          const environment_delta& env_change, bool in_words = false);

/// What evaluating it again would change, for `:diff`.
std::string text_of_evaluation(const proposal& p, const session_state& s,
                               const result<evaluation>& again, bool in_words = false);

/// Evaluated again it writes over measures, parts or titles that its own diff did not show: which.
/// `again` is against the score of `s`.
std::optional<std::string> overwritten_by(const score_delta& again, const proposal& p);

}  // namespace fermata
