#include "io/terminal/listing_view.hpp"

#include "core/session/commands/command.hpp"
#include "io/json/listing_text.hpp"
#include "io/text/wrap.hpp"

#include <algorithm>

namespace fermata::io {

namespace {

/// The same command, as if it had printed this.
std::string view_with_output(const history_entry& command, std::string output,
                             const entry_look& look) {
  auto entry = command;
  std::get<command_entry>(entry.kind).output = std::move(output);
  return entry_view(entry, look);
}

/// A staff whose rows are broken is none any more: what has no room is cut off.
bool draws_a_staff(const history_entry& e) {
  auto command = std::get_if<command_entry>(&e.kind);
  auto spec = command && command->ok ? command_of(command->text) : nullptr;
  return spec && spec->name == "score" && command->text.find("--staff") != std::string::npos;
}

std::string cut_to(std::size_t columns, const std::string& text, bool unicode) {
  std::string lines;
  for (std::size_t at = 0; at <= text.size();) {
    auto end = std::min(text.find('\n', at), text.size());
    auto line = text.substr(at, end - at);
    constexpr std::string_view dots = "...";
    if (display_width(line) > columns && columns > dots.size()) {
      line = clipped(line, unicode ? columns - 1 : columns - dots.size());
      constexpr std::string_view ellipsis = "\u2026";
      if (!unicode && line.ends_with(ellipsis))
        line.replace(line.size() - ellipsis.size(), ellipsis.size(), dots);
    }
    lines += line;
    if (end < text.size()) lines += '\n';
    at = end + 1;
  }
  return lines;
}

}  // namespace

std::string listed_view(const history_entry& command, const entry_listing& l, std::size_t i,
                        entry_look look) {
  look.echo_input = false;
  auto text = listed_text(l, i);
  if (!l.as_json && !look.linear && look.columns > 0 && draws_a_staff(*l.at(i)))
    text = cut_to(look.columns, text, look.unicode);
  return view_with_output(command, std::move(text), look);
}

std::string listing_head(const history_entry& command, const entry_look& look) {
  return view_with_output(command, {}, look);
}

}  // namespace fermata::io
