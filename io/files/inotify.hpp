#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// One event of inotify(7).
struct raw_inotify_event {
  int watch = -1;  ///< which folder; -1: events were lost
  std::uint32_t what = 0;
  std::string name{};  ///< of the entry; empty: the folder itself

  friend bool operator==(const raw_inotify_event&, const raw_inotify_event&) = default;
};

/// The events in what was read from an inotify descriptor.
std::vector<raw_inotify_event> decode_inotify(std::string_view bytes);

/// Changes in folders, as the kernel notifies of them. Whoever owns it waits for its descriptor to
/// become readable; it never blocks.
class inotify {
public:
  /// Closed when the system has no instance left: nothing is ever reported then.
  inotify();
  ~inotify();
  inotify(const inotify&) = delete;
  inotify& operator=(const inotify&) = delete;

  bool is_open() const { return fd_ >= 0; }
  /// -1 when it is closed.
  int fd() const { return fd_; }

  /// Reports events of these kinds (IN_DELETE, ...) in a folder from now on. False when the folder
  /// cannot be watched.
  bool add(const std::filesystem::path& folder, std::uint32_t kinds);
  /// Reports nothing of a folder any more.
  void remove(const std::filesystem::path& folder);
  std::vector<std::filesystem::path> folders() const;

  struct change {
    std::filesystem::path folder;  ///< as it was added; empty: changes were lost
    std::string name{};            ///< of the entry; empty: the folder itself

    friend bool operator==(const change&, const change&) = default;
  };
  /// What has happened since the last call; empty: nothing.
  std::vector<change> read();

private:
  int fd_;
  std::map<int, std::filesystem::path> folders_;  ///< by watch
};

}  // namespace fermata::io
