#pragma once

#include <string>

namespace fermata::io::protocol {

/// docs/ipc.md: the socket, its envelopes and errors, and every method with its parameters and
/// results, made from the tables that the program runs on.
std::string reference_markdown();

}  // namespace fermata::io::protocol
