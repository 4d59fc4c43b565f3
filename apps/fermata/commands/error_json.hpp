#pragma once

#include "core/error.hpp"

#include <boost/json.hpp>

#include <string_view>
#include <vector>

namespace fermata::app {

/// Errors or warnings for programs: code, message, hint, and the place in `text` (line and column
/// from 1, byte offsets from 0). An empty text: no places.
boost::json::array to_json(const std::vector<diagnostic>& all, std::string_view text);

}  // namespace fermata::app
