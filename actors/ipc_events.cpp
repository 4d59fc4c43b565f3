// What happens in sessions, told to those who wait for it or subscribed to it.

#include "actors/interruptible_entries.hpp"
#include "actors/ipc_connection_detail.hpp"
#include "io/protocol/envelope.hpp"

#include <algorithm>

namespace fermata::actors {

void ipc_connection_state::happened(const session_event& e) {
  if (auto known = sessions_.find(e.session); known != sessions_.end())
    known->second.last = e.after;
  const auto kinds = event_kinds(e);
  for (auto it = waiters_.begin(); it != waiters_.end();) {
    auto& w = it->second;
    if (w.slug != e.session) {
      ++it;
      continue;
    }
    for (auto kind : kinds)
      w.what.emplace(kind);
    if (!w.is_content(*e.after, true)) {
      ++it;
      continue;
    }
    auto satisfied = std::move(w);
    it = waiters_.erase(it);
    answered(satisfied.of, satisfied.result(*e.after, true));
  }
  for (auto& [number, sub] : subscriptions_) {
    const bool wanted =
        sub.kinds.empty() ||
        std::any_of(kinds.begin(), kinds.end(), [&sub = sub](std::string_view kind) {
          return sub.kinds.find(kind) != sub.kinds.end();
        });
    if (sub.slug != e.session) continue;
    if (wanted)
      send_event(sub, e);
    else
      sub.seen = e.after->history.size();
  }
  flush();
}

void ipc_connection_state::list_changed() {
  for (auto& [number, sub] : subscriptions_) {
    if (!sub.kinds.empty() && sub.kinds.find("sessions") == sub.kinds.end()) continue;
    const auto known = sessions_.find(sub.slug);
    if (known == sessions_.end()) continue;
    const auto& s = *known->second.last;
    out_ += io::protocol::notification_line(sub.style, "events.event",
                                            {{"subscription", sub.number},
                                             {"number", ++sub.events},
                                             {"session", sub.slug},
                                             {"what", json::array{"sessions"}},
                                             {"revision", s.revision},
                                             {"total", s.history.size()},
                                             {"entries", json::array{}}});
    out_ += '\n';
  }
  flush();
}

namespace {

/// Entries that were read beforehand, for those who may not wait for a disk.
class entries_at_hand final : public entry_source_on_disk {
public:
  /// Reads those with the indices (after, to]. Others come from `others`, which waits.
  entries_at_hand(const history& from, std::int64_t after, std::int64_t to, entry_loader_ptr others)
    : first_(after + 1), others_(std::move(others)) {
    for (auto i = first_; i <= to; ++i)
      entries_.push_back(from.at(i));
  }
  result<entry_ptr> load(std::int64_t index) const override {
    const auto i = static_cast<std::size_t>(index - first_);
    return index >= first_ && i < entries_.size() ? entries_[i] : others_->load(index);
  }

private:
  std::int64_t first_;
  entry_loader_ptr others_;
  std::vector<entry_ptr> entries_;
};

std::int64_t on_disk(const history& h) { return h.size() - h.resident(); }

}  // namespace

/// Reads beside what the client has missed and lies on disk. When that takes so long that more has
/// gone to the disk meanwhile, reads again.
void ipc_connection_state::catch_up(const job_ptr& j, const std::shared_ptr<subscription>& sub) {
  const auto known = sessions_.find(sub->slug);
  if (known == sessions_.end()) return;  // it died, and so the request was answered
  const auto now = known->second.last;
  const auto last = on_disk(now->history);
  if (sub->seen >= last || sub->read_up_to >= last) return caught_up(j, std::move(*sub));
  j->interrupted = std::make_shared<std::atomic<bool>>(gone_);
  j->work = [sub, last, from = read_until(*now, j->interrupted),
             others = now->history.loader()]() -> std::string {
    sub->missed = std::make_shared<entries_at_hand>(from->history, sub->seen, last, others);
    sub->read_up_to = last;
    return {};
  };
  j->when_done = [this, j = std::weak_ptr{j}, sub] {
    if (auto still_open = j.lock()) catch_up(still_open, sub);
  };
  run_beside(j);
}

/// Its reply, what was missed since the last time, and from then on what happens.
void ipc_connection_state::caught_up(const job_ptr& j, subscription sub) {
  const auto now = sessions_.at(sub.slug).last;
  sub.number = next_subscription_++;
  auto& kept = subscriptions_[sub.number] = std::move(sub);
  answered(j, {{"subscription", kept.number},
               {"session", kept.slug},
               {"revision", now->revision},
               {"entries", now->history.size()},
               {"resumed", kept.resumed}});
  if (kept.seen < now->history.size()) {
    send_event(kept, {.session = kept.slug, .what = "entries", .after = now});
    flush();
  }
}

void ipc_connection_state::send_event(subscription& s, const session_event& e) {
  constexpr std::size_t entries_at_once = 50;
  if (s.missed && s.seen < s.read_up_to && e.after->history.loader() != s.missed) {
    auto with_missed = e;
    auto state = *e.after;
    state.history = state.history.read_through(s.missed);
    with_missed.after = std::make_shared<const session_state>(std::move(state));
    return send_event(s, with_missed);
  }
  if (s.seen >= s.read_up_to) s.missed.reset();
  do {
    auto params = event_params(e, s.seen, entries_at_once);
    params["subscription"] = s.number;
    params["number"] = ++s.events;
    out_ += io::protocol::notification_line(s.style, "events.event", params);
    out_ += '\n';
    // With more than it may leave untaken a reader is disconnected; the next event brings the rest.
  } while (s.seen < e.after->history.size() && out_.size() < settings_->max_unsent_events / 2);
}

void ipc_connection_state::waited_long_enough(std::uint64_t id) {
  auto it = waiters_.find(id);
  if (it == waiters_.end()) return;
  auto w = std::move(it->second);
  waiters_.erase(it);
  auto known = sessions_.find(w.slug);
  if (known == sessions_.end()) return;
  answered(w.of, w.result(*known->second.last, false));
}

void ipc_connection_state::session_down(const caf::actor_addr& who_died) {
  monitored_.erase(who_died);
  const fault gone{fault_code::unavailable, "the session ended before it answered",
                   "look with get_session whether the request took effect, then repeat it"};
  std::vector<job_ptr> lost;
  for (const auto& j : open_)
    if (j->relied_on == who_died) lost.push_back(j);
  for (const auto& j : lost)
    refused(j, gone);
  for (auto it = sessions_.begin(); it != sessions_.end();) {
    if (it->second.actor != who_died) {
      ++it;
      continue;
    }
    std::erase_if(waiters_, [&](const auto& w) { return w.second.slug == it->first; });
    for (auto sub = subscriptions_.begin(); sub != subscriptions_.end();) {
      if (sub->second.slug == it->first) {
        out_ += io::protocol::notification_line(sub->second.style, "events.ended",
                                                {{"subscription", sub->first},
                                                 {"session", it->first},
                                                 {"since", sub->second.seen},
                                                 {"hint", "subscribe again with this `since`"}});
        out_ += '\n';
        sub = subscriptions_.erase(sub);
      } else {
        ++sub;
      }
    }
    it = sessions_.erase(it);
  }
  flush();
}

}  // namespace fermata::actors
