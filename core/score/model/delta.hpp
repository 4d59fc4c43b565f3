#pragma once

#include "core/result.hpp"
#include "core/score/model/measure_moves.hpp"
#include "core/score/model/score.hpp"
#include "core/score/model/walk.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// The change made by one commit, as data that can be applied and reverted: for undo and redo,
/// events to front ends, the display of an entry. A delta holds the measures of both sides by
/// pointer, so its cost depends on the size of the change, not of the score.

/// Measures [first, first + before.size()) of the part as it was became `after`. Insertion:
/// `before` is empty; deletion: `after` is.
struct measure_replacement {
  std::size_t first = 0;  ///< index in the part before the commit
  std::vector<measure_ptr> before, after;
  friend bool operator==(const measure_replacement& a, const measure_replacement& b);
};

/// The numbers of measures [first, first + count) of the part as it was rose by `by`, and nothing
/// else changed in them; those without a plain number (numbering.hpp) kept theirs. Deleting one
/// measure renumbers all that follow, which therefore need not be stored.
struct renumbering {
  std::size_t first = 0, count = 0;
  int by = 0;
  bool operator==(const renumbering&) const = default;
};

/// A part that exists on both sides and changed. Replacements are in ascending order and disjoint;
/// where two are adjacent, the first one's measures did not become the second one's. So are
/// renumberings, and no measure is in both.
struct part_change {
  std::string id;
  std::size_t index_before = 0, index_after = 0;  ///< into score::parts
  std::string name;                               ///< for messages: the part's name afterwards
  std::size_t measures_before = 0;                ///< how many measures the part had
  std::vector<measure_replacement> measures;
  std::vector<renumbering> renumbered;
  /// Everything but the measures, if that changed; `measures` of both are empty.
  struct header_change {
    part_ptr before, after;
  };
  std::optional<header_change> header;
  friend bool operator==(const part_change& a, const part_change& b);
};

/// Key, time and clef in front of each replacement of a part, on both sides, as far as the
/// replacements adjacent to it say them.
class in_force_between {
public:
  /// To be called for one replacement after another.
  std::pair<part_state, part_state> in_front_of(const measure_replacement& r);

private:
  std::size_t end_ = 0;  ///< of the replacement before
  part_state before_, after_;
};

/// A part that exists on one side only.
struct placed_part {
  std::size_t index = 0;  ///< into score::parts of its side
  part_ptr value;
  friend bool operator==(const placed_part& a, const placed_part& b) {
    return a.index == b.index && *a.value == *b.value;
  }
};

/// The score apart from its parts.
struct frame_change {
  score_header header;
  std::vector<part_list_item> part_list;
  preserved extra;
  bool operator==(const frame_change&) const = default;
};

struct score_delta {
  std::vector<part_change> changed;
  std::vector<placed_part> removed, added;
  /// The order of the parts: for each part before, its index after (empty: removed). Empty if no
  /// part was added, removed or moved.
  std::vector<std::optional<std::size_t>> moved_to;
  boxed<frame_change> frame_before, frame_after;  ///< both or neither
  std::vector<std::string> ids_before;  ///< ids of all parts before, to recognize the score

  /// Parts were added, removed or moved.
  bool rearranges() const { return !removed.empty() || !added.empty() || !moved_to.empty(); }
  bool empty() const { return changed.empty() && !rearranges() && !frame_before; }
  bool operator==(const score_delta&) const = default;
};

/// The change from `before` to `after`. Parts are recognized by id (duplicate ids by order),
/// measures by pointer, and by content if the pointers differ; renumbered ones by the items that
/// both sides share. Takes time in proportion to the number of measure pointers plus the content
/// that differs. `moves`: which measures came and went in between, if that is known; else, and if
/// they do not fit, that is told from the content.
[[nodiscard]] score_delta diff_snapshots(const score_ptr& before, const score_ptr& after,
                                         const measure_moves& moves = {});

/// The score after the change. Error `invalid_score` if `s` is not the score on which the delta is
/// based: other parts, another number of measures, or other content where the change is; then
/// nothing is applied. (Other content is not compared, nor that of renumbered measures. Not called
/// `apply`, which on a shared pointer finds std::apply.)
[[nodiscard]] result<score_ptr> applied(const score_delta& d, const score_ptr& s);

/// The inverse of `d`.
[[nodiscard]] score_delta inverted(const score_delta& d);

/// A delta in numbers. A measure that changed, was added or removed in several parts counts once,
/// and one that was only renumbered does not count. A note is changed if another one is at its
/// position in its voice: another pitch, length, tie or mark.
struct delta_summary {
  std::vector<std::string> parts_added, parts_removed, parts_changed;  ///< names for messages
  std::string measures;  ///< where the changed parts changed: "measure 3", "measures 3 to 5, 8"
  bool parts_reordered = false, header_changed = false;
  std::size_t measures_added = 0, measures_removed = 0, measures_changed = 0;
  std::size_t notes_added = 0, notes_removed = 0, notes_changed = 0;
  bool operator==(const delta_summary&) const = default;
};
[[nodiscard]] delta_summary summarize(const score_delta& d);

/// One line: "Violin I, measures 3 to 4: 2 measures changed; 3 notes added, 1 removed". "no change"
/// if empty.
[[nodiscard]] std::string to_string(const delta_summary& s);

}  // namespace fermata
