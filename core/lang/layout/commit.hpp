#pragma once

#include "core/lang/layout/named_staves.hpp"
#include "core/lang/layout/typed_layer.hpp"
#include "core/lang/value/environment.hpp"
#include "core/lang/value/music.hpp"
#include "core/result.hpp"
#include "core/score/edit/edit.hpp"

namespace fermata {

/// Music put into a score at a cursor: what a top-level value does, and `(at ...)`.

/// The score with `m` added and the cursor behind it. A score replaces; parts and groups go below
/// the others; measures go behind the cursor's part; anything else is written at the cursor, each
/// voice by itself.
[[nodiscard]] result<edited> add_music(const music& m, const score_ptr& s, const score_cursor& at,
                                       const score_defaults& defaults,
                                       named_layers where = named_layers::go_on);

/// Measures as `(replace ...)` and `(insert-measure ...)` take them: `items` are measures or music
/// that fills some. `time` is in force before them; `staves` are those that clefs name in them.
[[nodiscard]] result<std::vector<measure>> compiled_measures(const std::vector<music_ptr>& items,
                                                             const time_signature& time,
                                                             const staff_clefs& staves);

/// Contents one after another, as `replace_items` takes them. Error `misplaced` when there are
/// several voices, or gaps.
[[nodiscard]] result<std::vector<measure_content>> compiled_line(
    const std::vector<music_ptr>& items, quarters measure_length);

}  // namespace fermata
