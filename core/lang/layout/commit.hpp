#pragma once

#include "core/lang/layout/named_staves.hpp"
#include "core/lang/layout/typed_layer.hpp"
#include "core/lang/value/environment.hpp"
#include "core/lang/value/music.hpp"
#include "core/result.hpp"
#include "core/score/edit/edit.hpp"

namespace fermata {

/// Adding music to a score at a cursor, for top-level values and `(at ...)`.

/// The score with `m` added and the cursor after it. A score replaces; parts and groups are
/// appended; measures go after the cursor's part; anything else is written at the cursor, each
/// voice separately.
[[nodiscard]] result<edited> add_music(const music& m, const score_ptr& s, const score_cursor& at,
                                       const score_defaults& defaults,
                                       named_layers where = named_layers::go_on);

/// Measures for `(replace ...)` and `(insert-measure ...)`: `items` are measures, or music to fill
/// some. `time` is in effect before them; `staves` are those that clefs denote in them.
[[nodiscard]] result<std::vector<measure>> compiled_measures(const std::vector<music_ptr>& items,
                                                             const time_signature& time,
                                                             const staff_clefs& staves);

/// Contents in sequence, as taken by `replace_items`. Error `misplaced`: several voices, or gaps.
[[nodiscard]] result<std::vector<measure_content>> compiled_line(
    const std::vector<music_ptr>& items, quarters measure_length);

}  // namespace fermata
