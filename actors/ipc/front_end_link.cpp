#include "actors/ipc/front_end_link.hpp"

#include "actors/ipc/constant_time_equal.hpp"
#include "core/lang/syntax/reader.hpp"
#include "io/json/journal_json.hpp"
#include "io/json/playback_json.hpp"

#include <boost/json/array.hpp>
#include <unistd.h>

#include <utility>

namespace fermata::actors {

namespace json = boost::json;
using io::protocol::fault;
using io::protocol::fault_code;

namespace {

/// What an attached window enters is as long as what is typed at the prompt may be; JSON needs up
/// to six bytes for one.
constexpr std::size_t max_line_of_window = 7 * reader_limits{}.bytes;

/// The entries of a turn, by number: the window reads these in the journal. What is in no timeline
/// goes along, and so does the last of a session that may have been archived by now.
json::array entries_of_turn(const turn& t) {
  const auto is_last = t.effect.kind == turn_effect::kind_t::switch_session;
  json::array all;
  for (const auto& e : t.entries)
    if (e->index > 0 && !is_last)
      all.emplace_back(e->index);
    else
      all.emplace_back(io::transition_line({{entry_committed{e}}}));
  return all;
}

json::object members_of_turn(const turn& t) {
  json::object out{{"session", t.after->meta.slug},
                   {"total", t.after->history.size()},
                   {"entries", entries_of_turn(t)}};
  if (!t.after->written_by.empty()) out["written_by"] = t.after->written_by;
  if (t.effect.kind != turn_effect::kind_t::none) {
    out["effect"] = static_cast<int>(t.effect.kind);
    out["argument"] = t.effect.argument;
  }
  if (t.listing) {
    json::array indices(t.listing->indices.begin(), t.listing->indices.end());
    out["listing"] = {{"indices", std::move(indices)},
                      {"as_json", t.listing->as_json},
                      {"in_words", t.listing->accessible}};
  }
  return out;
}

}  // namespace

// --- requests ------------------------------------------------------------------------------------

void front_end_link::attach(const ipc_request_ptr& r, const io::protocol::attach_front_end& c) {
  const auto& key = core_.settings->attach_key;
  if (key.empty() || !constant_time_equal(c.key, key))
    return requests_.refuse(r, fault{fault_code::not_permitted, "wrong key for this instance",
                                     "start `fermata` in a terminal: it attaches automatically"});
  if (!window_)
    window_.emplace(
        core_.self->system(), core_.manager,
        [to = core_.self->address()](front_end_event e) {
          if (auto connection = caf::actor_cast<ipc_connection_actor>(to))
            caf::anon_send(connection, atom::notify_v,
                           std::make_shared<front_end_event>(std::move(e)));
        },
        core_.settings->player, core_.settings->recorder);
  window_->style = r->what.head.style;
  attached_(max_line_of_window);
  requests_.answer(r, {{"pid", ::getpid()}, {"version", core_.settings->version}});
}

bool front_end_link::check_attached(const ipc_request_ptr& r) {
  if (window_) return true;
  requests_.refuse(r,
                   fault{fault_code::not_permitted, "this connection is not a terminal of the user",
                         "attach with front_end.attach first"});
  return false;
}

void front_end_link::open(const ipc_request_ptr& r, io::protocol::front_end_open& c) {
  if (!check_attached(r)) return;
  window_->port.open(std::move(c.session));
  accept(r);
}

void front_end_link::change_session(const ipc_request_ptr& r, io::protocol::front_end_switch& c) {
  if (!check_attached(r)) return;
  window_->port.change_to(std::move(c.session));
  accept(r);
}

void front_end_link::submit(const ipc_request_ptr& r, io::protocol::front_end_submit& c) {
  if (!check_attached(r) || !accepts_lines_) return;
  if (awaits_answer())
    return requests_.refuse(r, fault{fault_code::busy,
                                     "the previous line is still being evaluated",
                                     "wait for its answer, or send front_end.interrupt",
                                     {{"retry_after_ms", 100}}});
  window_->cancelled = std::make_shared<std::atomic<bool>>(false);
  submission line;
  line.text = std::move(c.text);
  line.source = {"user", std::move(c.channel)};
  line.cancelled = window_->cancelled;
  line.preview = c.preview;
  line.folder = std::move(c.folder);
  line.columns = c.columns;
  line.unicode = c.unicode;
  line.accessible = c.accessible;
  window_->port.submit(std::move(line));
  accept(r);
}

void front_end_link::interrupt(const ipc_request_ptr& r) {
  if (!check_attached(r)) return;
  window_->interrupt();
  accept(r);
}

void front_end_link::control_playback(const ipc_request_ptr& r,
                                      const io::protocol::front_end_playback& c) {
  if (!check_attached(r)) return;
  if (c.action == io::protocol::front_end_playback::action_t::stop)
    window_->port.stop_playback();
  else
    window_->port.toggle_pause();
  accept(r);
}

// --- notifications -------------------------------------------------------------------------------

void front_end_link::tell(const front_end_event& e) {
  namespace event = front_end_events;
  if (!window_) return;
  struct teller {
    front_end_link& link;
    void operator()(const event::opened& n) {
      auto members = members_of_turn(n.what);
      members["again"] = n.again;
      link.notify("opened", std::move(members));
    }
    void operator()(const event::answered& n) {
      link.window_->cancelled = nullptr;
      link.notify("answered", members_of_turn(n.what));
    }
    void operator()(const event::refused& n) {
      link.window_->cancelled = nullptr;
      link.notify("refused", {{"message", n.message}});
    }
    void operator()(const event::changed&) { link.window_->changed = true; }
    void operator()(const event::lost& n) { link.notify("lost", {{"message", n.message}}); }
    void operator()(const event::session_list& n) {
      link.notify("known", {{"sessions", json::array(n.slugs.begin(), n.slugs.end())}});
    }
    void operator()(const event::host_ended&) {}
    /// A window that reads slowly misses positions; the next one follows soon.
    void operator()(const event::played& n) {
      if (n.status.is_active() && n.status.notice.empty() && !link.core_.has_room_for_events())
        return;
      link.notify_only("playback", {{"transport", io::to_json(n.status)}});
    }
    /// Likewise.
    void operator()(const event::recorded& n) {
      if (n.status.is_recording() && n.status.notice.empty() && !link.core_.has_room_for_events())
        return;
      link.notify_only("recording", {{"take", io::to_json(n.status)}});
    }
  };
  std::visit(teller{*this}, e);
  // While it takes nothing, one change stands for all: it reads them in the journal.
  if (core_.lines.in_socket() == 0) tell_change();
}

void front_end_link::tell_change() {
  if (window_ && window_->changed) notify("changed", {});
}

void front_end_link::tell_end() { notify("ended", {}); }

/// With any other notification, the window reads what has changed.
void front_end_link::notify(const char* event, json::object params) {
  window_->changed = false;
  notify_only(event, std::move(params));
}

void front_end_link::notify_only(const char* event, json::object params) {
  params["event"] = event;
  core_.lines.notify(window_->style, "front_end.event", params);
}

}  // namespace fermata::actors
