// What happens in sessions, told to those who wait for it or subscribed to it.

#include "actors/ipc/ipc_connection_detail.hpp"
#include "actors/session/interruptible_entries.hpp"
#include "io/protocol/envelope.hpp"

#include <algorithm>

namespace fermata::actors {

namespace {

/// One more event that a client is to be told of: several become one, with the kinds of all.
void owe(std::optional<session_event>& due, const session_event& e) {
  if (!due) {
    due = e;
  } else {
    const auto known = event_kinds(*due);
    auto what = due->what;
    for (auto kind : event_kinds(e))
      if (std::find(known.begin(), known.end(), kind) == known.end()) what.append(" ").append(kind);
    due->what = std::move(what);
    due->sequence = e.sequence;
    due->after = e.after;
  }
  due->entries.clear();  // they are taken from the timeline
}

}  // namespace

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
    if (wanted) {
      owe(sub.due, e);
      send_due(sub);
    } else if (!sub.due) {
      // With something due these entries come after it, wanted or not: there is never a gap.
      sub.seen = e.after->history.size();
    }
  }
  flush();
}

void ipc_connection_state::list_changed() {
  for (auto& [number, sub] : subscriptions_) {
    if (!sub.kinds.empty() && sub.kinds.find("sessions") == sub.kinds.end()) continue;
    sub.list_changed = true;
    send_due(sub);
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
  if (!j->broken.empty()) return refuse_broken(j);
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
  sub.reply = j->to;
  auto& kept = subscriptions_[sub.number] = std::move(sub);
  if (kept.seen < now->history.size())
    owe(kept.due, {.session = kept.slug, .what = "entries", .after = now});
  // What was missed leaves behind the reply. The next request, which that lets begin, may end the
  // stream.
  answered(j, {{"subscription", kept.number},
               {"session", kept.slug},
               {"revision", now->revision},
               {"entries", now->history.size()},
               {"resumed", kept.resumed}});
}

void ipc_connection_state::tell_of_list(subscription& s) {
  const auto known = sessions_.find(s.slug);
  if (known == sessions_.end()) return;
  const auto& now = *known->second.last;
  out_ += io::protocol::notification_line(s.style, "events.event",
                                          {{"subscription", s.number},
                                           {"number", ++s.events},
                                           {"session", s.slug},
                                           {"what", json::array{"sessions"}},
                                           {"revision", now.revision},
                                           {"total", now.history.size()},
                                           {"entries", json::array{}}});
  out_ += '\n';
}

/// As much as the client may leave untaken without holding up its replies. The rest follows when it
/// has taken some of that.
void ipc_connection_state::send_due(subscription& s) {
  constexpr std::int64_t entries_at_once = 50;
  const auto has_room = [this] { return out_.size() + unsent_ < settings_->max_unsent / 2; };
  if (!s.reply.left() || s.reading || !has_room()) return;
  s.reply = {};
  if (std::exchange(s.list_changed, false)) tell_of_list(s);
  if (!s.due) return;
  if (s.seen >= s.read_up_to) s.missed.reset();
  auto e = *s.due;
  if (s.missed) {
    auto state = *e.after;
    state.history = state.history.read_through(s.missed);
    e.after = std::make_shared<const session_state>(std::move(state));
  }
  const auto last_on_disk = on_disk(e.after->history);
  while (has_room()) {
    auto most = entries_at_once;
    if (s.seen < last_on_disk) {
      if (s.seen >= s.read_up_to) return read_on(s);
      most = std::min(most, s.read_up_to - s.seen);
    }
    auto params = event_params(e, s.seen, static_cast<std::size_t>(most));
    params["subscription"] = s.number;
    params["number"] = ++s.events;
    out_ += io::protocol::notification_line(s.style, "events.event", params);
    out_ += '\n';
    if (s.seen < e.after->history.size()) continue;
    s.due.reset();
    s.missed.reset();
    return;
  }
}

void ipc_connection_state::send_all_due() {
  if (leaving_) return;
  for (auto& [number, sub] : subscriptions_)
    send_due(sub);
  if (window_ && window_->changed) tell_window("changed", {});
}

bool ipc_connection_state::owes_events() const {
  return std::any_of(subscriptions_.begin(), subscriptions_.end(),
                     [](const auto& s) { return s.second.due || s.second.list_changed; });
}

/// The client is so far behind that what comes next has gone to the disk since: reads some of it
/// beside. It is no request: nothing is answered.
void ipc_connection_state::read_on(subscription& s) {
  constexpr std::int64_t entries_at_once = 1'000;
  struct found {
    entry_loader_ptr entries;
  };
  const auto& now = s.due->after;
  const auto to = std::min(on_disk(now->history), s.seen + entries_at_once);
  auto j = std::make_shared<job>();
  auto read = std::make_shared<found>();
  j->interrupted = std::make_shared<std::atomic<bool>>(gone_);
  j->work = [read, after = s.seen, to, from = read_until(*now, j->interrupted),
             others = now->history.loader()]() -> std::string {
    read->entries = std::make_shared<entries_at_hand>(from->history, after, to, others);
    return {};
  };
  j->when_done = [this, number = s.number, read, to, j = std::weak_ptr{j}] {
    const auto done = j.lock();
    open_.erase(done);
    const auto at = subscriptions_.find(number);
    if (at == subscriptions_.end()) return;  // it was ended meanwhile
    auto& sub = at->second;
    sub.reading = false;
    if (done && done->broken.empty()) {
      sub.missed = read->entries;
      sub.read_up_to = to;
      send_due(sub);
    } else {
      end_subscription(number);
    }
    flush();
  };
  s.reading = true;
  open_.insert(j);  // so that it ends with the connection
  run_beside(j);
}

/// It tells from where on to begin again.
void ipc_connection_state::end_subscription(std::int64_t number) {
  const auto at = subscriptions_.find(number);
  if (at == subscriptions_.end()) return;
  const auto& s = at->second;
  out_ += io::protocol::notification_line(s.style, "events.ended",
                                          {{"subscription", number},
                                           {"session", s.slug},
                                           {"since", s.seen},
                                           {"hint", "subscribe again with this `since`"}});
  out_ += '\n';
  subscriptions_.erase(at);
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
                   "check with get_session whether the request took effect before repeating it"};
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
    std::vector<std::int64_t> ended;
    for (const auto& [number, sub] : subscriptions_)
      if (sub.slug == it->first) ended.push_back(number);
    for (auto number : ended)
      end_subscription(number);
    it = sessions_.erase(it);
  }
  flush();
}

}  // namespace fermata::actors
