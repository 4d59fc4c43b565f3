#include "core/lang/value/string_literal.hpp"

#include "core/line_ends.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>

namespace fermata {

namespace {

/// Four hexadecimal digits at `at`.
std::optional<std::uint32_t> hex4(std::string_view s, std::size_t at) {
  if (at + 4 > s.size()) return std::nullopt;
  std::uint32_t n = 0;
  auto [end, failed] = std::from_chars(s.data() + at, s.data() + at + 4, n, 16);
  if (failed != std::errc{} || end != s.data() + at + 4) return std::nullopt;
  return n;
}

/// Whether XML 1.0 (section 2.2) can hold the character, and so every file that a score goes to.
bool is_text(std::uint32_t code) {
  return code >= 0x20 ? code != 0xfffe && code != 0xffff
                      : code == '\t' || code == '\n' || code == '\r';
}

}  // namespace

std::string unescaped(std::string_view s, std::size_t offset, error& errors) {
  std::string out;
  out.reserve(s.size());
  auto bad = [&](std::size_t at, std::size_t n, std::string message,
                 std::string hint = "escapes are \\\" \\\\ \\n \\t \\r \\uXXXX") {
    if (errors.diagnostics.size() >= most_reading_errors) return;
    errors.diagnostics.push_back({errc::invalid_token, std::move(message),
                                  source_span{offset + at, offset + std::min(at + n, s.size())},
                                  std::move(hint)});
  };
  auto no_text = [&](std::size_t at, std::size_t n, std::uint32_t code) {
    char name[16];
    std::snprintf(name, sizeof name, "U+%04X", static_cast<unsigned>(code));
    bad(at, n, std::string{name} + " in a string: not allowed in score text", "delete it");
  };
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (auto n = line_end_length(s, i); n > 0) {
      out += '\n';
      i += n - 1;
      continue;
    }
    if (s[i] != '\\') {
      auto byte = static_cast<unsigned char>(s[i]);
      if (!is_text(byte)) no_text(i, 1, byte);
      if (byte == 0xef && (s.substr(i, 3) == "\xef\xbf\xbe" || s.substr(i, 3) == "\xef\xbf\xbf"))
        no_text(i, 3, s[i + 2] == '\xbe' ? 0xfffe : 0xffff);
      out += s[i];
      continue;
    }
    auto at = i++;
    switch (i < s.size() ? s[i] : '\0') {
      case '"':
      case '\\': out += s[i]; break;
      case 'n': out += '\n'; break;
      case 't': out += '\t'; break;
      case 'r': out += '\r'; break;
      case 'u': {
        auto code = hex4(s, i + 1);
        if (!code) {
          bad(at, 6, "\\u needs four hexadecimal digits");
          break;
        }
        i += 4;
        // Characters outside the basic plane come as two halves, as in JSON (RFC 8259, section 7).
        if (*code >= 0xd800 && *code <= 0xdbff && s.substr(i + 1).starts_with("\\u")) {
          if (auto low = hex4(s, i + 3); low && *low >= 0xdc00 && *low <= 0xdfff) {
            code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
            i += 6;
          }
        }
        if (*code >= 0xd800 && *code <= 0xdfff)
          bad(at, 6, "\\u is an unpaired surrogate");
        else if (!is_text(*code))
          no_text(at, 6, *code);
        else
          append_utf8(out, *code);
        break;
      }
      default: {
        // A character may have several bytes.
        auto end = at + 2;
        while (end < s.size() && is_utf8_continuation(s[end]))
          ++end;
        bad(at, end - at, "unknown escape in a string: " + std::string{s.substr(at, end - at)});
      }
    }
  }
  return out;
}

}  // namespace fermata
