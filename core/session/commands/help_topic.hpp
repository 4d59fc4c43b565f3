#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// What `:help TOPIC` tells beyond single commands and forms: how things hang together. Examples in
/// it are lines that begin with two blanks; a test types those of `code`.
struct help_topic {
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::string_view title;  ///< one line, for the list of topics
  std::string_view text;   ///< paragraphs
  std::string_view code;   ///< expressions, one a line, that show it; they run in an empty session
  std::string_view see;    ///< what to look at next: topics, forms, commands
};

const std::vector<help_topic>& help_topics();
/// By name or alias; null when there is none.
const help_topic* find_help_topic(std::string_view name);

/// As it is shown.
std::string to_text(const help_topic& t);

}  // namespace fermata
