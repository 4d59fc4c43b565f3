#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace fermata::io::protocol {

/// Notifies of the removal, move or replacement of one of a few files (inotify). Its own thread
/// sleeps until then; there is no polling.
class file_watch {
public:
  /// `touched` is called on that thread, perhaps several times for one change, and if the folder of
  /// a file is removed. If the system cannot watch, it is never called.
  file_watch(const std::vector<std::filesystem::path>& files, std::function<void()> touched);
  /// `touched` is not called any more.
  ~file_watch();
  file_watch(const file_watch&) = delete;
  file_watch& operator=(const file_watch&) = delete;

private:
  void run();

  int events_ = -1, end_ = -1;
  std::vector<std::string> names_;
  std::function<void()> touched_;
  std::thread thread_;
};

}  // namespace fermata::io::protocol
