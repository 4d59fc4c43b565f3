#include "actors/work/worker_pool.hpp"

#include <numeric>
#include <stdexcept>
#include <string>
#include <system_error>

namespace fermata::actors {

namespace {

/// By kind. What waits for the disk may be more than there are processors; what computes is not
/// faster for it, and a few of each see to it that one that takes long does not hold up the next.
constexpr std::array<std::size_t, work_kinds> most_of_kind{4, 1, 4, 2, 2, 1, 2, 4, 2, 2, 1, 3};
static_assert(most_of_kind.back() > 0, "a row for each kind");

}  // namespace

std::size_t worker_pool::most_threads() {
  return std::accumulate(most_of_kind.begin(), most_of_kind.end(), std::size_t{0});
}

worker_pool::worker_pool() {
  try {
    for (auto& those : crews_) {
      those = std::make_shared<crew>();
      add_thread(those);
    }
  } catch (const std::system_error& why) {
    end();
    throw std::runtime_error{std::string{"cannot create a thread: "} + why.what()};
  }
}

worker_pool::~worker_pool() { end(); }

void worker_pool::end() {
  for (auto& those : crews_) {
    if (!those) continue;
    std::deque<std::function<void()>> dropped;
    {
      std::lock_guard lock{those->mutex};
      those->ending = true;
      dropped.swap(those->waiting);
    }
    those->changed.notify_all();
  }
  for (auto& thread : threads_)
    // The last owner may have been something that a worker has just let go of.
    if (thread.get_id() == std::this_thread::get_id())
      thread.detach();
    else
      thread.join();
  threads_.clear();
}

std::size_t worker_pool::size() const {
  std::lock_guard lock{threads_mutex_};
  return threads_.size();
}

/// Counted before it exists, by whoever has the lock of the crew or is alone with it.
void worker_pool::add_thread(const std::shared_ptr<crew>& those) {
  std::lock_guard lock{threads_mutex_};
  threads_.reserve(threads_.size() + 1);
  threads_.emplace_back([those] { work(those); });
  ++those->threads;
}

void worker_pool::run(work_kind kind, std::function<void()> what) {
  auto index = static_cast<std::size_t>(kind);
  auto& those = crews_[index];
  {
    std::lock_guard lock{those->mutex};
    if (those->ending) return;
    those->waiting.push_back(std::move(what));
    if (those->waiting.size() > those->idle && those->threads < most_of_kind[index]) {
      try {
        add_thread(those);
      } catch (const std::system_error&) {
        // It waits for the threads that there are.
      }
    }
  }
  those->changed.notify_one();
}

void worker_pool::work(const std::shared_ptr<crew>& those) {
  std::unique_lock lock{those->mutex};
  while (true) {
    ++those->idle;
    those->changed.wait(lock, [&] { return those->ending || !those->waiting.empty(); });
    --those->idle;
    if (those->ending) return;
    {
      auto next = std::move(those->waiting.front());
      those->waiting.pop_front();
      lock.unlock();
      next();
      // What it holds goes before the next begins.
    }
    lock.lock();
  }
}

}  // namespace fermata::actors
