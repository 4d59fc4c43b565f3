#pragma once

#include "io/protocol/schema.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fermata::io::mcp {

/// A ready-made question for work on music theory. Arguments are texts.
struct prompt {
  std::string_view name;
  std::string_view title;
  std::string_view doc;
  protocol::fields arguments;
  /// The message to the model.
  std::string (*text)(const protocol::arguments&);
};

std::span<const prompt> prompts();
const prompt* find_prompt(std::string_view name);

/// The value of `prompts` as JSON text.
const std::string& prompt_list();

}  // namespace fermata::io::mcp
