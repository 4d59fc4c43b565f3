#pragma once

#include "io/musicxml/import.hpp"

#include <string_view>

namespace fermata::io::musicxml {

/// Reads the bytes of a MusicXML file, plain or compressed (.mxl, told by its first bytes, not by its
/// name), as `read_xml` does (import.hpp). Fails as that does, or with `input_too_large`.
result<import_result> read(std::string_view bytes, std::string_view name,
                           const read_limits& limits = {});

}  // namespace fermata::io::musicxml
