#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// A topic of `:help TOPIC` beyond single commands and forms: how they work together. Examples in
/// it are lines indented by two blanks; a test runs those of `code`.
struct help_topic {
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::string_view title;  ///< one line, for the list of topics
  std::string_view text;   ///< paragraphs
  std::string_view code;   ///< expressions for it, one per line; they run in an empty session
  std::string_view see;    ///< related topics, forms and commands
};

const std::vector<help_topic>& help_topics();
/// By name or alias; null when there is none.
const help_topic* find_help_topic(std::string_view name);

/// The topic as shown.
std::string to_text(const help_topic& t);

}  // namespace fermata
