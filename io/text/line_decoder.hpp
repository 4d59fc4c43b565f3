#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fermata::io::protocol {

/// Longest line that is accepted or sent, its end not counted.
inline constexpr std::size_t max_line = 1u << 20;

/// Cuts a stream of bytes into lines. A line ends with LF; a CR before it belongs to the end. Bytes
/// arrive in any portions; empty lines are skipped. A line over the limit is reported once, as soon
/// as it is over it, and makes the decoder refuse everything after it: nobody can say where the
/// next message would begin, except who knows that it begins on the next line, and may `go_on`
/// there.
class line_decoder {
public:
  explicit line_decoder(std::size_t limit = max_line) : limit_(limit) {}

  /// From now on longer lines are taken as well.
  void raise_limit(std::size_t limit) { limit_ = limit; }
  /// Takes the next bytes. Lines come out of `next`.
  void feed(std::string_view bytes);
  /// The sender says that it is done: what is left over is the last line.
  void finish();
  /// The next whole line without its end, or nothing. Valid until the next call of any function.
  std::optional<std::string_view> next();
  /// A line was longer than the limit; `next` gives nothing any more.
  bool overflowed() const { return overflowed_; }
  /// Passes over what is left of the line that was too long; `next` gives the lines behind it.
  void go_on();
  /// How that line began.
  const std::string& overlong_beginning() const { return beginning_; }
  /// Bytes held back because their line is not complete.
  std::size_t held() const { return buffer_.size() - begin_; }

private:
  std::size_t limit_;
  std::string buffer_;
  std::size_t begin_ = 0;  ///< of the first line that was not given out
  std::size_t seen_ = 0;   ///< up to here there is no LF after `begin_`
  bool overflowed_ = false;
  bool skipping_ = false;  ///< what comes up to the next LF belongs to a line that was too long
  std::string beginning_;
  bool finished_ = false;
};

/// Cuts the text to at most `bytes` without splitting a code point.
std::string_view clipped(std::string_view text, std::size_t bytes);

/// True for a first line as a browser or another HTTP client sends it. Such a peer must not be able
/// to talk to the runtime: a web page could otherwise post lines to a local port.
bool looks_like_http(std::string_view line);

}  // namespace fermata::io::protocol
