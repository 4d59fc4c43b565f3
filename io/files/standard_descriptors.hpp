#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace fermata::io {

/// Whoever starts a program with `>&-` leaves descriptor 1 free for the next file that is opened,
/// and what is printed would go into that. This takes the standard descriptors that are free for
/// something that cannot be written (1 and 2) or has nothing to read (0), so that using them fails
/// as it should. To be called before anything is opened.
inline void occupy_standard_descriptors() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      // The lowest that is free is what `open` gives.
      (void)::open("/dev/null", O_RDONLY);
}

}  // namespace fermata::io
