#include "apps/fermata/prompt_assist.hpp"

#include <algorithm>

#include "core/lang/form_spec.hpp"
#include "core/lang/token.hpp"
#include "core/music/duration.hpp"
#include "core/music/pitch.hpp"
#include "core/session/classify.hpp"
#include "core/session/command.hpp"
#include "io/terminal/nesting.hpp"

namespace fermata::app {

namespace {

constexpr std::string_view word_ends = " \t\n()[]\"'`,;";

/// The head of the innermost list that the text ends in.
std::string_view innermost_head(std::string_view before) {
  auto open = io::nesting{before}.innermost();
  if (open == std::string::npos || before[open] != '(')
    return {};
  auto head = before.substr(open + 1);
  return head.substr(0, head.find_first_of(word_ends));
}

bool is_command(std::string_view text) {
  return !text.empty() && text.front() == ':' && text.find('\n') == text.npos;
}

/// Commands whose argument is a session.
bool takes_a_session(std::string_view command) {
  for (std::string_view name : {"session switch ", "session load ", "session delete ", "session "})
    if (command.substr(0, name.size()) == name && command.find(' ', name.size()) == command.npos)
      return name != "session ";
  return false;
}

void keep_what_fits(std::vector<std::string>& words, std::string_view typed) {
  std::erase_if(words, [&](auto& w) { return !std::string_view{w}.starts_with(typed); });
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

io::style style_of_word(std::string_view word, bool is_head) {
  if (word.front() == ':')
    return parse_note_value(word.substr(1)) ? io::style::duration : io::style::keyword;
  if (parse_pitch(word))
    return io::style::pitch;
  if (is_head && find_form(word))
    return io::style::head;
  auto digit = word.find_first_of("0123456789");
  if (digit != word.npos && digit <= (word.front() == '-' || word.front() == '+' ? 1U : 0U))
    return io::style::number;
  return io::style::name;
}

} // namespace

io::completions prompt_assist::complete(std::string_view text, std::size_t cursor) const {
  auto before = text.substr(0, cursor);
  io::completions found;
  auto last = before.find_last_of(word_ends);
  auto word_begin = last == before.npos ? 0 : last + 1;
  auto typed = before.substr(word_begin);
  if (is_command(before)) {
    auto command = before.substr(1);
    if (takes_a_session(command)) {
      found.begin = word_begin;
      found.words = sessions_;
      keep_what_fits(found.words, typed);
      return found;
    }
    found.words = complete_command(command);
    // Names of commands may have two words and stand for all that was typed, anything else stands for
    // the last word.
    bool whole = !found.words.empty() && std::string_view{found.words.front()}.starts_with(command);
    found.begin = whole ? 1 : word_begin;
    return found;
  }
  found.begin = word_begin;
  if (typed.starts_with(':')) {
    if (auto form = find_form(innermost_head(before)))
      for (auto& p : form->params)
        if (p.kind == param_kind::option || p.kind == param_kind::flag)
          found.words.push_back(':' + p.name);
    for (auto d : {":w", ":h", ":q", ":8", ":16", ":32", ":64", ":w.", ":h.", ":q.", ":8."})
      found.words.emplace_back(d);
  } else if (!typed.empty()) {
    for (auto& form : form_table())
      found.words.push_back(form.name);
    if (state_)
      for (auto& [name, bound] : state_->env->bindings)
        found.words.push_back(name);
  }
  keep_what_fits(found.words, typed);
  return found;
}

std::vector<io::styled_span> prompt_assist::highlight(std::string_view text,
                                                      std::size_t cursor) const {
  std::vector<io::styled_span> spans;
  auto kind = classify(text).kind;
  if (kind == input_kind::command || kind == input_kind::chat) {
    spans.push_back({0, text.size(), kind == input_kind::chat ? io::style::user : io::style::command});
    return spans;
  }
  io::nesting brackets{text};
  auto marked = std::string::npos;
  auto partner = std::string::npos;
  for (auto at : {cursor, cursor - 1}) // the bracket under the cursor, else the one just typed
    if (at < text.size() && (partner = brackets.partner(at)) != std::string::npos) {
      marked = at;
      break;
    }
  bool is_head = false;
  for (std::size_t at = 0; at < text.size();) {
    auto t = next_token(text, at);
    if (t.kind == token_kind::end)
      break;
    auto look = io::style::plain;
    switch (t.kind) {
      case token_kind::comment:
      case token_kind::block_comment:
      case token_kind::datum_comment: look = io::style::comment; break;
      case token_kind::open:
      case token_kind::close:
        look = at == marked || at == partner ? io::style::matching_bracket : io::style::bracket;
        break;
      case token_kind::string:
      case token_kind::phrase: look = io::style::string; break;
      case token_kind::word:
        look = style_of_word(text.substr(t.span.begin, t.span.end - t.span.begin), is_head);
        break;
      case token_kind::invalid: look = io::style::wrong; break;
      case token_kind::quote:
      case token_kind::space:
      case token_kind::newline:
      case token_kind::end: break;
    }
    is_head = t.kind == token_kind::open && text[at] == '(';
    if (look != io::style::plain)
      spans.push_back({t.span.begin, t.span.end, look});
    at = t.span.end;
  }
  return spans;
}

std::string prompt_assist::hint(std::string_view text, std::size_t cursor) const {
  auto before = text.substr(0, cursor);
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
  if (auto form = find_form(innermost_head(before)))
    return usage(*form) + "  " + form->doc;
  return {};
}

} // namespace fermata::app
