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

entered_line command_entered(const command_request& what) {
  entered_line line;
  line.command = command_line_of(what);
  line.text = ':' + line.command->text;
  line.input = {input_kind::command, line.command->text};
  return line;
}

std::size_t text_bytes(const turn_request& r) {
  if (auto line = std::get_if<line_request>(&r)) return line->line.text.size();
  if (auto client = std::get_if<client_request>(&r)) return client->text.size();
  return std::get<note_request>(r).text.size();
}

}  // namespace fermata
