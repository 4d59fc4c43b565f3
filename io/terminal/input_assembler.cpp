#include "io/terminal/input_assembler.hpp"

#include "core/lang/reader.hpp"
#include "core/session/classify.hpp"

#include <utility>

namespace fermata::io {

namespace {

bool reader_wants_more(std::string_view input) {
  auto r = read(input);
  return r.errors.diagnostics.empty() && !r.open.empty();
}

}  // namespace

bool is_incomplete(std::string_view input) {
  if (classify(input).kind != input_kind::expression) return false;
  // Most inputs are closed, and then the reader need not be asked.
  return nesting{input}.is_open() && reader_wants_more(input);
}

std::optional<input_assembler::input> input_assembler::push(std::string_view line) {
  ++lines_;
  if (!open_) {
    auto kind = classify(line).kind;
    if (kind == input_kind::empty) return std::nullopt;
    if (kind != input_kind::expression) return input{std::string{line}, lines_};
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
