#pragma once

#include "core/lang/syntax/reader.hpp"
#include "core/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata::io {

/// The bytes of a file, or of standard input for "-". Errors: errc::unreadable_file with the
/// system's reason; errc::input_too_large as soon as there are more than `limit`, so that what has
/// no end is no trouble.
[[nodiscard]] result<std::string> read_file(const std::string& path,
                                            std::size_t limit = reader_limits{}.bytes);
/// The error for a text longer than the limit.
[[nodiscard]] error too_large(const std::string& what, std::size_t limit);
/// The error for unreadable standard input; the reason is in `errno`.
[[nodiscard]] error unreadable_input();

/// Replaces a file in one step: a temporary file beside it, fsync, rename; what was there stays
/// whole when anything fails. A symbolic link stays: the file that it leads to is replaced, or
/// made.
/// "-" writes to standard output. Errors: errc::unwritable_file.
[[nodiscard]] result<void> write_file(const std::string& path, std::string_view bytes);

}  // namespace fermata::io
