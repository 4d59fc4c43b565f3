#include "actors/ipc/session_events.hpp"

#include "actors/ipc/ipc_reply.hpp"
#include "actors/session/interruptible_entries.hpp"
#include "io/json/playback_json.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace fermata::actors {

namespace json = boost::json;

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

std::int64_t entries_on_disk(const history& h) { return h.size() - h.resident(); }

/// The same session, whose entries on disk are at hand.
session_snapshot reading_through(const session_state& s, const entry_loader_ptr& loader) {
  auto copy = s;
  copy.history = s.history.read_through(loader);
  return std::make_shared<const session_state>(std::move(copy));
}

}  // namespace

void session_events::with_observed(const ipc_request_ptr& r, const session_ref& ref,
                                   std::function<void(const session_snapshot&)> next) {
  if (auto known = sessions_.find(ref.slug);
      known != sessions_.end() && known->second.actor == ref.actor.address())
    return next(known->second.last);
  core_.self
      ->request(ref.actor, caf::infinite, atom::observe_v, session_observer_actor{core_.handle()})
      .then(
          [this, r, next = std::move(next), slug = ref.slug,
           address = ref.actor.address()](const session_snapshot& s) {
            sessions_[slug] = {address, s};
            if (!r->done) next(s);
          },
          [this, r](const caf::error& e) { requests_.refuse(r, e); });
}

// --- waiting for a change ------------------------------------------------------------------------

void session_events::wait(const ipc_request_ptr& r, const session_ref& in,
                          const io::protocol::wait_for_change& c) {
  waiter w{r, in.slug, {c.revision, c.entry}};
  with_observed(r, in, [this, w, timeout = c.timeout](const session_snapshot& s) {
    if (w.condition.is_met(*s, false)) return answer_wait(w, *s, true);
    std::erase_if(waiters_, [](auto& other) { return other.second.of->done; });
    const auto number = next_waiter_++;
    waiters_.emplace(number, w);
    core_.send_later(timeout, atom::wait_over_v, number);
  });
}

void session_events::answer_wait(const waiter& w, const session_state& s, bool changed) {
  json::array kinds;
  for (const auto& kind : w.kinds)
    kinds.emplace_back(kind);
  requests_.answer(w.of, {{"session", s.meta.slug},
                          {"revision", s.revision},
                          {"changed", changed},
                          {"entries", s.history.size()},
                          {"what", std::move(kinds)}});
}

void session_events::wait_timed_out(std::uint64_t number) {
  auto it = waiters_.find(number);
  if (it == waiters_.end()) return;
  const auto w = std::move(it->second);
  waiters_.erase(it);
  if (auto known = sessions_.find(w.session); known != sessions_.end())
    answer_wait(w, *known->second.last, false);
}

// --- what happens --------------------------------------------------------------------------------

void session_events::happened(const session_event& e) {
  if (auto known = sessions_.find(e.session); known != sessions_.end())
    known->second.last = e.after;
  std::vector<waiter> satisfied;
  for (auto it = waiters_.begin(); it != waiters_.end();) {
    auto& w = it->second;
    const bool is_meant = w.session == e.session && !w.of->done;
    if (is_meant)
      for (auto kind : event_kinds(e))
        w.kinds.emplace(kind);
    const bool is_satisfied = is_meant && w.condition.is_met(*e.after, true);
    const bool is_over = is_satisfied || w.of->done;
    if (is_satisfied) satisfied.push_back(std::move(w));
    it = is_over ? waiters_.erase(it) : std::next(it);
  }
  for (const auto& w : satisfied)
    answer_wait(w, *e.after, true);
  for (auto& [number, sub] : subscriptions_) {
    if (sub.session != e.session) continue;
    if (!sub.stream.happened(e.what, e.sequence, e.after->history.size())) continue;
    sub.due_state = e.after;
    send_due(sub);
  }
}

void session_events::list_changed() {
  for (auto& [number, sub] : subscriptions_)
    if (sub.stream.list_changed()) send_due(sub);
}

/// That playback has stopped is told to whoever was told that it plays.
void session_events::played(const playback_status& status) {
  for (auto& [number, sub] : subscriptions_) {
    if (!sub.wants_transport) continue;
    if (status.is_active() && status.session != sub.session) continue;
    sub.transport_due = status;
    send_due(sub);
  }
}

