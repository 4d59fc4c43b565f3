#pragma once

#include "core/lang/layout/decompile.hpp"
#include "core/score/model/delta.hpp"
#include "core/score/model/score.hpp"
#include "core/session/timeline/environment_delta.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fermata {

/// What a part is called by where one types it: its name, or its id when that says more.
std::string name_to_type(const score& s, const part& p);

/// That there is no part of this name; the hint is a name like it, or the names there are.
error no_such_part(const score& s, const std::string& name);

/// The one part that is meant by a word: the one with this id, or the only one of `parts_called`.
/// Errors: no such part; several, by their ids.
result<std::size_t> the_part_called(const score& s, const std::string& word);

/// A score, one of its parts (as `parts_called` says), or some measures (by their places from 1,
/// inclusive; of the parts that have them), as Fermata text. Errors: no such part, no such
/// measures.
result<std::string> score_text(const score& s, const std::optional<std::string>& part = {},
                               std::optional<std::pair<int, int>> measures = {},
                               print_style style = print_style::explicit_forms);

/// What a change takes away (`-`, in words `removed:`) and puts there (`+`, `added:`), measure by
/// measure, each under its number (measure_names.hpp) after the change, but for those that it
/// deletes. `before`: the score that it was made of; another one tells less well which measures
/// only get other numbers.
std::string delta_text(const score_delta& d, const score& before, bool in_words = false);

/// What a change does to score and definitions, in a few words: "Piano: 1 note added; y defined".
std::string change_summary(const score_delta& d, const environment_delta& env);

/// What a change of definitions takes away and puts there, likewise, one definition a line.
std::string definitions_text(const environment_delta& d, bool in_words = false);

}  // namespace fermata
