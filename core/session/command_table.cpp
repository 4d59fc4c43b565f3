#include "core/session/command.hpp"
namespace fermata {
command_outcome run_command(std::string_view, const session_state&, const entry_source&, timestamp) { return {}; }
}
