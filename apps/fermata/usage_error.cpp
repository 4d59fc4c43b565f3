#include "apps/fermata/usage_error.hpp"

#include "apps/fermata/commands.hpp"
#include "core/error.hpp"
#include "io/terminal/safe_text.hpp"

#include <algorithm>
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
  std::vector<std::string> names;
  for (auto sub : app.get_subcommands({}))
    names.push_back(sub->get_name());
  return nearest(word, {names.begin(), names.end()}).value_or("");
}

/// A word in the wrong place, perhaps a mistyped subcommand.
std::string misplaced(const CLI::App& command, std::string_view what, const std::string& word) {
  auto guess = nearest_subcommand(command, word);
  return std::string{what} + " `" + word + "`\n" +
         (guess.empty() ? "" : "Did you mean `" + full_name(&command) + ' ' + guess + "`? ") + "`" +
         full_name(&command) + " --help` shows the usage.";
}

/// Without a subcommand the first word is a file.
std::string misplaced(const CLI::App& program, const std::string& word) {
  return misplaced(program, "unknown subcommand or file", word);
}

std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error) {
  auto rest = app.remaining(true);
  auto command = innermost(&app);
  auto help = "`" + full_name(command) + " --help` lists the options.";
  // A mistyped subcommand is missed before it is found to be too much.
  auto is_family = !command->get_subcommands({}).empty();
  auto is_about_words = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                        (is_family && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr);
  if (!is_about_words || rest.empty()) return std::string{error.what()} + "\n" + help;
  auto& word = rest.front();
  if (word.size() < 2 || word.front() != '-') {
    auto first = command == &app ? app.get_option("file")->results() : std::vector<std::string>{};
    if (!first.empty() && !is_perhaps_file(first.front())) return misplaced(app, first.front());
    return misplaced(*command,
                     is_family && command != &app ? "unknown subcommand" : "unexpected argument",
                     word);
  }
  auto guess = nearest_option(*command, word);
  return "unknown option " + word + " for `" + full_name(command) + "`\n" +
         (guess.empty() ? "" : "Did you mean " + guess + "? ") + help;
}

int refuse(const std::string& words) {
  std::fputs(("fermata: " + io::safe_text(words) + '\n').c_str(), stderr);
  return exit_usage;
}

}  // namespace

bool is_perhaps_file(const std::string& word) {
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
