#pragma once

#include "core/theory/chord_fit.hpp"
#include "core/theory/harmonic_analysis.hpp"

#include <vector>

namespace fermata::detail {

/// What sounds in a span, each tone weighted by how long it does so.
tone_weights weights_in(const std::vector<timed_note>& notes, const time_span& span);

/// A fitted chord with its spelling and bass.
span_chord named_chord(const tone_weights& w, const fitted_chord& c, const time_span& span);

}  // namespace fermata::detail
