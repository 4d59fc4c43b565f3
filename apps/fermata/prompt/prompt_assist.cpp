#include "apps/fermata/prompt/prompt_assist.hpp"

#include "apps/fermata/prompt/command_completion.hpp"
#include "core/lang/reference/complete.hpp"
#include "core/lang/reference/highlight.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/session/commands/classify.hpp"
#include "core/session/commands/command.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

namespace fermata::app {

namespace {

/// Where the colon of a command stands, which may have blanks before it; nothing: it is none.
std::optional<std::size_t> command_begin(std::string_view text) {
  auto begin = find_no_blank(text);
  if (begin == text.npos || text[begin] != ':' || text.find('\n', begin) != text.npos)
    return std::nullopt;
  return begin;
}

/// The path at the end of the text, when that is inside a string that looks like one.
std::optional<std::string_view> path_in_string(std::string_view before) {
  for (std::size_t at = 0; at < before.size();) {
    auto t = next_token(before, at);
    if (t.kind == token_kind::string && !t.closed) {
      auto inside = before.substr(t.span.begin + 1);
      for (std::string_view begin : {"/", "./", "../", "~/"})
        if (inside.starts_with(begin)) return inside;
      return std::nullopt;
    }
    if (t.span.end <= at) return std::nullopt;
    at = t.span.end;
  }
  return std::nullopt;
}

/// Rainbow brackets: neighbours in depth differ.
io::style bracket_style(std::size_t depth) {
  constexpr io::style by_depth[] = {io::style::bracket, io::style::bracket_2, io::style::bracket_3};
  return by_depth[depth % std::size(by_depth)];
}

io::style style_of(const text_piece& piece, bool rainbow) {
  switch (piece.kind) {
    case text_class::delimiter:
      return piece.matched ? bracket_style(rainbow ? piece.depth : 0) : io::style::plain;
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
  if (auto begin = command_begin(before)) {
    found = complete_command_line(before.substr(*begin), {state_.get(), sessions_, home_});
    found.begin += *begin;
    return found;
  }
  if (auto what = before.find_first_not_of(" \t?"); before.find('?') < what) {
    // `?note` is `:help note`.
    constexpr std::string_view help = ":help ";
    what = std::min(what, before.size());
    found = complete_command_line(std::string{help} + std::string{before.substr(what)},
                                  {state_.get(), sessions_, home_});
    found.begin += what - help.size();
    return found;
  }
  found.begin = cursor;
  if (classify(before).kind == input_kind::chat) return found;  // the user's own words
  if (auto path = path_in_string(before)) {
    found = {cursor - path->size(), matching_files(*path)};
    // Behind a folder the path goes on, behind a file the string ends.
    found.after = found.words.size() == 1 && found.words.front().ends_with('/') ? "" : "\"";
    return found;
  }
  auto end = std::chrono::steady_clock::now() + completion_time;
  auto all = fermata::complete(text, cursor, state_ ? state_->env.get() : nullptr,
                               [end] { return std::chrono::steady_clock::now() > end; });
  found.begin = all.word.begin;
  for (auto& candidate : all.candidates)
    found.words.push_back(std::move(candidate.text));
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
    auto look = style_of(piece, rainbow_);
    if (std::find(marked.begin(), marked.end(), piece.span) != marked.end())
      look = io::style::matching_bracket;
    if (look != io::style::plain) spans.push_back({piece.span.begin, piece.span.end, look});
  }
  return spans;
}

std::string prompt_assist::hint(std::string_view text, std::size_t cursor) const {
  if (auto begin = command_begin(text)) {
    auto name = text.substr(*begin + 1);
    while (!name.empty()) {
      if (auto command = find_command(name))
        return usage(*command) + "  " + std::string{command->help};
      auto blank = name.find_last_of(' ');
      name = blank == name.npos ? std::string_view{} : name.substr(0, blank);
    }
    return {};
  }
  // Only the form is asked for, not the words that fit.
  auto place =
      fermata::complete(text, cursor, state_ ? state_->env.get() : nullptr, [] { return true; });
  return place.usage.empty() ? std::string{} : place.usage + "  " + place.doc;
}

}  // namespace fermata::app
