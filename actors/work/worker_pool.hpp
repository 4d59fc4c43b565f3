#pragma once

#include "messages/work_kind.hpp"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace fermata::actors {

/// The threads that all sessions of a process share for what would block an event-based actor.
///
/// One thread of each kind is started with the pool; more, up to a bound, when there is work for
/// them. So there is always a thread for everything, whatever becomes of the process: when the
/// system gives no further ones, work waits for those that there are. (A detached actor of CAF
/// 0.17 has a thread of its own and cannot say that it got none; and a pool of Boost.Asio that
/// fails to start a thread waits for the others for ever.)
///
/// Work of one kind begins in the order in which it came. Whoever needs its own work done in order
/// uses a strand (strand.hpp). Thread-safe. Work must not throw.
class worker_pool {
public:
  /// Throws std::runtime_error when not even the first threads can be started.
  worker_pool();
  /// Waits for what is under way; what has not begun is dropped.
  ~worker_pool();
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;

  void run(work_kind kind, std::function<void()> work);

  /// How many threads there are.
  std::size_t size() const;
  static std::size_t most_threads();

private:
  struct crew {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::function<void()>> waiting;
    std::size_t idle = 0, threads = 0;
    bool ending = false;
  };
  static void work(const std::shared_ptr<crew>& those);
  void add_thread(const std::shared_ptr<crew>& those);
  void end();

  std::array<std::shared_ptr<crew>, work_kinds> crews_;
  mutable std::mutex threads_mutex_;
  std::vector<std::thread> threads_;
};

/// Null: work is done on the thread of the actor that asks for it, as in tests of one thread.
using worker_pool_ptr = std::shared_ptr<worker_pool>;

}  // namespace fermata::actors
