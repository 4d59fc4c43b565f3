#pragma once

#include <cstdint>
#include <string>

namespace fermata {

/// What a front-end has to do after a command, beyond printing what it said.
struct turn_effect {
  enum class kind_t : std::uint8_t {
    none,
    quit,
    switch_session,  ///< `argument`: the slug
    clear_screen,
    edit,      ///< `argument`: the text to open in the user's editor, then to put into the line
    insert,    ///< `argument`: the text to put into the line
    tutorial,  ///< `argument`: a step, "skip", "off", or empty: go on
  } kind = kind_t::none;
  std::string argument;
  bool operator==(const turn_effect&) const = default;
};

}  // namespace fermata
