#pragma once

#include <string>

namespace fermata::io::protocol {

/// docs/ipc.md: the socket, its envelopes and errors, and every method with its parameters and
/// results, derived from the tables of the program.
std::string reference_markdown();

}  // namespace fermata::io::protocol
