#include "io/protocol/file_watch.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace fermata::io::protocol {

file_watch::file_watch(const std::vector<std::filesystem::path>& files,
                       std::function<void()> touched)
  : events_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)),
    end_(::eventfd(0, EFD_CLOEXEC)),
    touched_(std::move(touched)) {
  if (events_ < 0 || end_ < 0) return;
  std::set<std::filesystem::path> folders;
  for (const auto& f : files) {
    names_.push_back(f.filename().string());
    folders.insert(f.parent_path());
  }
  for (const auto& folder : folders)
    ::inotify_add_watch(events_, folder.c_str(),
                        IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF);
  // Signals are for the threads that wait for them.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread{[this] { run(); }};
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

file_watch::~file_watch() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    while (::write(end_, &one, sizeof one) < 0) {
    }
    thread_.join();
  }
  if (events_ >= 0) ::close(events_);
  if (end_ >= 0) ::close(end_);
}

void file_watch::run() {
  for (;;) {
    pollfd waits[] = {{end_, POLLIN, 0}, {events_, POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0) continue;
    if (waits[0].revents) return;
    alignas(inotify_event) char buffer[4096];
    const auto size = ::read(events_, buffer, sizeof buffer);
    bool is_ours = false;
    for (ssize_t at = 0; at < size;) {
      const auto* e = reinterpret_cast<const inotify_event*>(buffer + at);
      // The name is padded with zeroes; of a folder itself there is none.
      const std::string name = e->len ? e->name : "";
      is_ours |= name.empty() || std::find(names_.begin(), names_.end(), name) != names_.end();
      at += static_cast<ssize_t>(sizeof *e + e->len);
    }
    if (is_ours) touched_();
  }
}

}  // namespace fermata::io::protocol
