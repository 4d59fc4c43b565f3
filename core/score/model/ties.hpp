#pragma once

#include "core/score/model/score.hpp"

#include <compare>
#include <cstddef>
#include <optional>
#include <vector>

namespace fermata {

/// A note of a part, by index.
struct note_place {
  std::size_t measure = 0, item = 0, note = 0;
  auto operator<=>(const note_place&) const = default;
};

const note& note_at(const part& p, const note_place& at);

/// The note that the tie from `at` leads to: same sounding height, any voice, starting where `at`
/// ends (at the barline: in the next measure), with a tie end. Otherwise the next such note of the
/// voice in the measure, with no rest in between, as in broken chords that are held. Empty if `at`
/// starts no tie or the tie leads nowhere. Before the endings of a repeat it leads to the first of
/// them that starts with such a note.
std::optional<note_place> tied_to(const part& p, const note_place& at);

/// All notes that the tie from `at` leads to, the one of `tied_to` first: before the endings of a
/// repeat there may be one in each, since each of them follows in time.
std::vector<note_place> all_tied_to(const part& p, const note_place& at);

/// The note that the tie into `at` comes from. After a repeat's first ending the note before that
/// ending counts as well, since the second ending follows it in time.
std::optional<note_place> tied_from(const part& p, const note_place& at);

/// Whether an ending of a repeat starts with the measure.
bool starts_ending(const measure& m);

}  // namespace fermata
