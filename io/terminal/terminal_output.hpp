#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

namespace fermata::io {

/// Size of the terminal at standard output; 80 by 24 when it does not say.
struct terminal_size {
  std::size_t columns = 80, rows = 24;
};
terminal_size size_of_terminal();

/// Writes all of it to standard output. False: it is gone (`errno` says why), or takes nothing
/// while SIGINT, SIGTERM or SIGHUP is pending (EINTR). A full pipe or a stopped terminal (Ctrl-S)
/// therefore holds up the end of the program by a third of a second at most. It only concerns
/// programs that block these signals (signals.hpp); others end by the signal itself.
bool write_out(std::string_view text);

/// `write_out` gave up on a reader that takes nothing. What is written from then on is dropped,
/// until something is taken again.
bool output_has_stalled();

/// Whether it takes something within a third of a second. Asked when a signal has been received
/// that would make `write_out` give up while it is pending.
bool output_is_ready();

/// The same for standard error. It waits no longer than `patience`, when that is given.
bool write_error_out(std::string_view text, std::chrono::milliseconds patience = {});

}  // namespace fermata::io