/// Whoever was told that a recording has begun is told that it has ended.
void session_events::recorded(const recording_status& status) {
  for (auto& [number, sub] : subscriptions_) {
    if (!sub.wants_recording || !status.notice.empty()) continue;
    if (status.is_recording() && status.session != sub.session) continue;
    sub.recording_due = status;
    send_due(sub);
  }
}

void session_events::session_ended(const caf::actor_addr& who) {
  for (auto it = sessions_.begin(); it != sessions_.end();) {
    if (it->second.actor != who) {
      ++it;
      continue;
    }
    std::erase_if(waiters_, [&](const auto& w) { return w.second.session == it->first; });
    std::vector<std::int64_t> ended;
    for (const auto& [number, sub] : subscriptions_)
      if (sub.session == it->first) ended.push_back(number);
    for (auto number : ended)
      end_stream(number);
    it = sessions_.erase(it);
  }
}

void session_events::clear() {
  waiters_.clear();
  subscriptions_.clear();
}

// --- subscriptions -------------------------------------------------------------------------------

void session_events::subscribe(const ipc_request_ptr& r, const session_ref& to,
                               const io::protocol::subscribe_events& c) {
  with_observed(r, to, [this, r, c, slug = to.slug](const session_snapshot& s) {
    // Who has missed more reads it with get_history.
    constexpr std::int64_t most_resumed = 1'000;
    const auto size = s->history.size();
    auto sub = std::make_shared<subscription>();
    sub->style = r->what.head.style;
    sub->session = slug;
    sub->resumed = !c.since || (*c.since <= size && size - *c.since <= most_resumed);
    sub->stream = io::protocol::event_stream{{c.kinds.begin(), c.kinds.end()},
                                             sub->resumed ? c.since.value_or(size) : size};
    auto wants = [&](const char* kind) {
      return std::find(c.kinds.begin(), c.kinds.end(), kind) != c.kinds.end();
    };
    sub->wants_transport = wants("transport");
    sub->wants_recording = wants("recording");
    if (sub->wants_recording && core_.settings->recorder &&
        !std::exchange(observes_recorder_, true))
      core_.self->send(core_.settings->recorder, atom::observe_v,
                       recording_observer_actor{core_.handle()});
    if (sub->wants_transport && core_.settings->player && !std::exchange(observes_player_, true))
      core_.self->send(core_.settings->player, atom::observe_v,
                       playback_observer_actor{core_.handle()});
    catch_up(r, sub);
  });
}

/// Reads what the client has missed and lies on disk. When that takes so long that more has gone to
/// the disk meanwhile, reads again.
void session_events::catch_up(const ipc_request_ptr& r, const std::shared_ptr<subscription>& sub) {
  if (!r->failure.empty()) return requests_.finish_work(r, {});
  const auto known = sessions_.find(sub->session);
  if (known == sessions_.end()) return;  // it died, and so the request was answered
  const auto now = known->second.last;
  const auto last = entries_on_disk(now->history);
  if (sub->stream.has_caught_up(last)) return caught_up(r, std::move(*sub));
  r->interrupted = requests_.new_interrupt_flag();
  r->work = [sub, last, from = read_until(*now, r->interrupted),
             others = now->history.loader()]() -> std::string {
    sub->missed =
        std::make_shared<entries_at_hand>(from->history, sub->stream.seen(), last, others);
    sub->stream.read(last);
    return {};
  };
  r->when_done = [this, r = std::weak_ptr{r}, sub] {
    if (auto still_open = r.lock()) catch_up(still_open, sub);
  };
  disk_.add(r);
}

/// Its reply, what was missed since the last time, and from then on what happens.
void session_events::caught_up(const ipc_request_ptr& r, subscription sub) {
  const auto now = sessions_.at(sub.session).last;
  sub.number = next_subscription_++;
  sub.reply = r->to;
  auto& kept = subscriptions_[sub.number] = std::move(sub);
  if (kept.stream.seen() < now->history.size()) {
    kept.stream.owe("entries", 0);
    kept.due_state = now;
  }
  // What was missed leaves behind the reply. The next request, which that lets begin, may end the
  // stream.
  requests_.answer(r, {{"subscription", kept.number},
                       {"session", kept.session},
                       {"revision", now->revision},
                       {"entries", now->history.size()},
                       {"resumed", kept.resumed}});
}

void session_events::send_due() {
  for (auto& [number, sub] : subscriptions_)
    send_due(sub);
}

