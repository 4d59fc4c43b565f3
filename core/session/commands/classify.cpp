#include "core/session/commands/classify.hpp"

#include "core/lang/syntax/token.hpp"
#include "core/lang/value/string_literal.hpp"
#include "core/line_ends.hpp"
#include "core/session/commands/suppressed_output.hpp"
#include "core/shortened.hpp"
#include "core/utf8.hpp"

#include <algorithm>

namespace fermata {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool looks_like_a_command(std::string_view after_colon) {
  auto word = after_colon.substr(0, find_blank(after_colon));
  // `:undo;` only prints nothing.
  while (word.size() > 1 && word.ends_with(';'))
    word.remove_suffix(1);
  // A colon alone, `: help`, `::`, `:!ls`: what was meant is a command, which says what is wrong.
  if (word.empty() || (static_cast<unsigned char>(word.front()) < 0x80 &&
                       !is_letter(word.front()) && !is_digit(word.front())))
    return true;
  if (!is_letter(word.front())) return false;
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

/// `note?`: a name alone with a question mark behind it. Of `even?` help tells as well.
bool asks_for_help(std::string_view text) {
  if (text.size() < 2 || text.back() != '?') return false;
  auto is_part_of_name = [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '>' || c == '+' || c == '*' ||
           c == '?' || c == '!' || c == '=' || c == '<' || c == '/' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  return std::all_of(text.begin(), text.end(), is_part_of_name);
}

diagnostic fault_of(input_kind kind, std::string_view line, std::size_t begin) {
  source_span all{begin, begin + line.size()};
  if (kind == input_kind::chat)
    return {errc::misplaced, "`//` starts a message at the prompt; it has no meaning in a program",
            all, "comments start with ;"};
  auto word = shortened(line.substr(0, find_blank(line)));
  return {errc::misplaced, "`" + word + "` is a prompt command; it has no meaning in a program",
          all, "delete the line; to run a file that contains commands, use `fermata < FILE`"};
}

}  // namespace

classified_input classify(std::string_view line) {
  auto text = without_blanks(line);
  if (text.empty()) return {};
  if (text.substr(0, 2) == "//")
    return {input_kind::chat, std::string{without_blanks(text.substr(2))}};
  if (text.front() == ':' && looks_like_a_command(text.substr(1)))
    return {input_kind::command, std::string{text.substr(1)}};
  if (text.front() == '?') {
    text = without_suppressor(text);  // to ask for help is to see it
    auto what = without_blanks(text.substr(std::min(text.find_first_not_of('?'), text.size())));
    return {input_kind::command, what.empty() ? "help" : "help " + std::string{what}};
  }
  if (auto question = without_suppressor(text); asks_for_help(question))
    return {input_kind::command, "help " + std::string{question}};
  return {input_kind::expression, std::string{text}};
}

bool suppresses_output(std::string_view text) {
  auto silent = false;
  for (std::size_t at = 0; at < text.size();) {
    auto t = next_token(text, at);
    at = t.span.end;
    if (t.kind == token_kind::comment)
      silent = without_blanks(text.substr(t.span.begin, at - t.span.begin)) == ";";
    else if (t.kind != token_kind::space && t.kind != token_kind::newline)
      silent = false;
  }
  return silent;
}

error prompt_lines_in(std::string_view program) {
  error found;
  std::size_t depth = 0;
  bool begins_line = true;
  for (std::size_t at = 0; at < program.size();) {
    auto t = next_token(program, at);
    at = t.span.end;
    if (t.kind == token_kind::word && begins_line && depth == 0) {
      auto end = line_at(program, t.span.begin).end;
      auto line = without_blanks(program.substr(t.span.begin, end - t.span.begin));
      // A name that ends in a question mark is a value in a program.
      auto kind = line.back() == '?' && line.front() != '?' && line.front() != ':'
                      ? input_kind::expression
                      : classify(line).kind;
      if (kind == input_kind::command || kind == input_kind::chat) {
        if (found.diagnostics.size() < most_reading_errors)
          found.diagnostics.push_back(fault_of(kind, line, t.span.begin));
        at = end;
        continue;
      }
    }
    if (t.kind == token_kind::newline)
      begins_line = true;
    else if (t.kind != token_kind::space)
      begins_line = false;
    if (t.kind == token_kind::open) ++depth;
    if (t.kind == token_kind::close && depth > 0) --depth;
  }
  return found;
}

std::optional<undecodable_line> find_undecodable(std::string_view line) {
  auto bad = find_invalid_utf8(line);
  if (bad == line.npos) return std::nullopt;
  constexpr std::size_t replaced = 3;  // bytes of U+FFFD
  return undecodable_line{as_valid_utf8(line),
                          {errc::invalid_utf8, "invalid UTF-8 at byte " + std::to_string(bad + 1),
                           source_span{bad, bad + replaced},
                           "the line was not run; retype it in UTF-8"}};
}

}  // namespace fermata
