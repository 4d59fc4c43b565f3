#pragma once

#include "core/memory_meter.hpp"
#include "core/session/commands/setting_table.hpp"

#include <memory>

namespace fermata::app {

/// The memory that evaluations of this process share: what evaluation-memory says.
std::shared_ptr<memory_pool> evaluation_memory(const setting_values& configured);

/// The same as config.toml in the home of the user has it.
std::shared_ptr<memory_pool> evaluation_memory();

}  // namespace fermata::app
