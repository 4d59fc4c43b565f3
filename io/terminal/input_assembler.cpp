#include "io/terminal/input_assembler.hpp"

#include "core/lang/reader.hpp"
#include "core/session/classify.hpp"
#include "core/session/command.hpp"

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
  auto command = find_command(name.substr(0, name.find_first_of(" \t")));
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
  for (std::size_t begin = 0; begin <= text.size();) {
    auto end = std::min(text.find('\n', begin), text.size());
    see(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

bool is_incomplete(std::string_view input) {
  auto kind = classify(input).kind;
  if (kind == input_kind::chat || kind == input_kind::empty) return false;
  // Most inputs are closed, and then the reader need not be asked.
  if (kind == input_kind::expression && !nesting{input}.is_open()) return false;
  input_assembler lines;
  with_each_line(input, [&](auto line) { lines.push(line); });
  if (!lines.is_open()) return false;
  auto last = lines.rest().text;
  auto code = std::string_view{last};
  if (classify(code).kind == input_kind::command) code = code.substr(code.find_first_of(" \t\n"));
  return reader_wants_more(code);
}

std::vector<std::string> inputs_in(std::string_view text) {
  if (text.find('\n') == text.npos || classify(text).kind == input_kind::chat)
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
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  // With brackets it is somebody who goes on writing the expression.
  if (!line.starts_with(':') || line.find_first_of("()[]{}") != line.npos) return {};
  auto word = line.substr(0, line.find_first_of(" \t"));
  return find_command(word.substr(1)) ? word : std::string_view{};
}

std::optional<input_assembler::input> input_assembler::push(std::string_view line) {
  ++lines_;
  if (!open_) {
    if (classify(line).kind == input_kind::empty) return std::nullopt;
    if (!may_go_on(line)) return input{std::string{line}, lines_};
    so_far_ = {};
    first_line_ = lines_;
    so_far_.feed(line);
  } else {
    so_far_.feed("\n");
    so_far_.feed(line);
  }
  // An error inside (a bracket closed by the wrong kind) does not end an input that goes on: the
  // lines that belong to it would be taken for inputs of their own.
  open_ = so_far_.is_open();
  if (open_) return std::nullopt;
  return rest();
}

input_assembler::input input_assembler::rest() {
  open_ = false;
  return {std::exchange(so_far_, {}).text(), first_line_};
}

}  // namespace fermata::io
