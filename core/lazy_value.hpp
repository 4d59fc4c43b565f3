#pragma once

#include <atomic>
#include <memory>

namespace fermata {

/// A value that is computed on first use, on any thread, and then cached. Two threads may make it
/// at the same time; one of the results is dropped, so that nobody waits.
template <class T>
class lazy_value {
public:
  lazy_value() = default;
  ~lazy_value() { delete known(); }
  lazy_value(const lazy_value&) = delete;
  lazy_value& operator=(const lazy_value&) = delete;

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
