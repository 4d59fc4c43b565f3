#include "apps/fermata/prompt_assist.hpp"

#include "core/lang/complete.hpp"
#include "core/lang/highlight.hpp"
#include "core/session/classify.hpp"
#include "core/session/command.hpp"

#include <algorithm>

namespace fermata::app {

namespace {

bool is_command(std::string_view text) {
  return !text.empty() && text.front() == ':' && text.find('\n') == text.npos;
}

/// Commands whose argument is a session.
bool takes_a_session(std::string_view command) {
  for (std::string_view name : {"session switch ", "session load ", "session delete "})
    if (command.starts_with(name) && command.find(' ', name.size()) == command.npos) return true;
  return false;
}

/// Rainbow brackets: neighbours in depth differ.
io::style bracket_style(std::size_t depth) {
  constexpr io::style by_depth[] = {io::style::bracket, io::style::bracket_2, io::style::bracket_3};
  return by_depth[depth % std::size(by_depth)];
}

io::style style_of(const text_piece& piece) {
  switch (piece.kind) {
    case text_class::delimiter:
      return piece.matched ? bracket_style(piece.depth) : io::style::plain;
    case text_class::keyword: return io::style::keyword;
    case text_class::duration: return io::style::duration;
    case text_class::pitch: return io::style::pitch;
    case text_class::number: return io::style::number;
    case text_class::string: return io::style::string;
    case text_class::comment: return io::style::comment;
    case text_class::history: return io::style::prompt;
    case text_class::special: return io::style::special;
    case text_class::form: return io::style::head;
    case text_class::name: return io::style::plain;
    case text_class::unknown:
    case text_class::invalid: return io::style::wrong;
  }
  return io::style::plain;
}

/// The bracket under the cursor, else the one just before it, and its partner.
std::vector<source_span> brackets_at(std::string_view text, std::size_t cursor) {
  for (auto at : {cursor, cursor - 1})
    if (at < text.size() && std::string_view{"()[]"}.find(text[at]) != std::string_view::npos)
      if (auto both = matching_delimiters(text, at); !both.empty()) {
        both.push_back({at, at + 1});
        return both;
      }
  return {};
}

}  // namespace

io::completions prompt_assist::complete(std::string_view text, std::size_t cursor) const {
  auto before = text.substr(0, cursor);
  io::completions found;
  if (!is_command(before)) {
    auto all = fermata::complete(text, cursor, state_ ? state_->env.get() : nullptr);
    found.begin = all.word.begin;
    for (auto& candidate : all.candidates)
      found.words.push_back(std::move(candidate.text));
    return found;
  }
  auto command = before.substr(1);
  auto word_begin = before.find_last_of(' ') == before.npos ? 1 : before.find_last_of(' ') + 1;
  if (takes_a_session(command)) {
    found.begin = word_begin;
    for (auto& slug : sessions_)
      if (std::string_view{slug}.starts_with(before.substr(word_begin)))
        found.words.push_back(slug);
    return found;
  }
  found.words = complete_command(command);
  // A command may be the first word of others: `:session` and `:session list`.
  for (auto& row : command_table())
    if (row.name.size() > command.size() && row.name.starts_with(command))
      found.words.emplace_back(row.name);
  std::sort(found.words.begin(), found.words.end());
  found.words.erase(std::unique(found.words.begin(), found.words.end()), found.words.end());
  // An abbreviation need not be completed where the name itself fits.
  std::erase_if(found.words, [&](auto& w) {
    auto row = find_command(w);
    return row && row->name != w &&
           std::find(found.words.begin(), found.words.end(), row->name) != found.words.end();
  });
  // Names of commands may have two words and stand for all that was typed, anything else stands for
  // the last word.
  bool whole = !found.words.empty() &&
               std::all_of(found.words.begin(), found.words.end(),
                           [&](auto& w) { return std::string_view{w}.starts_with(command); });
  found.begin = whole ? 1 : word_begin;
  return found;
}

std::vector<io::styled_span> prompt_assist::highlight(std::string_view text,
                                                      std::size_t cursor) const {
  auto kind = classify(text).kind;
  if (kind == input_kind::command) return {{0, text.size(), io::style::command}};
  if (kind == input_kind::chat) return {{0, text.size(), io::style::user}};
  auto marked = brackets_at(text, cursor);
  std::vector<io::styled_span> spans;
  for (auto& piece : fermata::highlight(text, state_ ? state_->env.get() : nullptr, cursor)) {
    auto look = style_of(piece);
    if (std::find(marked.begin(), marked.end(), piece.span) != marked.end())
      look = io::style::matching_bracket;
    if (look != io::style::plain) spans.push_back({piece.span.begin, piece.span.end, look});
  }
  return spans;
}

std::string prompt_assist::hint(std::string_view text, std::size_t cursor) const {
  if (is_command(text)) {
    auto name = text.substr(1);
    while (!name.empty()) {
      if (auto command = find_command(name))
        return usage(*command) + "  " + std::string{command->help};
      auto blank = name.find_last_of(' ');
      name = blank == name.npos ? std::string_view{} : name.substr(0, blank);
    }
    return {};
  }
  auto place = fermata::complete(text, cursor, state_ ? state_->env.get() : nullptr);
  return place.usage.empty() ? std::string{} : place.usage + "  " + place.doc;
}

}  // namespace fermata::app
