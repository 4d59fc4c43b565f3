#pragma once

#include <atomic>
#include <memory>

namespace fermata {

/// A value made by whoever asks for it first, on any thread, and then kept. Two threads may make it
/// at the same time; one of the results is dropped, so that nobody waits.
template <class T>
class made_once {
public:
  made_once() = default;
  ~made_once() { delete known(); }
  made_once(const made_once&) = delete;
  made_once& operator=(const made_once&) = delete;

  /// Null: not made yet.
  const T* known() const { return made_.load(std::memory_order_acquire); }

  /// `make()` returns the value, the same each time.
  template <class Make>
  const T& get(Make make) const {
    if (auto* value = known()) return *value;
    auto mine = std::make_unique<const T>(make());
    const T* other = nullptr;
    if (!made_.compare_exchange_strong(other, mine.get(), std::memory_order_acq_rel)) return *other;
    return *mine.release();
  }

private:
  mutable std::atomic<const T*> made_{nullptr};
};

}  // namespace fermata
