#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// A three-way merge of two states of a score with a common ancestor.
///
/// Measures are compared by position (alignment.hpp): an inserted or deleted measure shifts later
/// ones and does not change them. What only one side changed is in the merged score, what both
/// changed in the same way appears once, and what both changed differently is a conflict: the same
/// measure of the same part, a measure that one side deleted and the other changed, different
/// measures inserted at the same position. The same applies to the properties of the score and its
/// parts: titles, names, instruments, the order and the groups of the parts.
///
/// After an inserted or deleted measure, the key, time signature and clef are those that one of the
/// sides intended for what follows; numbers continue as after an edit; spanners are repaired as by
/// copy_measures.
///
/// If only some measures of the other side are merged, their music appears afterwards as often as
/// it does there: measures that moved because of a deletion before them include that deletion
/// (shifted_measures.hpp).

struct merge_request {
  /// Only these measures of the other side [first, end), and nothing but measures. Their key and
  /// time signature apply in them only.
  std::optional<std::pair<std::size_t, std::size_t>> measures;
  /// The range starts or ends in these measures of ours, which are deleted there and will be
  /// deleted here; that end of `measures` then does not count.
  std::optional<std::size_t> gone_first, gone_last;
  /// If both sides changed something, the other side wins.
  bool theirs_wins = false;
};

/// Measures [first, end) of ours and of theirs that conflict; one of the two may be empty.
struct measure_conflict {
  std::size_t ours = 0, ours_end = 0, theirs = 0, theirs_end = 0;
  bool operator==(const measure_conflict&) const = default;
};

struct merged_score {
  score_ptr score;  ///< ours if there are conflicts
  std::vector<measure_conflict> conflicts;
  std::vector<std::string> other_conflicts;  ///< "the title", "the part Violin"
  std::size_t taken = 0, deleted = 0;        ///< inserted or changed measures; deleted measures
  std::vector<std::size_t> kept;             ///< of ours: changed only here
  /// Of ours, if measures are requested: deleted there next to these, but kept.
  std::vector<std::size_t> gone_beside;
  std::optional<std::pair<std::size_t, std::size_t>> range;  ///< of theirs, as requested
  /// Measures [first, end) of theirs that can only be merged together.
  std::vector<std::pair<std::size_t, std::size_t>> inseparable;
  std::vector<std::string> parts_added, parts_removed;
  std::vector<std::string> parts_left_out;  ///< only in theirs, if measures are requested
  std::vector<std::string> texts;           ///< also merged: "the title"
  std::vector<std::string> repaired;        ///< repairs, one sentence each
};

/// Error: the requested measures cannot be merged without others, with the reason.
[[nodiscard]] result<merged_score> merge_scores(const score_ptr& base, const score_ptr& ours,
                                                const score_ptr& theirs,
                                                const merge_request& request = {});

}  // namespace fermata
