#pragma once

#include "core/lang/notation/to_form.hpp"
#include "core/lang/value/music.hpp"
#include "core/score/model/score.hpp"

#include <string>
#include <string_view>

namespace fermata {

/// The way back: score material as music values, music values as forms, forms as text. Whatever a
/// score was imported from, evaluating its text gives the same score again.

/// Canonical text of a score: one measure or voice on a line, where it fits.
std::string print_score(const score& s, print_style style = print_style::explicit_forms);

/// The music that compiles to this score, part or measure.
music_ptr to_music(const score& s);
/// `id_is_implied`: the part would get its id by its place.
music_ptr to_music(const part& p, bool id_is_implied);
/// `time`: in force before the measure. `number_is_implied`: counting gives it its number.
music_ptr to_music(const measure& m, const time_signature& time, bool number_is_implied);

/// The same with just the numbers that its hairpins have (core/score/repair/hairpin_numbers.hpp).
music_ptr to_music_as_numbered(const measure& m, const time_signature& time,
                               bool number_is_implied);

}  // namespace fermata
