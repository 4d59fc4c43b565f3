#pragma once

#include "core/session/commands/command.hpp"

namespace fermata {

/// `:whos`: the names that the user has defined.
command_outcome list_definitions(const command_call& c);

}  // namespace fermata
