#include "io/terminal/style.hpp"

namespace fermata::io {

namespace {

/// What is yellow on a dark screen.
bool light_screen = false;

}  // namespace

void use_light_screen(bool light) { light_screen = light; }

bool screen_is_light(const char* colorfgbg) {
  if (!colorfgbg) return false;
  std::string_view text{colorfgbg};
  auto ground = text.substr(text.find_last_of(';') + 1);
  return ground == "7" || ground == "15";
}

std::string_view sgr(style s) {
  if (light_screen) {
    if (s == style::badge) return "\x1b[1;35m";
    if (s == style::user || s == style::number || s == style::string) return "\x1b[34m";
    if (s == style::head) return "\x1b[1m";
  }
  switch (s) {
    case style::plain: return "";
    case style::prompt: return "\x1b[36m";
    case style::badge: return "\x1b[1;33m";
    case style::recording: return "\x1b[1;31m";
    case style::continuation:
    case style::hint:
    case style::system:
    case style::comment: return "\x1b[2m";
    case style::output_label: return "\x1b[36m";
    case style::error:
    case style::wrong: return "\x1b[31m";
    case style::ai: return "\x1b[32m";
    case style::user: return "\x1b[33m";
    case style::command: return "\x1b[35m";
    case style::head: return "\x1b[34m";
    case style::special: return "\x1b[1;34m";
    case style::keyword: return "\x1b[35m";
    case style::duration: return "\x1b[36m";
    case style::pitch: return "\x1b[32m";
    case style::number:
    case style::string: return "\x1b[33m";
    case style::bracket: return "\x1b[2m";
    case style::bracket_2: return "\x1b[2;36m";
    case style::bracket_3: return "\x1b[2;35m";
    case style::matching_bracket: return "\x1b[1;7m";
  }
  return "";
}

std::string painted(style s, std::string_view text, bool color) {
  auto on = sgr(s);
  if (!color || on.empty() || text.empty()) return std::string{text};
  std::string out{on};
  out += text;
  out += "\x1b[0m";
  return out;
}

}  // namespace fermata::io
