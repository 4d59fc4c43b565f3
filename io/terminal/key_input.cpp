#include "io/terminal/key_input.hpp"

#include "core/lang/syntax/token.hpp"
#include "core/utf8.hpp"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace fermata::io {

namespace {

/// Whether some bytes behind these would make a character of them. All that may follow lies between
/// 80 and BF, and where only a part of that does (RFC 3629, section 4), the part has one of the
/// two.
bool begins_character(std::string_view bytes) {
  for (auto next : {'\x80', '\xbf'}) {
    std::string whole{bytes};
    while (whole.size() < 4) {
      whole += next;
      if (find_invalid_utf8(whole) == whole.npos) return true;
    }
  }
  return false;
}

/// Where the beginning of a character that has no end stands; the size when the text has none.
std::size_t unfinished_in(std::string_view text) {
  constexpr std::size_t longest = 3;
  for (std::size_t n = 1; n <= std::min(longest, text.size()); ++n)
    if (begins_character(text.substr(text.size() - n))) return text.size() - n;
  return text.size();
}

bool has_input(int milliseconds) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, milliseconds) > 0;
}

}  // namespace

std::string whole_characters::take(std::string_view piece) {
  auto bytes = std::exchange(begun_, {}).append(piece);
  auto end = unfinished_in(bytes);
  begun_ = bytes.substr(end);
  return as_valid_utf8(std::string_view{bytes}.substr(0, end));
}

std::string whole_characters::rest() { return as_valid_utf8(std::exchange(begun_, {})); }

void key_input::read_some() {
  char buffer[1 << 14];
  auto n = ::read(STDIN_FILENO, buffer, sizeof buffer);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  ended_ = n <= 0;
  bytes_.erase(0, std::exchange(at_, 0));
  bytes_ += ended_ ? characters_.rest() : characters_.take({buffer, static_cast<std::size_t>(n)});
}

int key_input::next() {
  constexpr int for_ever = -1;
  while (!is_waiting()) {
    if (ended_) return -1;
    if (has_input(for_ever)) read_some();
  }
  auto byte = static_cast<unsigned char>(bytes_[at_++]);
  // A pasted CR LF is one line end. Who presses Enter and Ctrl-J has them come one by one.
  if (byte == '\r') {
    if (!is_waiting() && !ended_ && has_input(0)) read_some();
    if (is_waiting() && bytes_[at_] == '\n') ++at_;
  }
  return byte;
}

bool key_input::comes_within(int milliseconds) {
  if (!is_waiting() && !ended_ && has_input(milliseconds)) read_some();
  return is_waiting() || ended_;
}

void key_input::take_typed_ahead() {
  termios before{};
  if (::tcgetattr(STDIN_FILENO, &before) != 0) return;
  // While lines are edited by the terminal, it gives only whole ones.
  auto raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  while (!ended_ && has_input(0))
    read_some();
  ::tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

void key_input::forget() {
  characters_ = {};
  bytes_.clear();
  at_ = 0;
}

}  // namespace fermata::io
