#pragma once

#include "core/score/model/mark.hpp"

#include <string_view>

namespace fermata {

/// The meaning of a mark for a player, in a few words for help: "short and detached".
std::string_view meaning_of(mark_kind k);

/// The heading of an option of notes in help: "Articulations"; empty: none.
std::string_view note_option_group(std::string_view option);

}  // namespace fermata
