#include "core/session/commands/command_request.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace fermata {

namespace {

/// Whether the text is one argument as it stands, and neither an option nor an expression.
bool needs_no_quotes(const std::string& text) {
  auto is_plain = [](unsigned char c) {
    return std::isalnum(c) || c > 0x7F || c == '-' || c == '.' || c == '%';
  };
  return !text.empty() && !text.starts_with('-') && std::all_of(text.begin(), text.end(), is_plain);
}

std::string as_argument(const std::string& text) {
  if (needs_no_quotes(text)) return text;
  std::string quoted = "\"";
  for (auto c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

/// The arguments as they stand after the name.
std::string rest_of(const command_request& r, const command_spec& spec) {
  if (!r.expression.empty()) return r.expression;
  auto is_free_text = spec.most_arguments < 0 && spec.options.empty();
  std::string rest;
  for (auto& a : r.arguments) {
    if (!rest.empty()) rest += ' ';
    rest += is_free_text ? a : as_argument(a);
  }
  return rest;
}

}  // namespace

command_line command_line_of(const command_request& r) {
  parsed_command parsed;
  parsed.spec = find_command(r.name);
  parsed.rest = rest_of(r, *parsed.spec);
  parsed.args = r.expression.empty() ? r.arguments : std::vector{r.expression};
  for (auto& [name, value] : r.options) {
    if (!parsed.rest.empty()) parsed.rest += ' ';
    parsed.rest += "--" + name;
    if (!value.empty()) parsed.rest += ' ' + as_argument(value);
    parsed.options[name].push_back(value);
  }
  auto text = r.name;
  if (!parsed.rest.empty()) text += ' ' + parsed.rest;
  parsed.text = ':' + text;
  return {std::move(text), std::move(parsed)};
}

}  // namespace fermata
