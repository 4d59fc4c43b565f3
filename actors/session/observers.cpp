#include "actors/session/observers.hpp"

#include <algorithm>
#include <string_view>

namespace fermata::actors {

namespace {

/// Adds the words of `more` that `words` does not have yet.
void add_words(std::string& words, std::string_view more) {
  while (!more.empty()) {
    auto end = std::min(more.find(' '), more.size());
    auto word = more.substr(0, end);
    if ((' ' + words + ' ').find(' ' + std::string{word} + ' ') == std::string::npos)
      words += (words.empty() ? "" : " ") + std::string{word};
    more.remove_prefix(std::min(end + 1, more.size()));
  }
}

}  // namespace

void merge(session_event& earlier, const session_event& later, std::size_t entries_kept) {
  earlier.sequence = later.sequence;
  earlier.after = later.after;
  if (later.answered_to != earlier.answered_to) earlier.answered_to = 0;
  add_words(earlier.what, later.what);
  earlier.entries_left_out |= later.entries_left_out;
  if (earlier.entries.size() + later.entries.size() > entries_kept) {
    earlier.entries.clear();
    earlier.entries_left_out = true;
  } else if (!earlier.entries_left_out) {
    earlier.entries.insert(earlier.entries.end(), later.entries.begin(), later.entries.end());
  }
}

void observers::add(const session_observer_actor& who) {
  auto known = std::any_of(all_.begin(), all_.end(), [&](auto& o) { return o.who == who; });
  if (known) return;
  self_->monitor(who);
  all_.push_back({who});
}

void observers::remove(const session_observer_actor& who) {
  if (std::erase_if(all_, [&](auto& o) { return o.who == who; }) > 0)
    self_->demonitor(who.address());
}

void observers::tell(session_event e) {
  e.sequence = e.first_sequence = ++sequence_;
  for (auto& o : all_) {
    if (o.merged)
      merge(*o.merged, e, entries_kept);
    else if (o.unanswered >= window)
      o.merged = e;
    else
      send(o, e);
  }
}

void observers::send(observer& o, const session_event& e) {
  ++o.unanswered;
  auto who = o.who.address();
  // Any answer counts, an error as well: what matters is that it has read so far.
  self_->request(o.who, caf::infinite, e)
      .then([this, who] { answered(who); }, [this, who](caf::error&) { answered(who); });
}

void observers::answered(const caf::actor_addr& who) {
  auto o = std::find_if(all_.begin(), all_.end(), [&](auto& x) { return x.who.address() == who; });
  if (o == all_.end()) return;
  // None: it answers an event from before it stopped observing and began again.
  if (o->unanswered == 0) return;
  --o->unanswered;
  if (o->merged) {
    auto e = std::move(*o->merged);
    o->merged.reset();
    send(*o, e);
  }
}

void observers::down(const caf::down_msg& msg) {
  auto gone = [&](auto& o) { return o.who.address() == msg.source; };
  std::erase_if(all_, gone);
}

}  // namespace fermata::actors
