#pragma once

#include "core/score/model/score.hpp"

#include <string>

namespace fermata::app {

/// The score of a file in any format that can be read, or of standard input if it is "-". Prints
/// its warnings, or why it cannot be read; then it is null.
score_ptr score_of_file(const std::string& path);

}  // namespace fermata::app
