#include "io/terminal/signals.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace fermata::io {

signal_source::signal_source(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (int s : signals)
    sigaddset(&set, s);
  ::pthread_sigmask(SIG_BLOCK, &set, &before_);
  fd_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd_ < 0) throw std::system_error{errno, std::generic_category(), "cannot wait for signals"};
}

signal_source::~signal_source() {
  ::close(fd_);
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> signal_source::next() {
  signalfd_siginfo info;
  if (::read(fd_, &info, sizeof info) != sizeof info) return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

}  // namespace fermata::io
