#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace fermata::app {

/// Says on standard error what is wrong with a command line, with the nearest name of an option or
/// a subcommand, and where the help is; help and version, which CLI11 reports as errors too, go to
/// standard output. Returns the exit code.
int report_usage(const CLI::App& app, const CLI::ParseError& error);

/// Whether a first word may be meant as a file: it is there, or has an extension.
bool is_perhaps_file(const std::string& word);

/// A word where nothing was expected, or that names neither a file nor a subcommand.
int report_unexpected(const CLI::App& app, const std::string& word);

}  // namespace fermata::app
