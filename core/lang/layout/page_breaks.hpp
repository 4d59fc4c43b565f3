#pragma once

#include "core/lang/layout/measure_order.hpp"
#include "core/lang/value/music.hpp"

#include <vector>

namespace fermata {

/// Breaks and page layout at the edges of measures, when these are read backwards.

struct edge_layouts {
  std::vector<music_ptr> leading, trailing;
};

bool is_layout(const music_ptr& x);

/// Takes them out of the measures, in their order. What stands inside a measure is left there: it
/// is a point in time.
std::vector<edge_layouts> without_layouts(std::vector<measure_music>& measures);

/// A page or line break stands between the same two measures as before, what is said of the first
/// page stays there. `measures` are in reverse.
void set_layouts(std::vector<loose_measure>& measures, const std::vector<edge_layouts>& layouts);

}  // namespace fermata
