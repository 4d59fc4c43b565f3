#include "io/terminal/entry_view.hpp"

#include "core/session/commands/command.hpp"
#include "core/session/commands/suppressed_output.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "io/display/display.hpp"
#include "io/terminal/output_limit.hpp"
#include "io/terminal/style.hpp"
#include "io/terminal/symbols_as_words.hpp"
#include "io/text/code_wrap.hpp"
#include "io/text/safe_text.hpp"
#include "io/text/wrap.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fermata::io {

namespace {

/// Whether what a command prints is music or data.
bool is_code(std::string_view line) {
  auto command = fermata::command_of(line);
  return command && (command->topic == "Score" || line.find(" --json") != line.npos);
}

/// Whether what a command prints is Fermata text, whose lines are broken between tokens.
bool is_fermata_text(std::string_view line) {
  auto command = fermata::command_of(line);
  if (!command) return false;
  for (std::string_view other : {"--json", "--staff", "--musicxml"})
    if (line.find(other) != line.npos) return false;
  return command->topic == "Score" || command->name == "examples" || command->name == "diff";
}

/// Whether what a command prints is prose and lists. What others print is code, which is broken
/// between its tokens, or data or a picture, whose lines are left to the terminal.
bool is_for_reading(std::string_view line) {
  auto command = fermata::command_of(line);
  if (!command) return false;
  for (std::string_view topic : {"Help", "Settings", "Sessions", "Branches", "Files"})
    if (command->topic == topic) return true;
  if (command->lists_entries) return !is_code(line);
  for (std::string_view name : {"ai", "proposals", "blame"})
    if (command->name == name) return true;
  return false;
}

/// Whether all that a command prints is ours: what others print has the user's own words in it, so
/// they are told what it is for and make words themselves.
bool is_help(std::string_view line) {
  auto command = fermata::command_of(line);
  return command && command->name == "help";
}

std::string without_last_newlines(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

struct to_screen {
  const history_entry& e;
  const entry_look& look;

  /// `Out[3]: ` in its style, then text that stays below its own beginning.
  std::string labelled(std::string_view name, style s, std::string_view text) const {
    return behind(part_label(e, name, look.linear) + ": ", s, text);
  }
  std::string behind(const std::string& label, style s, std::string_view text) const {
    auto columns = look.linear ? 0 : look.columns;
    return painted(s, label, look.color) + wrapped_code(safe_text(text), columns, label.size()) +
           '\n';
  }

  /// Prose, all in one style and broken at the edge.
  std::string prose(std::string label, style s, std::string_view text) const {
    label = safe_text(label);
    auto width = display_width(label);
    return painted(s, label + wrapped(safe_text(text), look.columns, width, width), look.color) +
           '\n';
  }

  /// What is ours, with its signs as words where they are heard.
  std::string in_signs(std::string text) const {
    return look.linear ? with_symbols_as_words(text) : text;
  }

  /// Behind what was entered: who did, unless that was the user.
  std::string by_whom() const {
    auto is_by_user = e.source.channel == "terminal" || e.source.channel == "script";
    return is_by_user ? std::string{} : "   ; " + safe_text(to_text(e.source));
  }

  std::string operator()(const eval_entry& x) const {
    std::string shown;
    if (look.echo_input) {
      auto remark = x.proposal ? fmt::format("   ; accepted \u0394{}", *x.proposal) : "";
      shown += echoed(x.text, in_signs(remark) + by_whom());
    }
    if (x.failure)
      shown += failure(*x.failure, x.text);
    else if (!suppresses_output(x.text))
      shown += output(x) + change(x);
    for (const auto& remark : x.remarks)
      shown += prose("; ", style::hint, remark);
    return shown;
  }

  /// What was entered, with a remark behind it.
  std::string echoed(std::string_view input, const std::string& remark) const {
    constexpr std::size_t usual_columns = 80;  // to count rows that nothing breaks
    auto columns = look.columns > 0 ? look.columns : usual_columns;
    auto label = part_label(e, "In", look.linear) + ": ";
    auto broken = wrapped_code(safe_text(input), look.linear ? 0 : columns, label.size());
    if (look.input_rows == 0 || rows_of(broken, columns) <= look.input_rows)
      return behind(label, style::prompt, std::string{input} + remark);
    auto advice = e.index > 0 ? fmt::format("`:history {}` shows all", e.index) : std::string{};
    auto text = without_last_newlines(limited(broken, look.input_rows, columns, advice));
    return painted(style::prompt, label, look.color) + text + safe_text(remark) + '\n';
  }

  /// That the score changed, and where; an edit has that for its value.
  std::string change(const eval_entry& x) const {
    if (x.delta.empty() || look.display == "silent") return {};
    auto what = to_string(summarize(x.delta));
    if (x.output && x.output->as_string() && x.output->as_string()->starts_with(what)) return {};
    auto label = look.linear ? std::string{"Score: "}
                             : std::string(8, ' ') + (look.unicode ? "\u0394 " : "* ");
    return prose(std::move(label), style::hint, what);
  }

  std::string output(const eval_entry& x) const {
    // A staff is drawn for eyes.
    auto display = look.linear && look.display == "staff" ? "fermata" : look.display;
    auto text = without_last_newlines(
        shown_value(x, {display, look.columns > 0 ? look.columns : 80, look.unicode}));
    if (text.empty()) return {};
    // The rows of a staff are to be below each other, so the label has a line of its own.
    bool drawn = display == "staff" && text != x.output_text && text.find('\n') != text.npos;
    if (!drawn) return labelled("Out", style::output_label, text);
    return painted(style::output_label, part_label(e, "Out", look.linear) + ':', look.color) +
           '\n' + safe_text(text) + '\n';
  }

  /// An error in words: what a caret shows is said.
  std::string failure_in_words(const error& failure, std::string_view source) const {
    std::string text;
    for (auto& d : failure.diagnostics) {
      text += fmt::format("{}: {}: {}. ", part_label(e, "Err", look.linear), info(d.code).name,
                          d.message);
      if (d.span && d.span->begin < source.size()) {
        auto at = locate(source, d.span->begin);
        text += fmt::format("At line {}, column {}: {}. ", at.line, at.column,
                            source.substr(d.span->begin, d.span->end - d.span->begin));
      }
      text += d.hint.empty() ? "\n" : d.hint + '\n';
    }
    return clipped(safe_text(text), 1'000);
  }

  /// The lines with the carets stand as they are: they have to be exactly below each other.
  std::string failure(const error& failure, std::string_view source) const {
    if (look.linear) return failure_in_words(failure, source);
    auto text = part_label(e, "Err", look.linear) + ": " +
                without_last_newlines(clipped(safe_text(render(failure, source)), 1'000));
    if (look.columns > 0) text = wrapped_lists(text, look.columns);
    return painted(style::error, text, look.color) + '\n';
  }

  std::string operator()(const command_entry& x) const {
    std::string shown;
    if (look.echo_input)
      shown += behind(message_label(e, look.linear), style::prompt, x.text + by_whom());
    if (x.ok && suppresses_command_output(x.text)) return shown;
    auto text = without_last_newlines(safe_text(x.output));
    if (text.empty()) return shown;
    if (x.ok && is_help(x.text)) text = in_signs(std::move(text));
    if (!look.linear && (!x.ok || is_for_reading(x.text)))
      text = wrapped_lists(text, look.columns);
    else if (!look.linear && is_fermata_text(x.text))
      text = wrapped_code(text, look.columns);
    return shown + painted(x.ok ? style::plain : style::error, text, look.color) + '\n';
  }
  std::string operator()(const ai_message_entry& x) const {
    return prose(message_label(e, look.linear), style::ai, x.content);
  }
  std::string operator()(const user_message_entry& x) const {
    return prose(message_label(e, look.linear), style::user, x.content);
  }
  std::string operator()(const system_entry& x) const {
    auto text = words_of(x, look.linear);
    return prose(message_label(e, look.linear), style::system, text);
  }
};

}  // namespace

std::string entry_view(const history_entry& e, const entry_look& look) {
  return std::visit(to_screen{e, look}, e.kind);
}

}  // namespace fermata::io
