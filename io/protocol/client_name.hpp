#pragma once

#include <string_view>

namespace fermata::io::protocol {

/// Whether the timeline calls the musician or the program so: no client may sign with it.
bool is_anothers_name(std::string_view client);

}  // namespace fermata::io::protocol
