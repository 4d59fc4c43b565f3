#pragma once

#include "core/session/state.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace fermata::actors {

/// The last shown state of every loaded session, for whoever needs it without asking: lists, and
/// `$Out[other-session:12]` in an evaluation that runs on another thread. Sessions pin up their
/// snapshots; a snapshot costs a pointer. Thread-safe.
class snapshot_board {
public:
  void pin(const session_snapshot& s) {
    std::lock_guard lock{mutex_};
    by_slug_.insert_or_assign(s->meta.slug, s);
  }
  void take_down(std::string_view slug) {
    std::lock_guard lock{mutex_};
    if (auto it = by_slug_.find(slug); it != by_slug_.end()) by_slug_.erase(it);
  }
  /// Which one the musician is in; empty: none yet.
  void set_active(std::string slug) {
    std::lock_guard lock{mutex_};
    active_ = std::move(slug);
  }
  std::string active() const {
    std::lock_guard lock{mutex_};
    return active_;
  }
  /// Null when it is not loaded.
  session_snapshot find(std::string_view slug) const {
    std::lock_guard lock{mutex_};
    auto it = by_slug_.find(slug);
    return it == by_slug_.end() ? nullptr : it->second;
  }

private:
  mutable std::mutex mutex_;
  std::map<std::string, session_snapshot, std::less<>> by_slug_;
  std::string active_;
};

}  // namespace fermata::actors
