#pragma once

#include "core/score/delta.hpp"
#include "core/score/score.hpp"
#include "core/session/environment_delta.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fermata {

/// Whether a part goes by this id or name, as `same_name` says.
bool is_called(const part& p, std::string_view name);

/// A score, one of its parts (by id or name), or some measures (from 1, inclusive), as Fermata
/// text. Errors: no such part, no such measures.
result<std::string> score_text(const score& s, const std::optional<std::string>& part = {},
                               std::optional<std::pair<int, int>> measures = {});

/// What a change takes away (`-`) and puts there (`+`), measure by measure.
std::string delta_text(const score_delta& d);

/// What a change does to score and definitions, in a few words: "Piano: 1 note added; y defined".
std::string change_summary(const score_delta& d, const environment_delta& env);

/// What a change of definitions takes away (`-`) and puts there (`+`), one definition a line.
std::string definitions_text(const environment_delta& d);

}  // namespace fermata
