#pragma once

#include "core/lang/syntax/token.hpp"
#include "core/utf8.hpp"
#include "io/store/file.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace fermata::io {

/// Files that are read back as JSON or as Fermata text. Their texts must be UTF-8; if one is not,
/// nothing is written, since a file that cannot be read again is worse.

/// Errors: `invalid_utf8`.
inline result<void> check_text(std::string_view text, const std::filesystem::path& path) {
  auto bad = find_invalid_utf8(text);
  if (bad == text.npos) return {};
  return fail(
      {errc::invalid_utf8,
       path.filename().string() + " was not written: invalid UTF-8 at byte " + std::to_string(bad),
       std::nullopt, "Remove the characters that are not UTF-8."});
}

/// `replace_file` with a text that passes `check_text`.
inline result<void> replace_text(const std::filesystem::path& path, std::string_view text) {
  if (auto done = check_text(text, path); !done) return done;
  return replace_file(path, text);
}

}  // namespace fermata::io
