#pragma once

#include "io/formats/formats.hpp"

#include <string_view>

namespace fermata::app {

/// The bytes of a file as the text that places in it are counted in. Empty: it has no such lines to
/// show. What was packed (.mxl), or is written in other letters than UTF-8, was read as another
/// text; where in the document a fault is stands in the words then.
std::string_view source_lines(std::string_view bytes, const io::score_format& format);

}  // namespace fermata::app
