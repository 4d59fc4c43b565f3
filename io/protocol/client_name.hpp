#pragma once

#include <string>
#include <string_view>

namespace fermata::io::protocol {

/// A client's name as the timeline shows it: on one line, without what a terminal would obey or
/// nobody could see, and with round brackets for square ones, which frame names there. Empty when
/// nothing is left of it.
std::string shown_client_name(std::string_view client);

/// Whether the timeline calls the user or the program so, or a reader may take it for that ("уou"
/// with a Cyrillic letter, "y0u", "you): x"): no client may sign with it. `client` is a shown name.
bool is_anothers_name(std::string_view client);

}  // namespace fermata::io::protocol
