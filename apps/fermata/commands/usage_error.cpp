#include "apps/fermata/commands/usage_error.hpp"

#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/commands/described_command.hpp"
#include "core/error.hpp"
#include "io/formats/formats.hpp"
#include "io/text/safe_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace fermata::app {

namespace {

/// The innermost subcommand on the command line.
const CLI::App* innermost(const CLI::App* app) {
  while (true) {
    auto inner = app->get_subcommands();
    if (inner.empty()) return app;
    app = inner.front();
  }
}

/// "fermata session export"
std::string full_name(const CLI::App* app) {
  auto parent = app->get_parent();
  return parent ? full_name(parent) + ' ' + app->get_name() : std::string{"fermata"};
}

std::string usage_is_in_help(const CLI::App& command) {
  return "`" + full_name(&command) + " --help` shows the usage.";
}

std::string options_are_in_help(const CLI::App& command) {
  return "`" + full_name(&command) + " --help` lists the options.";
}

/// FILE; without the choices that CLI11 adds behind a colon.
std::string type_of(const CLI::Option& option) {
  auto type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

std::vector<std::string> subcommands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (auto sub : app.get_subcommands({}))
    names.push_back(sub->get_name());
  return names;
}

/// "bash, zsh or fish"
std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto before = i == 0 ? "" : i + 1 < words.size() ? ", " : " or ";
    text += before + words[i];
  }
  return text;
}

std::string nearest_option(const CLI::App& app, std::string_view given) {
  auto name = given.substr(0, given.find('='));
  std::vector<std::string> names{"help"};
  for (auto option : app.get_options())
    for (auto& long_name : option->get_lnames())
      names.push_back(long_name);
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  auto guess = nearest(name, {names.begin(), names.end()});
  return guess ? "--" + *guess : std::string{};
}

std::string nearest_subcommand(const CLI::App& app, const std::string& word) {
  auto names = subcommands_of(app);
  return nearest(word, {names.begin(), names.end()}).value_or("");
}

/// A word in the wrong place, perhaps a mistyped subcommand.
std::string misplaced(const CLI::App& command, std::string_view what, const std::string& word) {
  auto guess = nearest_subcommand(command, word);
  return std::string{what} + " `" + word + "`\n" +
         (guess.empty() ? "" : "Did you mean `" + full_name(&command) + ' ' + guess + "`? ") +
         usage_is_in_help(command);
}

/// Without a subcommand the first word is a file.
std::string misplaced(const CLI::App& program, const std::string& word) {
  return misplaced(program, "unknown subcommand or file", word);
}

/// Unknown options and words too many; empty: there are none.
std::string not_expected(const CLI::App& app, const CLI::App& command,
                         const CLI::ParseError& error) {
  auto rest = app.remaining(true);
  auto is_option = [](auto& word) {
    return word.size() > 1 && word.front() == '-' && word != "--";
  };
  auto option = std::find_if(rest.begin(), rest.end(), is_option);
  if (option != rest.end()) {
    auto guess = nearest_option(command, *option);
    return "unknown option " + *option + " for `" + full_name(&command) + "`\n" +
           (guess.empty() ? "" : "Did you mean " + guess + "? ") + options_are_in_help(command);
  }
  // A mistyped subcommand is missed before it is found to be too much.
  auto is_family = !command.get_subcommands({}).empty();
  auto is_about_words = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                        (is_family && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr);
  if (!is_about_words || rest.empty()) return {};
  auto first = &command == &app ? app.get_option("file")->results() : std::vector<std::string>{};
  if (!first.empty() && !may_be_file(first.front())) return misplaced(app, first.front());
  return misplaced(command,
                   is_family && &command != &app ? "unknown subcommand" : "unexpected argument",
                   rest.front());
}

/// The option or argument that a message of CLI11 begins with, and the command that has it.
struct blamed_option {
  const CLI::Option* option = nullptr;
  const CLI::App* command = nullptr;
};

blamed_option blamed_by(const CLI::App& innermost_command, std::string_view message) {
  auto name = std::string{message.substr(0, message.find_first_of(": "))};
  for (auto command = &innermost_command; command; command = command->get_parent())
    for (auto option : command->get_options())
      // Of a flag with a value it says the name without dashes.
      if (option->check_name(name) || option->check_name("--" + name)) return {option, command};
  return {nullptr, &innermost_command};
}

