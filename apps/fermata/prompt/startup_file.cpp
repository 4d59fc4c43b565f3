#include "apps/fermata/prompt/startup_file.hpp"

#include "core/line_ends.hpp"
#include "core/session/commands/classify.hpp"
#include "core/session/commands/command.hpp"
#include "io/files/files.hpp"
#include "io/terminal/input_assembler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace fermata::app {

namespace {

/// Whether a definition is another one than before. Functions made from the same text count as the
/// same.
bool redefines(const environment_delta& d) {
  return std::any_of(d.bindings.begin(), d.bindings.end(),
                     [](auto& change) {
                       return !change.before || !change.after ||
                              change.before->source != change.after->source;
                     }) ||
         d.defaults || d.key_inference;
}

/// Whether a command would leave everything as it is. What only prints does.
bool changes_nothing(const std::string& text, const session_state& s) {
  auto outcome = run_command(text, s, {}, {});
  if (!outcome.ok) return false;
  auto same = std::all_of(outcome.events.begin(), outcome.events.end(), [&](auto& event) {
    auto set = std::get_if<setting_changed>(&event);
    if (!set) return false;
    auto now = s.settings.find(set->name);
    return set->value ? now != s.settings.end() && now->second == *set->value
                      : now == s.settings.end();
  });
  return same && !outcome.events.empty() && outcome.env_change.empty() && outcome.delta.empty();
}

}  // namespace

startup_file::startup_file(std::filesystem::path path) : name_(path.filename().string()) {
  std::error_code failed;
  if (path.empty() || (!std::filesystem::exists(path, failed) && !failed)) return;
  auto text = io::read_file(path.string());
  if (!text) {
    complaints_.push_back(text.error().first().message);
    return;
  }
  io::input_assembler assembler;
  for (text_line line; line.next < text->size();) {
    line = line_at(*text, line.next);
    if (auto whole =
            assembler.push(std::string_view{*text}.substr(line.begin, line.end - line.begin)))
      inputs_.push_back({whole->text, whole->first_line});
  }
  if (assembler.is_open()) {
    auto rest = assembler.rest();
    inputs_.push_back({rest.text, rest.first_line});
  }
}

std::optional<submission> startup_file::next(const session_state& state) {
  if (!state.written_by.empty() && at_ < inputs_.size()) {
    complaints_.push_back(name_ + " was not run, because the session is open read-only");
    at_ = inputs_.size();
  }
  for (; at_ < inputs_.size(); ++at_) {
    auto& in = inputs_[at_];
    if (auto undecodable = find_undecodable(in.text)) {
      in.text = undecodable->text;  // which the place is in
      complain(undecodable->why);
      continue;
    }
    auto kind = classify(in.text);
    if (kind.kind == input_kind::empty) continue;
    if (kind.kind == input_kind::command && changes_nothing(kind.text, state)) continue;
    if (kind.kind == input_kind::chat) {
      complain("messages cannot be sent from the start-up file");
      continue;
    }
    if (auto command = kind.kind == input_kind::command ? command_of(kind.text) : nullptr;
        command && command->scope != command_scope::session) {
      complain(fmt::format("`:{}` is not allowed in the start-up file", command->name));
      continue;
    }
    submission line;
    line.text = in.text;
    line.source = {"user", "script"};
    line.preview = kind.kind == input_kind::expression && trying_;
    line.cancelled = std::make_shared<std::atomic<bool>>(false);
    return line;
  }
  return std::nullopt;
}

void startup_file::answered(const turn& t) {
  bool tried = std::exchange(trying_, true);
  bool enter = false;
  for (auto& e : t.entries)
    if (auto eval = std::get_if<eval_entry>(&e->kind)) {
      if (eval->failure)
        complain(*eval->failure);
      else if (tried && e->index == 0 && !eval->delta.empty())
        complain("the start-up file must not change the score");
      else if (tried && e->index == 0)
        enter = redefines(eval->env_change);
    } else if (auto command = std::get_if<command_entry>(&e->kind); command && !command->ok) {
      complain(command->output);
    }
  if (enter)
    trying_ = false;
  else
    ++at_;
}

void startup_file::refused(const std::string& message) {
  complain(message);
  trying_ = true;
  ++at_;
}

void startup_file::complain(const error& e) {
  // Places are counted in lines of the file: as if the input stood below as many empty lines.
  auto& in = inputs_[at_];
  auto shifted = e;
  for (auto& d : shifted.diagnostics)
    if (d.span) {
      d.span->begin += in.line - 1;
      d.span->end += in.line - 1;
    }
  auto text = render(shifted, std::string(in.line - 1, '\n') + in.text, name_);
  text.erase(text.find_last_not_of('\n') + 1);
  complaints_.push_back(std::move(text));
}

void startup_file::complain(const std::string& message) {
  complaints_.push_back(fmt::format("{}:{}: {}", name_, inputs_[at_].line, message));
}

}  // namespace fermata::app
