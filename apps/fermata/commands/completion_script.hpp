#pragma once

#include "apps/fermata/commands/described_command.hpp"

#include <string>
#include <string_view>

namespace fermata::app {

/// The script by which a shell ("bash", "zsh" or "fish") completes the command line. It needs no
/// other file and does not start the program.
std::string completion_script(std::string_view shell, const described_command& program);

}  // namespace fermata::app
