#include "io/terminal/input_assembler.hpp"

#include "core/lang/syntax/reader.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/line_ends.hpp"
#include "core/session/commands/classify.hpp"
#include "core/session/commands/command.hpp"
#include "core/utf8.hpp"
#include "io/terminal/nesting.hpp"

#include <algorithm>
#include <utility>

namespace fermata::io {

namespace {

bool reader_wants_more(std::string_view input) {
  auto r = read(input);
  return r.errors.diagnostics.empty() && !r.open.empty();
}

/// `:time (seq` goes on as the expression behind it does.
bool is_command_with_code(std::string_view line) {
  auto name = line.substr(std::min(line.find(':') + 1, line.size()));
  auto command = find_command(name.substr(0, find_blank(name)));
  return command && command->most_arguments < 0 && command->arguments.starts_with("EXPRESSION");
}

/// Whether an input that begins with this line may have more of them.
bool may_go_on(std::string_view line) {
  auto kind = classify(line).kind;
  return kind == input_kind::expression ||
         (kind == input_kind::command && is_command_with_code(line));
}

/// Calls `see(line)` for each line of a text.
template <class F>
void with_each_line(std::string_view text, F see) {
  for (text_line line; line.next <= text.size();) {
    line = line_at(text, line.next);
    see(text.substr(line.begin, line.end - line.begin));
  }
}

}  // namespace

bool is_incomplete(std::string_view input) {
  auto kind = classify(input).kind;
  if (kind == input_kind::chat || kind == input_kind::empty) return false;
  // Most inputs are closed, and then the reader need not be asked.
  if (kind == input_kind::expression && !nesting{input}.is_open()) return false;
  // Expressions that stand together are one input, and an error in one is an error of all.
  std::string together;
  input_assembler lines;
  with_each_line(input, [&](auto line) {
    auto whole = lines.push(line);
    if (!whole) return;
    if (classify(whole->text).kind == input_kind::expression)
      together += whole->text + '\n';
    else
      together.clear();
  });
  return lines.is_open() && reader_wants_more(together + lines.rest().text);
}

std::vector<std::string> inputs_in(std::string_view text) {
  if (text.find_first_of("\r\n") == text.npos || classify(text).kind == input_kind::chat)
    return {std::string{text}};
  std::vector<std::string> inputs;
  bool code_only = true;
  input_assembler lines;
  auto add = [&](std::string input) {
    code_only = code_only && classify(input).kind == input_kind::expression;
    inputs.push_back(std::move(input));
  };
  with_each_line(text, [&](auto line) {
    if (auto input = lines.push(line)) add(std::move(input->text));
  });
  if (lines.is_open()) add(lines.rest().text);
  if (code_only) return {std::string{text}};
  return inputs;
}

std::string_view command_within(std::string_view unfinished) {
  auto newline = unfinished.rfind('\n');
  if (newline == unfinished.npos) return {};
  auto line = unfinished.substr(newline + 1);
  line.remove_prefix(std::min(find_no_blank(line), line.size()));
  // With brackets it continues the expression.
  if (!line.starts_with(':') || line.find_first_of("()[]{}") != line.npos) return {};
  auto word = line.substr(0, find_blank(line));
  return find_command(word.substr(1)) ? word : std::string_view{};
}

std::optional<input_assembler::input> input_assembler::push(std::string_view line) {
  ++lines_;
  if (!is_open_) {
    if (classify(line).kind == input_kind::empty) return std::nullopt;
    if (!may_go_on(line) || !nesting{line}.is_open()) return input{std::string{line}, lines_};
    *this = input_assembler{lines_};
  } else {
    text_ += '\n';
  }
  text_ += line;
  is_open_ = goes_on_after(line);
  if (is_open_) return std::nullopt;
  return rest();
}

/// Asks the reader, as the line editor does. It need not read again what it has read: of that, only
/// what is open still matters.
bool input_assembler::goes_on_after(std::string_view line) {
  // Without this, a string over many lines would be read again for each of them.
  auto may_close = line.find_first_of("\"#") != line.npos || find_invalid_utf8(line) != line.npos;
  if (is_inside_text_ && !may_close) return true;
  auto code = openers_ + text_.substr(read_);
  auto answer = read(code);
  if (!answer.errors.diagnostics.empty() || answer.open.empty()) return false;
  auto opener = [&](source_span s) { return code.substr(s.begin, s.end - s.begin); };
  auto last = opener(answer.open.back());
  is_inside_text_ = last.ends_with('"') || last == "#|";
  read_ = is_inside_text_ ? read_ + answer.open.back().begin - openers_.size() : text_.size();
  if (is_inside_text_) answer.open.pop_back();
  openers_.clear();
  for (auto s : answer.open)
    openers_ += opener(s) + ' ';
  // A quote alone waits for nothing.
  return is_inside_text_ || openers_.find_first_of("([") != openers_.npos;
}

input_assembler::input input_assembler::rest() {
  is_open_ = false;
  return {std::exchange(text_, {}), first_line_};
}

}  // namespace fermata::io
