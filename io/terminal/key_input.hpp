#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata::io {

/// Bytes that come in pieces, as UTF-8. A character may be divided between two pieces; a byte that
/// is part of none becomes U+FFFD, so that it is seen and nothing takes it for half of the next
/// one.
class whole_characters {
public:
  /// What a piece completes. The beginning of a character at its end waits for the next piece.
  std::string take(std::string_view piece);
  /// Nothing more comes: what has waited was no character.
  std::string rest();

private:
  std::string begun_;
};

/// Bytes of standard input for Readline, which by itself asks the system twice for each of them: a
/// page that is pasted comes in a few large reads instead. What was read beyond the line that is
/// being edited stays here for the next one. Readline keeps the beginning of a character that never
/// came to its end for ever, so it is given whole ones.
class key_input {
public:
  /// The next byte; waits for one. -1: the terminal went away or its input ended.
  int next();
  /// Whether `next` has something within this time; half a character is nothing.
  bool comes_within(int milliseconds);
  /// Takes what the terminal holds, also a line without its Enter, before a program that reads the
  /// terminal itself would get it. Precondition: the line editor is closed.
  void take_typed_ahead();
  /// Whether bytes are here already, which poll() on standard input does not know.
  bool is_waiting() const { return at_ < bytes_.size(); }
  /// Whether the end was met.
  bool has_ended() const { return ended_; }
  /// Forgets them, as a terminal does at Ctrl-C.
  void forget();

private:
  /// Reads what is there, or the end.
  void read_some();

  whole_characters characters_;
  std::string bytes_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

}  // namespace fermata::io
