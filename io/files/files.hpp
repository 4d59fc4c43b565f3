#pragma once

#include "core/result.hpp"

#include <string>
#include <string_view>

namespace fermata::io {

/// The bytes of a file, or of standard input for "-". Errors: errc::unreadable_file with the
/// system's reason.
[[nodiscard]] result<std::string> read_file(const std::string& path);

/// Replaces a file in one step: a temporary file beside it, fsync, rename; what was there stays
/// whole when anything fails. "-" writes to standard output. Errors: errc::unwritable_file.
[[nodiscard]] result<void> write_file(const std::string& path, std::string_view bytes);

}  // namespace fermata::io
