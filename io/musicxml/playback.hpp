#pragma once

#include "io/musicxml/export_context.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata::io::musicxml::detail {

/// What a direction means to a player, read from what it shows: tempo of a metronome mark, segno
/// and coda signs, "Fine", "D.C.", "D.S.", "To Coda". Attributes of <sound> in schema spelling;
/// empty when it means nothing.
std::vector<std::pair<std::string_view, std::string>> playback_of(const direction& d);

/// Writes <sound> with what `playback_of` finds, if anything.
void write_completed_sound(export_context& c, const direction& d);

}  // namespace fermata::io::musicxml::detail
