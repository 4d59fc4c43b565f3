#pragma once

#include "core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata::io::musicxml {

/// An XML document as UTF-8 without byte order mark. `text` points into the bytes given, or into
/// `converted` when they had to be converted.
struct utf8_document {
  std::string_view text;
  std::string converted;
  std::string warning;  ///< empty, or what was odd about the encoding
};

/// Reads byte order mark and XML declaration. UTF-8, UTF-16 (either order) and ISO-8859-1 are
/// converted, US-ASCII is UTF-8. Text that claims to be UTF-8 but is not is taken as ISO-8859-1
/// with a warning, since that is what such files nearly always are. Fails with `invalid_xml` for
/// other encodings and for UTF-16 that is broken.
result<utf8_document> as_utf8(std::string_view bytes);

}  // namespace fermata::io::musicxml
