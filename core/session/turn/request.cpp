#include "core/session/turn/request.hpp"

#include <utility>

namespace fermata {

entered_line read_line(std::string typed) {
  entered_line line;
  if (auto bad = find_undecodable(typed)) {
    line.text = std::move(bad->text);
    line.undecodable = std::move(bad->why);
  } else {
    line.text = std::move(typed);
  }
  line.input = classify(line.text);
  if (line.input.kind == input_kind::command) line.command = read_command(line.input.text);
  return line;
}

entered_line command_entered(std::string_view name, std::string argument) {
  entered_line line;
  auto text = std::string{name} + (argument.empty() ? "" : ' ' + argument);
  parsed_command parsed;
  parsed.spec = find_command(name);
  parsed.text = ':' + text;
  parsed.rest = argument;
  if (!argument.empty()) parsed.args.push_back(std::move(argument));
  line.text = parsed.text;
  line.input = {input_kind::command, text};
  line.command = command_line{std::move(text), std::move(parsed)};
  return line;
}

std::size_t text_bytes(const turn_request& r) {
  if (auto line = std::get_if<line_request>(&r)) return line->line.text.size();
  if (auto client = std::get_if<client_request>(&r)) return client->text.size();
  return std::get<note_request>(r).text.size();
}

}  // namespace fermata
