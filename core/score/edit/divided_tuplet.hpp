#pragma once

#include "core/score/model/measure.hpp"

#include <string>
#include <vector>

namespace fermata {

/// Tuplets divided by a barline: the bracket ends before it and starts again after it, and a note
/// that crosses it is tied, inside the ratio.

/// Pieces of a tuplet's note or rest with these `lengths`, tied like those of `tied_pieces`. Empty:
/// one of them is not a note value of the tuplet.
std::vector<chord_rest> tuplet_pieces(const chord_rest& x, const std::vector<quarters>& lengths);

/// Closes the brackets of a voice that are open at the end of `before` and opens them in `after`,
/// which follows.
void divide_brackets(measure& before, measure& after, const std::string& voice);

/// Sets the unit of the bracket around the item at `at` to that of its notes, as if it had been
/// written separately.
void settle_unit(measure& m, const std::string& voice, measure_position at);

}  // namespace fermata
