#pragma once

#include "core/lang/notation/to_form.hpp"
#include "core/lang/value/music.hpp"
#include "core/score/model/score.hpp"

#include <string>
#include <string_view>

namespace fermata {

/// The inverse of compiling: score content as music values, music values as forms, forms as text.
/// The text of a score evaluates to the same score, whatever it was imported from.

/// Canonical text of a score, with one measure or voice per line where it fits.
std::string print_score(const score& s, print_style style = print_style::explicit_forms);

/// The music that compiles to this score, part or measure.
music_ptr to_music(const score& s);
/// `id_is_implied`: the part would get this id by its position.
music_ptr to_music(const part& p, bool id_is_implied);
/// `time`: in effect before the measure. `number_is_implied`: counting gives this number.
music_ptr to_music(const measure& m, const time_signature& time, bool number_is_implied);

/// The same with the actual numbers of its hairpins (core/score/repair/hairpin_numbers.hpp).
music_ptr to_music_as_numbered(const measure& m, const time_signature& time,
                               bool number_is_implied);

}  // namespace fermata
