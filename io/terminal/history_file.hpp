#pragma once

#include "core/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// The inputs of earlier times, shared by every prompt that runs: a text file with one input a
/// line,
/// `\n` and `\\` standing for a newline and a backslash. Each input is appended in one write under
/// a lock, so that several processes never mix theirs; nothing is ever rewritten except when the
/// file is opened and has grown beyond twice what is kept.
class history_file {
public:
  static constexpr std::size_t kept = 10'000;  ///< inputs
  static constexpr std::size_t longest =
      std::size_t{64} * 1024;  ///< bytes; longer inputs are not kept

  explicit history_file(std::filesystem::path path) : path_(std::move(path)) {}

  /// The inputs that are there, oldest first, at most `kept`; makes the file (mode 0600) and its
  /// folder.
  result<std::vector<std::string>> open();

  /// Adds an input. Blank ones, and those longer than `longest`, are passed over. Blocks on the
  /// disk.
  result<bool> append(std::string_view input);

private:
  std::filesystem::path path_;
};

/// One line of the file and back.
std::string history_line(std::string_view input);
std::string from_history_line(std::string_view line);

}  // namespace fermata::io