bool session_events::owes_anything() const {
  return std::any_of(subscriptions_.begin(), subscriptions_.end(), [](const auto& s) {
    return s.second.stream.owes_anything() || s.second.transport_due || s.second.recording_due;
  });
}

/// As much as the client may leave untaken without holding up its replies. The rest follows when it
/// has taken some of that.
void session_events::send_due(subscription& s) {
  if (!s.reply.left() || s.reading || !core_.has_room_for_events()) return;
  s.reply = {};
  if (s.stream.take_list_change()) send_without_entries(s, "sessions", {});
  if (auto status = std::exchange(s.transport_due, std::nullopt))
    send_without_entries(s, "transport", {{"transport", io::to_json(*status)}});
  if (auto status = std::exchange(s.recording_due, std::nullopt))
    send_without_entries(s, "recording", {{"recording", io::to_json(*status)}});
  if (!s.stream.due()) return;
  if (!s.stream.has_read_ahead()) s.missed.reset();
  const auto now = s.missed ? reading_through(*s.due_state, s.missed) : s.due_state;
  while (s.stream.due() && core_.has_room_for_events()) {
    const auto next = s.stream.next(now->history.size(), entries_on_disk(now->history));
    if (next.from_disk) return read_from_disk(s, next.up_to);
    send_portion(s, now, next.up_to);
  }
  if (s.stream.due()) return;
  s.due_state.reset();
  s.missed.reset();
}

void session_events::send_portion(subscription& s, const session_snapshot& now,
                                  std::int64_t up_to) {
  session_event e;
  e.session = s.session;
  e.what = s.stream.due()->what;
  e.sequence = s.stream.due()->sequence;
  e.after = now;
  auto seen = s.stream.seen();
  auto params = event_params(e, seen, static_cast<std::size_t>(up_to - seen));
  params["subscription"] = s.number;
  params["number"] = s.stream.next_number();
  core_.lines.notify(s.style, "events.event", params);
  s.stream.sent(seen, now->history.size());
}

/// An event without entries; `more`: its own members.
void session_events::send_without_entries(subscription& s, const char* what, json::object more) {
  const auto known = sessions_.find(s.session);
  if (known == sessions_.end()) return;
  const auto& now = *known->second.last;
  json::object params{{"subscription", s.number}, {"number", s.stream.next_number()},
                      {"session", s.session},     {"what", json::array{what}},
                      {"revision", now.revision}, {"total", now.history.size()},
                      {"entries", json::array{}}};
  for (auto& [name, member] : more)
    params[name] = std::move(member);
  core_.lines.notify(s.style, "events.event", params);
}

/// The client is so far behind that what comes next has gone to the disk since.
void session_events::read_from_disk(subscription& s, std::int64_t up_to) {
  struct found {
    entry_loader_ptr entries;
  };
  const auto& now = *s.due_state;
  auto r = std::make_shared<ipc_request>();
  auto read = std::make_shared<found>();
  r->interrupted = requests_.new_interrupt_flag();
  r->work = [read, after = s.stream.seen(), up_to, from = read_until(now, r->interrupted),
             others = now.history.loader()]() -> std::string {
    read->entries = std::make_shared<entries_at_hand>(from->history, after, up_to, others);
    return {};
  };
  r->when_done = [this, number = s.number, read, up_to, r = std::weak_ptr{r}] {
    disk_read(number, r.lock(), read->entries, up_to);
  };
  s.reading = true;
  requests_.add_background(r);
  disk_.add(r);
}

void session_events::disk_read(std::int64_t number, const ipc_request_ptr& r,
                               const entry_loader_ptr& entries, std::int64_t up_to) {
  requests_.background_done(r);
  const auto at = subscriptions_.find(number);
  if (at == subscriptions_.end()) return;  // it was ended meanwhile
  auto& sub = at->second;
  sub.reading = false;
  if (r && r->failure.empty()) {
    sub.missed = entries;
    sub.stream.read(up_to);
    send_due(sub);
  } else {
    end_stream(number);
  }
  core_.flush();
}

/// The notification says where to begin again.
void session_events::end_stream(std::int64_t number) {
  const auto at = subscriptions_.find(number);
  if (at == subscriptions_.end()) return;
  const auto& s = at->second;
  core_.lines.notify(s.style, "events.ended",
                     {{"subscription", number},
                      {"session", s.session},
                      {"since", s.stream.seen()},
                      {"hint", "subscribe again with this `since`"}});
  subscriptions_.erase(at);
}

}  // namespace fermata::actors
