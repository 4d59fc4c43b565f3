#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace fermata::app {

/// Makes every option and argument refuse values that it does not take: an empty one, a word that
/// is not among its choices, a value for a flag. Called once all of them are declared.
void check_values(CLI::App& app);

/// Refuses a word or an option of the prompt before a subcommand, where it would be ignored.
/// Throws, as CLI11's own checks do.
void check_place_of_options(const CLI::App& app, const CLI::App& prompt);

/// Says on standard error what is wrong with a command line, with the nearest name of an option or
/// a subcommand, and where the help is; help and version, which CLI11 reports as errors too, go to
/// standard output. Returns the exit code.
int report_usage(const CLI::App& app, const CLI::ParseError& error);

/// Whether a first word may be meant as a file: it is there, or has an extension.
bool may_be_file(const std::string& word);

/// A word where nothing was expected, or that names neither a file nor a subcommand.
int report_unexpected(const CLI::App& app, const std::string& word);

}  // namespace fermata::app
