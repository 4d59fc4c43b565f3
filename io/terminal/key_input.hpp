#pragma once

#include <string>

namespace fermata::io {

/// Bytes of standard input for Readline, which by itself asks the system twice for each of them: a
/// page that is pasted comes in a few large reads instead. What was read beyond the line that is
/// being edited stays here for the next one.
class key_input {
public:
  /// The next byte; waits for one. -1: the terminal went away or its input ended.
  int next();
  /// Whether a byte comes within this time.
  bool comes_within(int milliseconds) const;
  /// Whether bytes are here already, which poll() on standard input does not know.
  bool is_waiting() const { return at_ < bytes_.size(); }
  /// Whether `next` has met the end.
  bool has_ended() const { return ended_; }
  /// Forgets them, as a terminal does at Ctrl-C.
  void forget();

private:
  std::string bytes_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

}  // namespace fermata::io
