#pragma once

#include "core/score/model/score.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace fermata::io::lilypond {

/// Measure, item and note.
using note_place = std::tuple<std::size_t, std::size_t, std::size_t>;

/// The notes of a part with an accidental that repeats what the measure or the key says already:
/// LilyPond draws those only when it is told to.
std::set<note_place> repeated_accidentals(const part& p);

/// Whether MusicXML's accidental `value` is the usual sign for an alteration, the one that LilyPond
/// draws.
bool is_usual_accidental(std::string_view value, int cents);

}  // namespace fermata::io::lilypond
