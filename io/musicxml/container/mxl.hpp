#pragma once

#include "core/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata::io::musicxml {

/// Whether the bytes are a zip archive, as .mxl files are.
bool is_zip(std::string_view bytes);

/// The score inside a compressed MusicXML file: the member that META-INF/container.xml names first.
/// An archive without a container is read when it has exactly one score in it. Never unpacks more
/// than `limit` bytes, whatever the archive says about itself. Fails with `invalid_xml`,
/// `invalid_musicxml` or `input_too_large`.
result<std::string> unpack_mxl(std::string_view bytes, std::size_t limit);

/// The opposite: `xml` as a compressed MusicXML file, with mimetype and container.
result<std::string> pack_mxl(std::string_view xml);

}  // namespace fermata::io::musicxml
