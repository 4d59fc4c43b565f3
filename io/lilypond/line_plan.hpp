#pragma once

#include "core/score/model/score.hpp"
#include "core/score/model/spanners.hpp"
#include "io/lilypond/loss_list.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fermata::io::lilypond {

/// Which lines of a part LilyPond can draw, and where. It joins the ends of a line by what is open
/// in a context, so an end without its other end would be dropped, or end another line.
class line_plan {
public:
  /// Where one end of a line between directions is written.
  struct written_end {
    int staff = 1;            ///< that of the start, for both ends
    int line = 1;             ///< hairpins that overlap on a staff have lines of their own
    bool sostenuto = false;   ///< of the middle pedal
    std::string pedal_style;  ///< of the start of a pedal: "text", "bracket" or "mixed"
  };

  line_plan() = default;
  /// Counts in `losses` what cannot be written of the lines between directions, and points within
  /// lines that belong to none.
  line_plan(const part& p, std::size_t part_index, loss_list& losses);

  /// Of all lines, those on notes included.
  const paired_spanners& lines() const { return lines_; }

  /// Null: the end is not written.
  const written_end* find(const direction_type& end) const;
  /// How many lines of hairpins a staff needs.
  int hairpin_lines(int staff) const;
  /// How the first pedal of a staff is drawn; empty when it has none.
  std::string first_pedal_style(int staff) const;

private:
  const part* source_ = nullptr;
  paired_spanners lines_;
  std::map<const direction_type*, written_end> ends_;
  std::map<int, int> hairpin_lines_;  ///< by staff
  std::map<int, std::string> first_pedal_styles_;

  friend class line_planner;
};

}  // namespace fermata::io::lilypond
