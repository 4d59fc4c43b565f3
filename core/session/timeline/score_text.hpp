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

/// The name by which a part is typed: its name, or its id if that is more specific.
std::string name_to_type(const score& s, const part& p);

/// Error for an unknown part; the hint is a similar name, or the list of names.
error no_such_part(const score& s, const std::string& name);

/// The part denoted by a word: the one with this id, or the only one of `parts_called`. Errors: no
/// such part; several, listed by id.
result<std::size_t> the_part_called(const score& s, const std::string& word);

/// A score, one of its parts (as in `parts_called`), or some measures (by position from 1,
/// inclusive; of the parts that have them), as Fermata text. Errors: no such part, no such
/// measures.
result<std::string> score_text(const score& s, const std::optional<std::string>& part = {},
                               std::optional<std::pair<int, int>> measures = {},
                               print_style style = print_style::explicit_forms);

/// The removed (`-`, in words `removed:`) and added (`+`, `added:`) music of a change, measure by
/// measure, each under its number (measure_names.hpp) after the change; deleted measures under
/// their number before it. `before`: the score on which the change is based; with another score it
/// is less clear which measures were only renumbered.
std::string delta_text(const score_delta& d, const score& before, bool accessible = false);

/// A short summary of a change to score and definitions: "Piano: 1 note added; y defined".
std::string change_summary(const score_delta& d, const environment_delta& env);

/// The removed and added definitions of a change, likewise, one per line.
std::string definitions_text(const environment_delta& d, bool accessible = false);

}  // namespace fermata
