#include "io/text/safe_text.hpp"

#include "core/invisible_characters.hpp"
#include "core/utf8.hpp"
#include "io/text/code_point.hpp"

#include <fmt/format.h>

namespace fermata::io {

namespace {

constexpr char32_t escape = 0x1B;

/// The code point, with the two-byte spelling of a C1 control (ESC [) taken as the control
/// (U+009B).
code_point control_at(std::string_view text, std::size_t at) {
  auto c = code_point_at(text, at);
  if (c.value == escape && at + 1 < text.size()) {
    auto next = static_cast<unsigned char>(text[at + 1]);
    if (next >= 0x40 && next <= 0x5F) return {next + 0x40U, 2, true};
  }
  return c;
}

bool opens_a_string(char32_t c) {
  return c == 0x90 || c == 0x98 || c == 0x9D || c == 0x9E || c == 0x9F;  // DCS SOS OSC PM APC
}

/// Past the end of the control string whose body starts at `at`; `at` itself when it has none.
std::size_t after_string(std::string_view text, std::size_t at) {
  for (auto i = at; i < text.size();) {
    auto c = control_at(text, i);
    if (c.valid && (c.value == 0x07 || c.value == 0x9C))  // BEL, ST
      return i + c.bytes;
    i += c.bytes;
  }
  return at;
}

/// Past a control sequence whose parameters start at `at`.
std::size_t after_sequence(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] >= 0x20 && text[at] <= 0x3F)
    ++at;
  return at < text.size() && text[at] >= 0x40 && text[at] <= 0x7E ? at + 1 : at;
}

/// Past an escape with intermediate bytes, such as ESC ( B; `at` is after ESC.
std::size_t after_escape(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] >= 0x20 && text[at] <= 0x2F)
    ++at;
  return at < text.size() && text[at] >= 0x30 && text[at] <= 0x7E ? at + 1 : at;
}

bool turns_direction(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string safe_text(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    auto c = control_at(text, i);
    auto next = i + c.bytes;
    if (!c.valid)
      safe += "\uFFFD";
    else if (c.value == 0x9B)
      next = after_sequence(text, next);
    else if (opens_a_string(c.value))
      next = after_string(text, next);
    else if (c.value == escape)
      next = after_escape(text, next);
    else if (c.value == '\n' || c.value == '\t')
      safe += static_cast<char>(c.value);
    else if (is_invisible(c.value) && !turns_direction(c.value) && !shapes_its_neighbours(c.value))
      safe += fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(c.value));
    else if (c.value >= 0x20 && !(c.value >= 0x7F && c.value <= 0x9F) && !turns_direction(c.value))
      safe.append(text.substr(i, c.bytes));
    i = next;
  }
  return safe;
}

bool shows_nothing(std::string_view text) {
  std::string visible;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = code_point_at(text, i);
    if (!c.valid || !is_invisible(c.value)) visible += text.substr(i, c.bytes);
    i += c.bytes;
  }
  auto is_blank = [](char32_t c) {
    return c <= 0x20 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F ||
           c == 0x205F || c == 0x3000;
  };
  const auto safe = safe_text(visible);
  for (std::size_t i = 0; i < safe.size();) {
    const auto c = code_point_at(safe, i);
    if (!is_blank(c.value) && cells(c.value) > 0) return false;
    i += c.bytes;
  }
  return true;
}

}  // namespace fermata::io
