#pragma once

#include <string>
#include <string_view>

namespace fermata::io {

/// The text of a JSON object that has members, with one more at its end: `"crc"`, the CRC-32 of all
/// that stands before it, in eight hexadecimal digits. So a byte that flipped on the disk does not
/// become another note.
std::string with_checksum(std::string object);

/// False only for an object that says another sum than it has. What was written by older versions
/// or by hand says none.
bool checksum_is_right(std::string_view object);

}  // namespace fermata::io
