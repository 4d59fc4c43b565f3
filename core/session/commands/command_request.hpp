#pragma once

#include "core/session/commands/command.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fermata {

/// A command that a program asks for with separate arguments, so that nothing has to be parsed.
struct command_request {
  std::string name;  ///< of a row of the command table
  std::vector<std::string> arguments{};
  std::string expression{};  ///< of a command that takes one: instead of arguments
  std::map<std::string, std::string, std::less<>> options{};  ///< by name; a flag has no value
};

/// The command line, with the text that a user would type. Precondition: the row exists.
command_line command_line_of(const command_request& r);

}  // namespace fermata
