#include "core/utf8.hpp"

#include <cstdint>

namespace fermata {

code_point code_point_at(std::string_view text, std::size_t offset) {
  auto byte = [&](std::size_t i) -> std::uint32_t {
    return offset + i < text.size() ? static_cast<unsigned char>(text[offset + i]) : 0U;
  };
  auto continues = [&](std::size_t i) { return is_utf8_continuation(static_cast<char>(byte(i))); };
  const auto first = byte(0);
  const code_point invalid{first, 1, false};
  if (first < 0x80) return {first, 1, true};
  if (first >= 0xC2 && first <= 0xDF)
    return continues(1) ? code_point{(first & 0x1FU) << 6 | (byte(1) & 0x3FU), 2, true} : invalid;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(1) || !continues(2)) return invalid;
    auto c = (first & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
    return c < 0x800 || (c >= 0xD800 && c <= 0xDFFF) ? invalid : code_point{c, 3, true};
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return invalid;
    auto c = (first & 0x07U) << 18 | (byte(1) & 0x3FU) << 12 | (byte(2) & 0x3FU) << 6 |
             (byte(3) & 0x3FU);
    return c < 0x10000 || c > 0x10FFFF ? invalid : code_point{c, 4, true};
  }
  return invalid;
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    // Nearly all text is ASCII.
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    auto c = code_point_at(text, at);
    if (!c.valid) return at;
    at += c.bytes;
  }
  return std::string_view::npos;
}

std::string as_valid_utf8(std::string_view text) {
  std::string valid;
  for (auto bad = find_invalid_utf8(text); bad != text.npos; bad = find_invalid_utf8(text)) {
    valid += text.substr(0, bad);
    valid += "\ufffd";
    text.remove_prefix(bad + 1);
  }
  return valid += text;
}

void append_utf8(std::string& out, char32_t c) {
  auto put = [&out](char32_t b) { out += static_cast<char>(static_cast<unsigned char>(b)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

}  // namespace fermata
