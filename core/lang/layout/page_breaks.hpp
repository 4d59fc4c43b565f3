#pragma once

#include "core/lang/layout/measure_order.hpp"
#include "core/lang/value/music.hpp"

#include <vector>

namespace fermata {

/// Breaks and page layout at the edges of measures, in reverse order.

struct edge_layouts {
  std::vector<music_ptr> leading, trailing;
};

bool is_layout(const music_ptr& x);

/// Removes them from the measures, in order. What is inside a measure is left there: it belongs to
/// a point in time.
std::vector<edge_layouts> without_layouts(std::vector<measure_music>& measures);

/// A page or line break stays between the same two measures, and the layout of the first page stays
/// there. `measures` are in reverse order.
void set_layouts(std::vector<loose_measure>& measures, const std::vector<edge_layouts>& layouts);

}  // namespace fermata
