#pragma once

#include "core/score/model/mark.hpp"

#include <string_view>

namespace fermata {

/// What a mark says to a player, in a few words for help: "short and detached".
std::string_view meaning_of(mark_kind k);

/// The heading under which help lists an option of notes: "Articulations"; empty: none.
std::string_view note_option_group(std::string_view option);

}  // namespace fermata
