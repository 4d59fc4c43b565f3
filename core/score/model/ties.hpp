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

/// The note that the tie from `at` leads to: same sounding height, any voice, beginning where `at`
/// ends (at the barline: in the next measure), with an end of a tie. Else the next such note of the
/// voice in the measure, when nothing rests between them: broken chords are collected that way.
/// Nothing when `at` starts no tie or the tie leads nowhere. Before the endings of a repeat it
/// leads to the first of them that has such a note at its beginning.
std::optional<note_place> tied_to(const part& p, const note_place& at);

/// All notes that the tie from `at` leads to, the one of `tied_to` first: before the endings of a
/// repeat there may be one in each, as each follows in time.
std::vector<note_place> all_tied_to(const part& p, const note_place& at);

/// The note that the tie into `at` comes from. Behind a repeat's first ending the note before that
/// ending counts too, as the second ending follows it in time.
std::optional<note_place> tied_from(const part& p, const note_place& at);

/// An ending of a repeat begins with the measure.
bool starts_ending(const measure& m);

}  // namespace fermata
