#pragma once

namespace fermata::io {

/// Whether something was typed at the terminal that nobody has read yet, also a line without its
/// Enter. A program that reads the terminal next, such as a pager, would take it as its own keys.
bool is_typed_ahead();

}  // namespace fermata::io
