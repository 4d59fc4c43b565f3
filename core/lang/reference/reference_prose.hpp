#pragma once

#include <string_view>

namespace fermata {

/// The part of the reference page that no table can say: how text is read and evaluated.
extern const std::string_view reference_prose;

}  // namespace fermata
