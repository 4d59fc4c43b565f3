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

/// `(staff :bass ...)` names a staff by its clef. Which one that is depends on where it stands: on
/// the staves that the part has, and on the staves named beside it.

/// Whether `m` is or holds a staff that is named by its clef.
bool names_a_staff(const music& m);
/// Whether it holds just one that is.
bool names_one_staff(const music& m);

bool is_same_clef(const std::optional<clef>& a, const clef& b);

/// The clef that names a staff, its first item; empty where the staff has a number.
std::optional<clef> clef_naming(const staff_music& x);

/// What is in force at a place of a part, and what would be in one that has no measures yet.
part_state state_or_opening(const score& s, const score_cursor& at, const score_defaults& defaults);

/// The staves of a part as clefs name them, numbered from 1.
class staff_clefs {
public:
  struct row {
    std::optional<clef> first;  ///< what it began with
    std::optional<clef> now;    ///< in force
    bool is_used = false;       ///< music stands on it
  };

  /// Nothing is known.
  staff_clefs() = default;
  /// Of a part that begins with the clefs of `instrument`, which may be null.
  explicit staff_clefs(const instrument_info* instrument);
  /// Of a part that is not in a score yet.
  explicit staff_clefs(const part_music& p);
  /// Of the part of a cursor; `now` is what holds there.
  staff_clefs(const score& s, const score_cursor& at, const score_defaults& defaults);

  /// The staff that has the clef, of those for which `is_free` holds: now, better still from the
  /// beginning, too. Empty: none has it.
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
  /// The first one on which nothing stands.
  std::uint8_t unused() const;

  bool has(std::uint8_t staff, const clef& c) const;
  void say(std::uint8_t staff, const clef& c);
  void use(std::uint8_t staff);

private:
  row& at(std::uint8_t staff);

  std::vector<row> rows_;
};

/// The items of a part, or of what becomes measures of one, with a number for each staff that a
/// clef names:
/// - *The staff that has the clef*, if that gives each of the staves side by side one of its own.
///   In a seq, where one follows the other, those of the same name are the same staff.
/// - Else they are the staves of the part from the first on, in the order in which they stand; a
///   single one outside a measure is the first on which nothing stands yet.
/// The clef stands inside where it is not in force. A staff beyond those that a part may have stays
/// as it is; what lays it out refuses it with `too_many_staves`.
std::vector<music_ptr> with_numbered_staves(const std::vector<music_ptr>& items,
                                            staff_clefs known = {});

/// The items of a part, numbered so if a measure in it names staves.
std::vector<music_ptr> with_staves_of_measures_numbered(const part_music& p);

error too_many_staves(source_span span);

}  // namespace fermata
