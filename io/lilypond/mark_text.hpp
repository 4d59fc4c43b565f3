#pragma once

#include "core/score/model/mark.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fermata::io::lilypond {

/// The post-event for a mark, with its placement: "-\staccato", "^\fermata", "-3". Nothing for
/// marks that LilyPond does not know; tremolos and arpeggios are written by the note itself.
std::optional<std::string> mark_text(const mark& m);

/// The glyph of a fermata of this shape, for places where no note carries it.
std::optional<std::string> fermata_glyph(std::string_view shape, bool inverted);

/// "^", "_" or "-" by the placement attribute.
std::string placement(const preserved& extra);

/// "\f", or a dynamic made of its letters.
std::string dynamic_text(const std::string& name);

}  // namespace fermata::io::lilypond
