#pragma once

#include <string>
#include <string_view>

namespace fermata::io::protocol {

/// A client's name as the timeline shows it: on one line, without what a terminal would obey. Empty
/// when nothing is left of it.
std::string shown_client_name(std::string_view client);

/// Whether the timeline calls the musician or the program so: no client may sign with it. `client`
/// is a shown name: what hides a name from this test would not hide it from a reader.
bool is_anothers_name(std::string_view client);

}  // namespace fermata::io::protocol
