// How the manager unloads sessions that nobody uses.

#include "actors/manager/session_manager.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace fermata::actors {

void session_manager_state::time_to_rest() {
  rest_is_due_ = false;
  unload_unused();
}

void session_manager_state::unload_unused() {
  if (stopping_ || sessions_.size() <= setup_.most_loaded) return;
  auto now = setup_.now();
  auto is_needed = [&](const std::string& slug, const managed& m) {
    return slug == active_ || !m.session || !m.store || m.loading || m.ending || m.in_memory ||
           !m.written_by.empty() || leaving_.contains(slug) || readers_.contains(slug) ||
           arriving_.contains(slug) || now - m.last_used < setup_.unused_after;
  };
  std::vector<std::pair<timestamp, std::string>> unused;
  for (auto& [slug, m] : sessions_)
    if (!is_needed(slug, m)) unused.emplace_back(m.last_used, slug);
  std::sort(unused.begin(), unused.end());
  unused.resize(std::min(unused.size(), sessions_.size() - setup_.most_loaded));
  for (auto& [used, slug] : unused)
    unload(slug);
  if (std::exchange(rest_is_due_, true)) return;
  self_->delayed_send(self_, setup_.unused_after, atom::rest_v);
}

void session_manager_state::unload(const std::string& slug) {
  auto& m = sessions_.at(slug);
  m.ending = m.unloading = true;
  self_->request(m.session, caf::infinite, atom::rest_v)
      .then(
          [this, slug](bool rests) {
            if (rests)
              stopped_one(slug);
            else
              not_unloaded(slug);
          },
          // It has crashed; the journal has everything.
          [this, slug](caf::error&) { stopped_one(slug); });
}

void session_manager_state::not_unloaded(const std::string& slug) {
  auto it = sessions_.find(slug);
  if (it == sessions_.end()) return;
  auto& m = it->second;
  m.unloading = false;
  m.last_used = setup_.now();
  if (stopping_) return;  // it is told to stop, and waits for nobody
  m.ending = false;
  for (auto& go_on : std::exchange(m.after_unloading, {}))
    go_on();
}

}  // namespace fermata::actors
