#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <mutex>
#include <system_error>
#include <utility>

namespace fermata::io {

/// What other threads hand to a thread that polls descriptors. Order is kept.
template <class T>
class inbox {
public:
  inbox() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (fd_ < 0)
      throw std::system_error{errno, std::generic_category(), "cannot create an event descriptor"};
  }
  ~inbox() { ::close(fd_); }
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;

  /// Readable while something is there.
  int descriptor() const { return fd_; }

  /// From any thread.
  void put(T x) {
    put_instead_of(std::move(x), [](const T&) { return false; });
  }

  /// The same; takes the place of the newest that is there when that `is_outdated`, so that what is
  /// repeated while nobody looks takes no room.
  template <class Predicate>
  void put_instead_of(T x, Predicate is_outdated) {
    {
      std::lock_guard guard{mutex_};
      if (!waiting_.empty() && is_outdated(waiting_.back()))
        waiting_.back() = std::move(x);
      else
        waiting_.push_back(std::move(x));
    }
    // Fails only when 2^64 - 2 wake-ups are waiting, and then the descriptor is readable anyway.
    [[maybe_unused]] auto done = ::eventfd_write(fd_, 1);
  }

  /// Everything that is there, oldest first.
  std::deque<T> take() {
    eventfd_t count;
    [[maybe_unused]] auto done = ::eventfd_read(fd_, &count);
    std::lock_guard guard{mutex_};
    return std::exchange(waiting_, {});
  }

private:
  int fd_;
  std::mutex mutex_;
  std::deque<T> waiting_;
};

}  // namespace fermata::io
