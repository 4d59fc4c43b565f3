#pragma once

#include "core/lang/value/music.hpp"

#include <optional>
#include <vector>

namespace fermata {

/// Staves and voices as layers, i.e. simultaneous.

/// A seq, repeat or ending whose whole content is in one staff or voice (without `:at`) as that
/// staff or voice with the group inside: `(repeat (staff 2 X))` is `(staff 2 (repeat X))`. Anything
/// else is returned unchanged.
music_ptr with_layer_outside(const music_ptr& m);

/// Repeated layers joined into one that continues: `(staff 1 A) (staff 2 B) (staff 1 C)` is `(staff
/// 1 A C) (staff 2 B)`, at every level of the items.
std::vector<music_ptr> with_layers_joined(const std::vector<music_ptr>& items);

/// The measures of rest that `m` denotes between measures; empty: it is something else.
std::optional<int> rest_over_measures(const music& m);
/// Whether `m` is such a rest, or contains one in seqs, staves, voices and lyrics.
bool holds_rest_over_measures(const music& m);

/// A voice that appears again in a measure continues where it ended: adds an explicit `:at`, which
/// anything that moves voices needs.
std::vector<music_ptr> with_explicit_positions(std::vector<music_ptr> items);

/// Whether `m` is or contains a note, chord or rest: a layer with only signs is simultaneous with
/// others.
bool holds_notes(const music& m);

}  // namespace fermata
