#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// Bringing together two states of a score that come from a common one.
///
/// Measures are compared as places (alignment.hpp): an inserted or deleted measure moves the ones
/// behind it and does not change them. What only one side changed is in the merged score, what both
/// changed alike is there once, what both changed in different ways is a conflict: the same measure
/// of the same part, a measure that one side deleted and the other changed, different measures put
/// at the same place. So is what is said of the score and its parts: titles, names, instruments,
/// the order and the groups of the parts.
///
/// Behind a measure that came or went the key, metre and clef hold that one of the sides meant for
/// what follows; numbers go on as they do after an edit; lines are repaired as by take_measures.
///
/// Of some measures of the other side the music stands afterwards as often as it does there: those
/// that found their place by a deletion in front of it bring that along (shifted_measures.hpp).

struct merge_request {
  /// Only these measures of the other side [first, end), and nothing but measures. What they say of
  /// key and metre holds in them only.
  std::optional<std::pair<std::size_t, std::size_t>> measures;
  /// The range begins or ends in these measures of ours, which went there, and they go; of
  /// `measures` that end does not count then.
  std::optional<std::size_t> gone_first, gone_last;
  /// Where both changed something, it becomes as it is there.
  bool theirs_wins = false;
};

/// Measures [first, end) of ours and of theirs that cannot both be; on one side there may be none.
struct measure_conflict {
  std::size_t ours = 0, ours_end = 0, theirs = 0, theirs_end = 0;
  bool operator==(const measure_conflict&) const = default;
};

struct merged_score {
  score_ptr score;  ///< ours where there are conflicts
  std::vector<measure_conflict> conflicts;
  std::vector<std::string> other_conflicts;  ///< "the title", "the part Violin"
  std::size_t taken = 0, deleted = 0;        ///< measures that came or changed; that went
  std::vector<std::size_t> kept;             ///< of ours: changed here only
  /// Of ours, when measures are asked for: they went there beside these, and stay.
  std::vector<std::size_t> gone_beside;
  std::optional<std::pair<std::size_t, std::size_t>> range;  ///< of theirs, that was asked for
  /// Measures [first, end) of theirs of which none is to be had without the others.
  std::vector<std::pair<std::size_t, std::size_t>> inseparable;
  std::vector<std::string> parts_added, parts_removed;
  std::vector<std::string> parts_left_out;  ///< that only theirs has, when measures are asked for
  std::vector<std::string> texts;           ///< taken as well: "the title"
  std::vector<std::string> repaired;        ///< what was changed to fit, a sentence each
};

/// Errors: the measures asked for cannot be had without others, with the reason.
[[nodiscard]] result<merged_score> merge_scores(const score_ptr& base, const score_ptr& ours,
                                                const score_ptr& theirs,
                                                const merge_request& request = {});

}  // namespace fermata
