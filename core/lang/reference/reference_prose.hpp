#pragma once

#include <string_view>

namespace fermata {

/// The prose of the reference page: how text is read and evaluated.
extern const std::string_view reference_prose;

}  // namespace fermata
