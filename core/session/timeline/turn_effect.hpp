#pragma once

#include <cstdint>
#include <string>

namespace fermata {

/// An action for the front end after a command, besides printing its output.
struct turn_effect {
  enum class kind_t : std::uint8_t {
    none,
    quit,
    switch_session,  ///< `argument`: the slug
    clear_screen,
    edit,      ///< `argument`: text to open in the user's editor, then to insert into the line
    insert,    ///< `argument`: the text to insert into the input line
    tutorial,  ///< `argument`: a step, "skip", "off", or empty: continue
    step,      ///< begins step entry
    tap,       ///< begins tapping a tempo
  } kind = kind_t::none;
  std::string argument;
  bool operator==(const turn_effect&) const = default;
};

}  // namespace fermata
