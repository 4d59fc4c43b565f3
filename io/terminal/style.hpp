#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fermata::io {

/// What a piece of text on the screen is. The colours of each are in one table; they are the
/// sixteen that the user's own theme defines, so that they can be read on light and dark grounds.
enum class style : std::uint8_t {
  plain,
  // of the prompt
  prompt,
  badge,
  recording,
  continuation,
  hint,
  // of what is shown
  output_label,
  error,
  ai,
  user,
  system,
  command,
  // of code
  head,
  special,
  keyword,
  duration,
  pitch,
  number,
  string,
  comment,
  bracket,
  bracket_2,
  bracket_3,
  matching_bracket,
  wrong,
};

/// The escape sequence that switches a style on; empty for plain.
std::string_view sgr(style s);

/// Says whether the screen is light: yellow is then replaced by what can be read there. Dark until
/// said. For the thread that owns the terminal.
void use_light_screen(bool light);

/// What the terminal says of its own ground in `COLORFGBG` ("15;0": the second number 7 or 15 is
/// light); dark when it says nothing.
bool screen_is_light(const char* colorfgbg);

/// The text between switching the style on and off; as it is without colours. `text` may have
/// several lines.
std::string painted(style s, std::string_view text, bool color);

}  // namespace fermata::io
