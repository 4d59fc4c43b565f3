#include "io/terminal/typed_ahead.hpp"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace fermata::io {

bool is_typed_ahead() {
  termios before{};
  if (::tcgetattr(STDIN_FILENO, &before) != 0) return false;
  // While lines are edited by the terminal, only whole ones count as there.
  auto raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  int bytes = 0;
  auto known = ::ioctl(STDIN_FILENO, FIONREAD, &bytes) == 0;
  ::tcsetattr(STDIN_FILENO, TCSANOW, &before);
  return known && bytes > 0;
}

}  // namespace fermata::io
