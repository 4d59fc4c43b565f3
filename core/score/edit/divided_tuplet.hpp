#pragma once

#include "core/score/model/measure.hpp"

#include <string>
#include <vector>

namespace fermata {

/// Tuplets that a barline divides: their brackets end before it and begin anew behind it, and a
/// note that crosses it is tied inside the ratio.

/// Pieces of a note or rest of a tuplet that last as long as `lengths`, tied like those of
/// `tied_pieces`. Empty: one of them is no note value of the tuplet.
std::vector<chord_rest> tuplet_pieces(const chord_rest& x, const std::vector<quarters>& lengths);

/// Closes the brackets of a voice that are open at the end of `before` and opens them in `after`,
/// which follows.
void divide_brackets(measure& before, measure& after, const std::string& voice);

/// The bracket around what stands at `at` says the unit that its notes now make, as if it had been
/// written by itself.
void settle_unit(measure& m, const std::string& voice, measure_position at);

}  // namespace fermata
