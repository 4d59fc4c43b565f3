#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/music/meter.hpp"
#include "core/score/measure.hpp"

namespace fermata {

/// A note, chord or rest that goes over a barline is written in pieces that are tied.

/// `x` cut after `first` of its length. What begins stays on the first piece (accents, lyrics, the
/// start of slurs), what ends goes to the second (the end of slurs, a fermata). Nothing when it
/// belongs to a tuplet or a grace group. The pieces have no written value yet: see `spelled`.
std::optional<std::pair<chord_rest, chord_rest>> split_at(const chord_rest& x, quarters first);

struct placed_chord_rest {
  measure_position at;
  chord_rest value;
};

/// `x` in as many tied pieces as its length needs in a measure of metre `t`; just itself when its
/// written value is its length.
std::vector<placed_chord_rest> spelled(chord_rest x, measure_position at, const time_signature& t);

} // namespace fermata
