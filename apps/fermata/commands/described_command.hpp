#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace fermata::app {

/// The command line as data, for what is made from it: completion scripts and the manual page.

/// An option, or an argument by place, which has no names.
struct described_option {
  std::vector<std::string> names;  ///< "-o" "--output"
  std::string value;               ///< "FILE", "text|json"; empty: a flag
  std::string help;
  bool required = false;
};

struct described_command {
  std::string name;  ///< "fermata session export"
  std::string help;
  std::vector<described_option> options, arguments;
  std::vector<described_command> commands;
};

described_command described(const CLI::App& app);

/// The last word of its name: "export".
std::string_view last_word(const described_command& c);

/// The words that a value may be, where they are known before the program runs: choices
/// ("text|json"), FORMAT, TOPIC, SETTING. None for FILE, SESSION and free text.
std::vector<std::string> words_for_value(std::string_view value);

}  // namespace fermata::app
