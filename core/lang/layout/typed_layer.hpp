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

/// Where a staff or voice that is named begins: where it ended, as lines are typed one after the
/// other, or at the cursor, as at a place that is asked for.
enum class named_layers : std::uint8_t { go_on, begin_at_cursor };

/// A staff or a voice that is typed by itself, one line after another, means what it means as a
/// layer of a part: it begins where the part does and goes on where it ended.

struct typed_layer {
  std::string voice;
  std::uint8_t staff = 0;  ///< 0: none is said
  std::vector<music_ptr> items;
  source_span span;

  /// As the voice that it is written in.
  music_ptr as_voice() const;
};

/// `(staff 2 ...)` or `(staff :bass ...)` at a cursor. The staff named by a clef is one that has it
/// there or began with it, else the first on which nothing stands yet; its clef is an item where it
/// is not in force already. Null for anything else.
std::optional<typed_layer> typed_staff(const music& m, const score& s, const score_cursor& at,
                                       const score_defaults& defaults,
                                       named_layers where = named_layers::go_on);

/// The layer that measures belong to: a staff or voice around them, or that of a cursor which is
/// neither on the first staff nor in the first voice, unless they name staves or voices themselves.
/// Null: they are measures for all staves.
std::optional<typed_layer> layer_of_measures(const music& m, const score& s, const score_cursor& at,
                                             const score_defaults& defaults);

/// Where notes of a typed staff begin: at the cursor if that is there or it is to be so, else
/// behind the last note of its voice, else at the beginning of the part.
score_cursor place_of(const typed_layer& x, const score& s, const score_cursor& at,
                      named_layers where = named_layers::go_on);

/// Lays measures over those of the part: from the cursor's measure on if that is in this layer and
/// at the beginning of a measure without a note of it, else behind the last measure of the layer.
/// A key or metre holds for all staves; what no longer fits is an error, `overfull_measure`. A
/// cursor in this layer stands behind them then; another one stays.
[[nodiscard]] result<edited> add_layer_of_measures(const typed_layer& x, const score_ptr& s,
                                                   const score_cursor& at,
                                                   const score_defaults& defaults,
                                                   measure_check check);

}  // namespace fermata
