#pragma once

#include "core/lang/value/music.hpp"
#include "core/score/edit/edit.hpp"
#include "core/score/model/cursor.hpp"
#include "core/score/model/score.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// Where a typed staff or voice starts: where it ended, since lines are typed one after another, or
/// at the cursor if that was set to it.
enum class named_layers : std::uint8_t { go_on, begin_at_cursor };

/// A staff or voice typed on its own is a layer of its part, as inside the part: it starts with the
/// part and continues where it ended.

struct typed_layer {
  std::string voice;
  std::uint8_t staff = 0;  ///< 0: none
  std::vector<music_ptr> items;
  source_span span;

  /// The voice in which it is written.
  music_ptr as_voice() const;
};

/// `(staff 2 ...)` or `(staff :bass ...)` at a cursor. A clef denotes a staff that has it there or
/// started with it, otherwise the first empty one; it becomes an item unless it is already in
/// effect. Null for anything else.
std::optional<typed_layer> typed_staff(const music& m, const score& s, const score_cursor& at,
                                       const score_defaults& defaults,
                                       named_layers where = named_layers::go_on);

/// The layer of measures: a staff or voice around them, or that of a cursor which is neither on the
/// first staff nor in the first voice, unless they name staves or voices themselves. Null: they are
/// for all staves.
std::optional<typed_layer> layer_of_measures(const music& m, const score& s, const score_cursor& at,
                                             const score_defaults& defaults);

/// Where notes of a typed staff start: at the cursor if that is there or if required, otherwise
/// after the last note of its voice, otherwise at the start of the part.
score_cursor place_of(const typed_layer& x, const score& s, const score_cursor& at,
                      named_layers where = named_layers::go_on);

/// Overlays measures on those of the part: from the cursor's measure on if that is in this layer
/// and at the start of a measure without a note of it, otherwise after the last measure of the
/// layer. A key or time signature applies to all staves; music that no longer fits is an error,
/// `overfull_measure`. A cursor in this layer moves to their end; another one is unchanged.
[[nodiscard]] result<edited> add_layer_of_measures(const typed_layer& x, const score_ptr& s,
                                                   const score_cursor& at,
                                                   const score_defaults& defaults,
                                                   measure_check check);

}  // namespace fermata
