#pragma once

#include "core/score/model/cursor.hpp"
#include "core/score/model/score.hpp"

namespace fermata {

/// Where a place of one state of a score is in another one: in the same part, behind its music when
/// it was there, else in the same measure. Where that is gone, behind the music too.
score_cursor same_place_in(const score& to, const score& from, score_cursor at);

}  // namespace fermata