/// CLI11's classes of errors in the words of this program.
std::string in_plain_words(const CLI::App& command, const CLI::ParseError& error) {
  std::string message = error.what();
  auto [option, owner] = blamed_by(command, message);
  if (!option) {
    if (!dynamic_cast<const CLI::RequiredError*>(&error)) return message;
    return "missing subcommand for `" + full_name(&command) + "`\n" + "Choose " +
           alternatives(subcommands_of(command)) + "; `" + full_name(&command) +
           " --help` describes them.";
  }
  auto name = option->get_name();
  auto help = '\n' + options_are_in_help(*owner);
  if (dynamic_cast<const CLI::ValidationError*>(&error)) return message.substr(name.size() + 2);
  if (dynamic_cast<const CLI::RequiredError*>(&error))
    return "missing argument `" + name + "`: " + option->get_description() + '\n' +
           usage_is_in_help(*owner);
  if (dynamic_cast<const CLI::ExcludesError*>(&error))
    return name + " cannot be used together with " + message.substr(message.rfind(' ') + 1) + help;
  if (dynamic_cast<const CLI::RequiresError*>(&error))
    return name + " can only be used together with " + message.substr(message.rfind(' ') + 1) +
           help;
  // What is left is the number of values: none, or more than one.
  if (option->get_items_expected_max() == 0) return "option " + name + " takes no value" + help;
  if (option->results().size() > 1) return "option " + name + " can be given only once" + help;
  return "option " + name + " needs a value: " + type_of(*option) + help;
}

std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error) {
  auto command = innermost(&app);
  auto words = not_expected(app, *command, error);
  return words.empty() ? in_plain_words(*command, error) : words;
}

int refuse(const std::string& words) {
  std::fputs(("fermata: " + io::safe_text(words) + '\n').c_str(), stderr);
  return exit_usage;
}

/// What is wrong with a value; empty: nothing.
std::string fault_of_value(const CLI::Option& option, const std::string& value) {
  auto name = option.get_positional() ? "argument `" + option.get_name() + '`'
                                      : "option " + option.get_name();
  auto type = type_of(option);
  // An empty expression is refused with an example.
  if (value.empty() && type != "EXPRESSION")
    return name + " is empty\nWrite a value for it (" + type + ")" +
           (option.get_required() ? "." : ", or leave it out.");
  if (type == "FORMAT") {
    auto format = io::format_called(value);
    if (format) return {};
    auto& why = format.error().first();
    return why.message + '\n' + why.hint;
  }
  auto choices = words_for_value(type);
  auto is_choice = !type.empty() && std::islower(static_cast<unsigned char>(type.front()));
  if (!is_choice || std::find(choices.begin(), choices.end(), value) != choices.end()) return {};
  auto guess = nearest(value, {choices.begin(), choices.end()});
  return "invalid value `" + value + "` for " + name + '\n' +
         (guess ? "Did you mean `" + *guess + "`? " : "") + "Choose " + alternatives(choices) + '.';
}

}  // namespace

void check_values(CLI::App& app) {
  for (auto option : app.get_options())
    if (option->get_items_expected_max() == 0)
      option->disable_flag_override();
    else
      option->check([option](auto& value) { return fault_of_value(*option, value); });
  for (auto sub : app.get_subcommands({}))
    check_values(*sub);
}

void check_place_of_options(const CLI::App& app, const CLI::App& prompt) {
  auto chosen = app.get_subcommands();
  if (chosen.empty() || chosen.front() == &prompt) return;
  auto command = innermost(&app);
  for (auto option : app.get_options()) {
    if (option->count() == 0) continue;
    auto name = option->get_name();
    if (option->get_positional()) {
      auto& word = option->results().front();
      throw CLI::ParseError{may_be_file(word) ? misplaced(app, "unexpected argument", word)
                                              : misplaced(app, word),
                            CLI::ExitCodes::ExtrasError};
    }
    auto has_it = command->get_option_no_throw(name) != nullptr;
    throw CLI::ParseError{has_it ? "option " + name + " must come after the subcommand\nWrite `" +
                                       full_name(command) + ' ' + name + "`."
                                 : "`" + full_name(command) + "` has no option " + name + "\n" +
                                       options_are_in_help(*command),
                          CLI::ExitCodes::ExtrasError};
  }
}

bool may_be_file(const std::string& word) {
  std::error_code unknown;
  return std::filesystem::path{word}.has_extension() || std::filesystem::exists(word, unknown);
}

int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error) == 0 ? exit_ok : exit_usage;
  return refuse(what_is_wrong(app, error));
}

int report_unexpected(const CLI::App& app, const std::string& word) {
  return refuse(misplaced(app, word));
}

}  // namespace fermata::app
