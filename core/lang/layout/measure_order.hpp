#pragma once

#include "core/lang/value/music.hpp"

#include <vector>

namespace fermata {

/// Measures that are put into another order: each needs the key, time and clef that held when it
/// was written, wherever it stands now.

bool is_measure(const music_ptr& m);
/// A voice or staff in a measure that begins where the measure does.
bool begins_with_measure(const music& m);

/// A voice or staff: among measures a layer, which begins where they do.
bool is_layer(const music& m);
bool holds_layers(const std::vector<music_ptr>& items);

/// Key, time, clef, or a block of them.
bool is_signature(const music_ptr& m);

/// Key, time, clef and the like in force, each as an `attributes` leaf of its own.
using signatures = std::vector<music_ptr>;

/// What an item says of key, time, clef and the like, one thing each; `rest` is what it says
/// besides (staff lines, measure styles), or null. Nothing for an item that says none of this.
struct said_signatures {
  signatures own;
  music_ptr rest;
};
said_signatures signatures_in(const music& m);
/// The same in a voice of `staff`, which a clef that names none is for; 0: of none.
said_signatures signatures_in(const music& m, int staff);
/// The staff of what stands inside `m`, itself in a voice of `staff`.
int staff_inside(const music& m, int staff);
/// A signature as a voice of `staff` says it.
attributes as_said_in(attributes signature, int staff);

/// Takes the place of what was in force of the same kind and staff.
void say(signatures& in_force, const music_ptr& signature);
/// What was in force of the kind and staff of `signature`, or null.
music_ptr of_same_kind(const signatures& in_force, const music& signature);
/// For one staff: its own, else that of all staves. For all: that of all, then what single staves
/// have of their own.
signatures all_of_same_kind(const signatures& in_force, const music& signature);

/// A change on the way through a measure, and what held before that moment.
struct change_inside {
  music_ptr said;
  signatures before;
};
/// The changes as they are written, voice by voice, in whatever order they are met in time.
/// `in_force` holds at the beginning; it becomes what holds at the end.
std::vector<change_inside> changes_inside(const std::vector<music_ptr>& items,
                                          signatures& in_force);

/// Whether key, time or clef change behind the beginning of notes that stand in no measure.
bool changes_on_the_way(const std::vector<music_ptr>& items);

/// A measure without the signatures at its beginning, and what holds at its beginning and its end.
struct loose_measure {
  measure_music rest;
  signatures at_begin, at_end;
};
/// `measures` in the order they were written, all those of `whole` where that is known. Where
/// nothing is said of a key, time or clef that changes later, what the compiler takes is said: it
/// has to be given back to measures that come to stand behind the change.
std::vector<loose_measure> loosened(const std::vector<measure_music>& measures,
                                    const part_music* whole = nullptr);

/// The measures in the given order, with signatures where they are needed (key, time, clef, as
/// MusicXML has them), counted anew.
std::vector<music_ptr> put_in_order(std::vector<loose_measure> measures);

}  // namespace fermata
