#pragma once

#include "core/lang/value/music.hpp"
#include "core/music/clef.hpp"
#include "core/music/instruments.hpp"
#include "core/result.hpp"
#include "core/score/model/cursor.hpp"
#include "core/score/model/score.hpp"
#include "core/score/model/walk.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace fermata {

/// `(staff :bass ...)` names a staff by its clef. Which one that is depends on its context: the
/// staves of the part, and the staves named next to it.

/// Whether `m` is or contains a staff named by its clef.
bool names_a_staff(const music& m);
/// Whether it contains exactly one.
bool names_one_staff(const music& m);

bool is_same_clef(const std::optional<clef>& a, const clef& b);

/// The clef that names a staff, its first item; empty if the staff has a number.
std::optional<clef> clef_naming(const staff_music& x);

/// The clefs in effect at a position of a part, or the initial ones of a part without measures.
part_state state_or_opening(const score& s, const score_cursor& at, const score_defaults& defaults);

/// The staves of a part as denoted by clefs, numbered from 1.
class staff_clefs {
public:
  struct row {
    std::optional<clef> first;  ///< the initial clef
    std::optional<clef> now;    ///< in effect
    bool is_used = false;       ///< there is music on it
  };

  /// Unknown staves.
  staff_clefs() = default;
  /// Of a part that starts with the clefs of `instrument`, which may be null.
  explicit staff_clefs(const instrument_info* instrument);
  /// Of a part outside a score.
  explicit staff_clefs(const part_music& p);
  /// Of the part of a cursor; `now` is in effect there.
  staff_clefs(const score& s, const score_cursor& at, const score_defaults& defaults);

  /// The staff that has the clef, of those for which `is_free` holds: now and, preferably, from the
  /// start. Empty: none.
  template <class Predicate>
  std::optional<std::uint8_t> with(const clef& wanted, Predicate is_free) const {
    std::optional<std::uint8_t> best;
    auto best_fit = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      auto staff = static_cast<std::uint8_t>(i + 1);
      auto fit = 2 * is_same_clef(rows_[i].now, wanted) + int{is_same_clef(rows_[i].first, wanted)};
      if (fit <= best_fit || !is_free(staff)) continue;
      best = staff;
      best_fit = fit;
    }
    return best;
  }
  /// The first empty one.
  std::uint8_t unused() const;

  bool has(std::uint8_t staff, const clef& c) const;
  void say(std::uint8_t staff, const clef& c);
  void use(std::uint8_t staff);

private:
  row& at(std::uint8_t staff);

  std::vector<row> rows_;
};

/// The items of a part, or of future measures of one, with a number for each staff named by a clef:
///
/// - *The staff that has the clef*, if that gives each of the simultaneous staves a different one.
///   In a seq, where one follows the other, the same name is the same staff.
/// - Otherwise the staves of the part from the first on, in the order written; a single one outside
///   a measure is the first empty one.
///
/// The clef is written inside unless it is already in effect. A staff beyond the maximum is
/// unchanged; layout rejects it with `too_many_staves`.
std::vector<music_ptr> with_numbered_staves(const std::vector<music_ptr>& items,
                                            staff_clefs known = {});

/// The items of a part, numbered this way if a measure in it names staves.
std::vector<music_ptr> with_staves_of_measures_numbered(const part_music& p);

error too_many_staves(source_span span);

}  // namespace fermata
