#include "io/files/inotify.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <cstring>

namespace fermata::io {

std::vector<raw_inotify_event> decode_inotify(std::string_view bytes) {
  std::vector<raw_inotify_event> out;
  inotify_event e;
  while (bytes.size() >= sizeof e) {
    std::memcpy(&e, bytes.data(), sizeof e);
    bytes.remove_prefix(sizeof e);
    if (bytes.size() < e.len) break;
    // The name is padded with zeroes; of a folder itself there is none.
    const auto padded = bytes.substr(0, e.len);
    out.push_back({e.wd, e.mask, std::string{padded.substr(0, padded.find('\0'))}});
    bytes.remove_prefix(e.len);
  }
  return out;
}

inotify::inotify() : fd_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {}

inotify::~inotify() {
  if (fd_ >= 0) ::close(fd_);
}

bool inotify::add(const std::filesystem::path& folder, std::uint32_t kinds) {
  if (fd_ < 0) return false;
  const auto watch = ::inotify_add_watch(fd_, folder.c_str(), kinds);
  // What was there before may have been moved away, and would still be watched.
  for (auto it = folders_.begin(); it != folders_.end();) {
    if (it->second != folder || it->first == watch) {
      ++it;
      continue;
    }
    ::inotify_rm_watch(fd_, it->first);
    it = folders_.erase(it);
  }
  if (watch < 0) return false;
  folders_[watch] = folder;
  return true;
}

void inotify::remove(const std::filesystem::path& folder) {
  for (auto it = folders_.begin(); it != folders_.end();) {
    if (it->second != folder) {
      ++it;
      continue;
    }
    ::inotify_rm_watch(fd_, it->first);
    it = folders_.erase(it);
  }
}

std::vector<std::filesystem::path> inotify::folders() const {
  std::vector<std::filesystem::path> out;
  for (const auto& [watch, folder] : folders_)
    out.push_back(folder);
  return out;
}

std::vector<inotify::change> inotify::read() {
  std::vector<change> out;
  char buffer[4096];
  for (;;) {
    const auto size = ::read(fd_, buffer, sizeof buffer);
    if (size <= 0) return out;
    for (auto& e : decode_inotify({buffer, static_cast<std::size_t>(size)})) {
      if (e.watch < 0) {
        out.push_back({});
        continue;
      }
      const auto at = folders_.find(e.watch);
      if (at == folders_.end()) continue;  // it is not watched any more
      out.push_back({at->second, std::move(e.name)});
      if (e.what & IN_IGNORED) folders_.erase(at);
    }
  }
}

}  // namespace fermata::io
