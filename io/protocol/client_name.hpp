#pragma once

#include <string>
#include <string_view>

namespace fermata::io::protocol {

/// A client's name as shown in the timeline: on one line, without control and invisible characters,
/// and with round brackets for square ones, which enclose names there. Empty if nothing is left.
std::string shown_client_name(std::string_view client);

/// Whether this is the timeline's name for the user or the program, or looks like it ("уou" with a
/// Cyrillic letter, "y0u", "you): x"): no client may use it. `client` is a shown name.
bool is_reserved_name(std::string_view client);

}  // namespace fermata::io::protocol
