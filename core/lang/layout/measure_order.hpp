#pragma once

#include "core/lang/value/music.hpp"

#include <vector>

namespace fermata {

/// Reordered measures: each needs the key, time and clef for which it was written, wherever it is
/// now.

bool is_measure(const music_ptr& m);
/// A voice or staff in a measure that starts with the measure.
bool begins_with_measure(const music& m);

/// A voice or staff: among measures a layer, which starts with them.
bool is_layer(const music& m);
bool holds_layers(const std::vector<music_ptr>& items);

/// Key, time, clef, or a block of these.
bool is_signature(const music_ptr& m);

/// Key, time, clef and similar attributes in effect, each as a separate `attributes` leaf.
using signatures = std::vector<music_ptr>;

/// The key, time, clef and similar attributes of an item, one each; `rest` is its other content
/// (staff lines, measure styles), or null. Empty for an item without any of these.
struct said_signatures {
  signatures own;
  music_ptr rest;
};
said_signatures signatures_in(const music& m);
/// The same in a voice of `staff`, to which a clef without a staff applies; 0: none.
said_signatures signatures_in(const music& m, int staff);
/// The staff of the contents of `m`, itself in a voice of `staff`.
int staff_inside(const music& m, int staff);
/// A signature as written in a voice of `staff`.
attributes as_said_in(attributes signature, int staff);

/// Replaces the signature in effect of the same kind and staff.
void set_signature(signatures& in_force, const music_ptr& signature);
/// The signature in effect of the kind and staff of `signature`, or null.
music_ptr of_same_kind(const signatures& in_force, const music& signature);
/// For one staff: its own, otherwise that of all staves. For all: that of all, then those of single
/// staves.
signatures all_of_same_kind(const signatures& in_force, const music& signature);

/// A change inside a measure, and what was in effect before it.
struct change_inside {
  music_ptr said;
  signatures before;
};
/// The changes as written, voice by voice, in any order of time. `in_force` is in effect at the
/// start; it becomes what is in effect at the end.
std::vector<change_inside> changes_inside(const std::vector<music_ptr>& items,
                                          signatures& in_force);

/// Whether key, time or clef change after the start of notes without measures.
bool changes_on_the_way(const std::vector<music_ptr>& items);

/// A measure without its initial signatures, and the signatures in effect at its start and its end.
struct loose_measure {
  measure_music rest;
  signatures at_begin, at_end;
};
/// `measures` in the order in which they were written, all those of `whole` if that is known. If a
/// key, time or clef that changes later has no initial value, the compiler's default is made
/// explicit: measures moved after the change need it.
std::vector<loose_measure> loosened(const std::vector<measure_music>& measures,
                                    const part_music* whole = nullptr);

/// The measures in the given order, with signatures where they are needed (key, time, clef, in the
/// order of MusicXML), renumbered.
std::vector<music_ptr> put_in_order(std::vector<loose_measure> measures);

}  // namespace fermata
