#pragma once

#include "core/lang/value/music.hpp"
#include "core/result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The phrase literal, a line of music in a string:
///
///     c4:q d e:8 f | [g a b]:q <c4 e g>:h~ <c4 e g>:q r:q | 5
///
/// - A note is a letter with accidental, octave and `:duration`; octave and duration carry over to
///   the following notes of the phrase (c4 and a quarter at its start). `r` is a rest, `R` one that
///   fills its measure, `s` a gap.
/// - `<c4 e g>` is a chord. Inside it, a pitch without octave is the next one above the previous
///   pitch, so that `<bb2 d f>` is bb2 d3 f3 and `<eb2 eb>` an octave; one with an octave is that
///   pitch, even if it is lower (`<c4 g3>`). The first pitch and the notes after the chord have the
///   octave that carries over, which is that of the first pitch.
/// - After a note: `~` ties it to the next, `(` and `)` start and end a slur, `-.` staccato, `->`
///   accent, `--` tenuto, `-^` marcato, `-!` staccatissimo, `*4` repeats. `(` may also be before
///   its first note.
/// - `!mf` is a dynamic, `!cresc` `!dim` `!stop` a hairpin, `^Dm7` a chord symbol, `^"dolce"`
///   words; at a note they belong to it, on their own they belong to the next.
/// - `[g a b]:q` fits its contents into that duration, `{3:2 c d e}` is a tuplet as written.
/// - `|` checks that the bar is full, `| 5` also its number.
///
/// `origin` is the position of the text's first byte in the source, for spans. Errors give bar and
/// beat (counted from the start of the phrase, in quarter notes). With `key`, a letter without an
/// accidental is spelt as in the key. More than `most_items` notes and other items are an error,
/// errc::budget_exceeded.
[[nodiscard]] result<std::vector<music_ptr>> parse_phrase(std::string_view text,
                                                          std::size_t origin = 0,
                                                          const key_signature* key = nullptr,
                                                          std::size_t most_items = 10'000'000);

/// The phrase for exactly these items, if there is one.
std::optional<std::string> phrase_of(const std::vector<music_ptr>& items);

/// Whether an item is possible in a phrase at all; `phrase_of` decides in the end.
bool may_stand_in_phrase(const music& m);

}  // namespace fermata
