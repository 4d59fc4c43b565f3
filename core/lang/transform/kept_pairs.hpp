#pragma once

#include "core/lang/value/music.hpp"
#include "core/score/model/kept_elements.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace fermata {

/// The music without pairs of kept ends in attributes (slashes, repeat signs) if the operation
/// contradicts one of the ends: the other end on its own would be unpaired. Ends are paired within
/// a part, in the order in which they are written. `dropped` is called for each dropped end;
/// unpaired ends are left to the operation.
std::vector<music_ptr> without_contradicted_pairs(
    const std::vector<music_ptr>& items, edit_operation x,
    const std::function<void(std::string_view what)>& dropped);

}  // namespace fermata
