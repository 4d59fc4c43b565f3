#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace fermata::io {

/// Progress of reading the journals of sessions being opened. Shared between the threads that read
/// and the one that shows it.
struct loading_progress {
  std::atomic<std::uint64_t> read{0}, size{0};  ///< bytes, of all journals being opened
  std::atomic<bool> stop{false};                ///< cancelled: opening fails
};

/// Within its lifetime, what this thread reads of journals is counted, and stops when `stop` is
/// set. It is thread-local, since files are opened several calls below the code that shows the
/// progress.
class loading_watch {
public:
  explicit loading_watch(std::shared_ptr<loading_progress> progress);
  ~loading_watch();
  loading_watch(const loading_watch&) = delete;
  loading_watch& operator=(const loading_watch&) = delete;

private:
  std::shared_ptr<loading_progress> progress_, before_;
};

/// Adds bytes to be read; bytes read. Without a watch nothing is counted.
void loading_expects(std::uint64_t bytes);
void loading_has_read(std::uint64_t bytes);
bool loading_is_stopped();

}  // namespace fermata::io
