#pragma once

#include "core/score/delta.hpp"
#include "core/score/score.hpp"

#include <optional>
#include <string>
#include <utility>

namespace fermata {

/// A score, one of its parts (by id or name), or some measures (from 1, inclusive), as Fermata
/// text. Errors: no such part, no such measures.
result<std::string> score_text(const score& s, const std::optional<std::string>& part = {},
                               std::optional<std::pair<int, int>> measures = {});

/// What a change takes away (`-`) and puts there (`+`), measure by measure.
std::string delta_text(const score_delta& d);

}  // namespace fermata
