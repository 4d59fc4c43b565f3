#pragma once

#include <csignal>
#include <initializer_list>
#include <optional>

namespace fermata::io {

/// Signals as something to poll for. They are blocked for the whole process, so this is made before
/// any thread exists; threads started later inherit it. Nothing ever runs inside a signal handler.
class signal_source {
public:
  explicit signal_source(std::initializer_list<int> signals);
  ~signal_source();
  signal_source(const signal_source&) = delete;
  signal_source& operator=(const signal_source&) = delete;

  /// Readable when a signal waits.
  int descriptor() const { return fd_; }
  /// The next signal that waits, if one does.
  std::optional<int> next();

private:
  sigset_t before_;
  int fd_;
};

}  // namespace fermata::io
