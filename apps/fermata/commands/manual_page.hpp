#pragma once

#include "apps/fermata/commands/described_command.hpp"

#include <string>

namespace fermata::app {

/// fermata(1) in roff, made from the command line and the table of the prompt's commands.
std::string manual_page(const described_command& program);

}  // namespace fermata::app
