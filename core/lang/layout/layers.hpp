#pragma once

#include "core/lang/value/music.hpp"

#include <optional>
#include <vector>

namespace fermata {

/// Staves and voices as layers, that is beside each other in time.

/// A seq, repeat or ending of which everything stands in one and the same staff or voice (one that
/// says no `:at`) as that staff or voice with the group inside: `(repeat (staff 2 X))` is
/// `(staff 2 (repeat X))`. Anything else stays itself.
music_ptr with_layer_outside(const music_ptr& m);

/// Layers that come again among layers, as one that goes on: `(staff 1 A) (staff 2 B) (staff 1 C)`
/// is `(staff 1 A C) (staff 2 B)`. In all that the items hold, too.
std::vector<music_ptr> with_layers_joined(const std::vector<music_ptr>& items);

/// The measures of rest that `m` stands for where measures stand; empty: it is something else.
std::optional<int> rest_over_measures(const music& m);
/// Whether `m` is such a rest, or holds one through seqs, staves, voices and lyrics.
bool holds_rest_over_measures(const music& m);

/// A voice that comes again in a measure goes on where it ended: here it says so with `:at`, as
/// everything that moves voices needs it.
std::vector<music_ptr> with_places_said(std::vector<music_ptr> items);

/// Whether `m` is or holds a note, chord or rest: a layer of signs alone stands beside others.
bool holds_notes(const music& m);

}  // namespace fermata
