#pragma once

#include "core/lang/value/music.hpp"
#include "core/score/model/kept_elements.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace fermata {

/// The music without the pairs of kept ends in attributes (slashes, repeat signs) of which one end
/// says what the operation contradicts: the other end alone would begin or end what nothing else
/// does. Ends belong together within a part, in the order in which they are written. `dropped` is
/// told of each end that goes; an end that stands alone is left to the operation.
std::vector<music_ptr> without_contradicted_pairs(
    const std::vector<music_ptr>& items, edit_operation x,
    const std::function<void(std::string_view what)>& dropped);

}  // namespace fermata
