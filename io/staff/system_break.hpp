#pragma once

#include "io/staff/layout.hpp"

#include <cstddef>
#include <vector>

namespace fermata::io::staff {

/// What a system holds of a measure: all of it, or some of its slices.
struct piece {
  std::size_t block = 0, first = 0, last = 0;  ///< slices, `last` not included
  bool begins = true, ends = true;             ///< with the measure
  int column = 0;                              ///< where it begins in the system
};

struct system_line {
  std::vector<piece> pieces;
  bool first = false;  ///< of the excerpt
};

/// Measures put into systems no wider than `columns`. A measure that is wider than a whole system
/// goes on in the next one.
std::vector<system_line> broken_into_systems(const staff_layout& layout, int columns);

/// Cells that the brace of a part with several staves takes before everything: 1 or 0.
int left_edge(const staff_layout& layout);

/// Cells that the staff lines of a system take.
int width_of(const system_line& line, const staff_layout& layout);

/// Where a slice of a measure begins, from the start of the measure's notes.
int start_of(const measure_block& b, std::size_t slice);

/// The widest of a group of signs over all staves.
int widest(const std::vector<signature>& signs, std::vector<sign_column> signature::*group);

}  // namespace fermata::io::staff
