#pragma once

#include <cstddef>
#include <string_view>

namespace fermata::io {

/// Size of the terminal at standard output; 80 by 24 when it does not say.
struct terminal_size {
  std::size_t columns = 80, rows = 24;
};
terminal_size size_of_terminal();

/// Writes all of it to standard output at once. False: it is gone.
bool write_out(std::string_view text);

}  // namespace fermata::io
