#pragma once

#include "core/score/model/cursor.hpp"
#include "core/score/model/score.hpp"

namespace fermata {

/// The cursor of one state of a score in another state: in the same part, after its music if it was
/// there, otherwise in the same measure. If that was deleted, after the music as well.
score_cursor same_place_in(const score& to, const score& from, score_cursor at);

}  // namespace fermata
