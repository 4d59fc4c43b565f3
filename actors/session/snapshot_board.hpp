#pragma once

#include "core/session/timeline/state.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::actors {

/// The last shown state of every loaded session, for whoever needs it without asking: lists, and
/// `$Out[other-session:12]` in an evaluation that runs on another thread. Sessions publish their
/// snapshots; a snapshot costs a pointer. Thread-safe.
class snapshot_board {
public:
  void publish(const session_snapshot& s) {
    std::unique_lock lock{mutex_};
    const bool is_new = by_slug_.insert_or_assign(s->meta.slug, s).second;
    if (is_new) tell(lock);
  }
  void remove(std::string_view slug) {
    std::unique_lock lock{mutex_};
    auto it = by_slug_.find(slug);
    if (it == by_slug_.end()) return;
    by_slug_.erase(it);
    tell(lock);
  }
  /// `changed` is called, on any thread, when a session comes or goes. Null: nobody is told.
  void on_change(std::function<void()> changed) {
    std::lock_guard lock{mutex_};
    changed_ = std::move(changed);
  }
  /// The session that clients use if they name none; empty: none yet. The session manager decides
  /// that and publishes it here whenever it changes; nobody else calls this.
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

  /// Every other one that is loaded, by slug.
  std::vector<session_snapshot> all_but(std::string_view slug) const {
    std::lock_guard lock{mutex_};
    std::vector<session_snapshot> all;
    for (auto& [other, state] : by_slug_)
      if (other != slug) all.push_back(state);
    return all;
  }

private:
  /// Calls the callback without the lock, since it may read the board.
  void tell(std::unique_lock<std::mutex>& lock) {
    auto changed = changed_;
    lock.unlock();
    if (changed) changed();
  }

  mutable std::mutex mutex_;
  std::map<std::string, session_snapshot, std::less<>> by_slug_;
  std::string active_;
  std::function<void()> changed_;
};

}  // namespace fermata::actors
