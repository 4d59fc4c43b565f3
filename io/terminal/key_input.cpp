#include "io/terminal/key_input.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace fermata::io {

int key_input::next() {
  while (!is_waiting()) {
    char buffer[1 << 14];
    auto n = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (n > 0) {
      bytes_.assign(buffer, static_cast<std::size_t>(n));
      at_ = 0;
    } else if (n < 0 && errno == EAGAIN) {
      pollfd input{STDIN_FILENO, POLLIN, 0};
      ::poll(&input, 1, -1);
    } else if (n == 0 || errno != EINTR) {
      ended_ = true;
      return -1;
    }
  }
  return static_cast<unsigned char>(bytes_[at_++]);
}

bool key_input::comes_within(int milliseconds) const {
  if (is_waiting()) return true;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, milliseconds) > 0;
}

void key_input::forget() {
  bytes_.clear();
  at_ = 0;
}

}  // namespace fermata::io
