#pragma once

#include "core/score/model/score.hpp"
#include "io/formats/formats.hpp"

#include <optional>
#include <string>

namespace fermata::app {

/// The bytes of a score file and what they are read as.
struct score_file {
  std::string bytes;
  const io::score_format* format;
};

/// A file of any format that can be read, or standard input if it is "-". Prints why it cannot be
/// read; then it is empty.
std::optional<score_file> file_to_read(const std::string& path);
/// Its score. Prints its warnings, or what is wrong with it; then it is null.
score_ptr score_in(const score_file& file, const std::string& path);

}  // namespace fermata::app
