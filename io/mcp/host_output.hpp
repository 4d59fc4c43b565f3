#pragma once

#include <chrono>
#include <string>

namespace fermata::io::mcp {

/// Standard output that never blocks. Pipes, sockets and terminals (which somebody may have
/// stopped) are switched to non-blocking, which is undone at the end, because the description may
/// be shared; files do not block.
class host_output {
public:
  explicit host_output(int fd);
  ~host_output();
  host_output(const host_output&) = delete;
  host_output& operator=(const host_output&) = delete;

  /// Writes from the front of `text`. False when it cannot be written: `failure` is why.
  bool write(std::string& text);
  /// The last of it. `patience`: how long a host that takes nothing is waited for; `grace`: the
  /// time after a signal, which `signals` reports (-1: there was one already). Also ends when
  /// nobody reads any more. False when it cannot be written.
  bool drain(std::string& text, int signals, std::chrono::milliseconds patience,
             std::chrono::milliseconds grace);
  /// `errno` of the write that failed; 0: none did.
  int failure() const { return failure_; }

private:
  int fd_, flags_, failure_ = 0;
  bool changed_ = false;
};

/// The time-out of poll(2) that ends at this moment.
int poll_timeout(std::chrono::steady_clock::time_point until,
                 std::chrono::steady_clock::time_point now);

}  // namespace fermata::io::mcp
