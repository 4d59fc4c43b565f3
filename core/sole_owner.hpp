#pragma once

#include <atomic>
#include <memory>

namespace fermata {

/// Whether nobody but `p` holds what it points to, so that it may be changed in place. True only
/// after everything other holders read before they let go, possibly on other threads.
template <class T>
bool is_sole_owner(const std::shared_ptr<T>& p) {
  if (p.use_count() != 1) return false;
#ifdef __SANITIZE_THREAD__
  // ThreadSanitizer knows no fences; a copy that comes and goes passes through the same counter.
  auto passing = p;
#else
  std::atomic_thread_fence(std::memory_order_acquire);
#endif
  return true;
}

}  // namespace fermata
