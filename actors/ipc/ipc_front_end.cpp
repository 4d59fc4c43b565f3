// Further windows of the user: what they enter, and what they are told.

#include "actors/ipc/ipc_connection_detail.hpp"
#include "actors/ipc/same_secret.hpp"
#include "core/lang/syntax/reader.hpp"
#include "io/json/journal_json.hpp"
#include "io/protocol/envelope.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>

namespace fermata::actors {

namespace {

/// What an attached window enters is as long as what is typed at the prompt may be; JSON needs up
/// to six bytes for one.
constexpr std::size_t longest_line_of_window = 7 * reader_limits{}.bytes;

/// What was typed is answered by numbers of entries: the window reads these in the journal. What is
/// in no timeline goes along, and so does the last of a session that may be moved away by now.
json::array entries_told(const turn& t) {
  const auto is_last = t.effect.kind == turn_effect::kind_t::switch_session;
  json::array all;
  for (const auto& e : t.entries)
    if (e->index > 0 && !is_last)
      all.emplace_back(e->index);
    else
      all.emplace_back(io::transition_line({{entry_committed{e}}}));
  return all;
}

json::object turn_told(const turn& t) {
  json::object out{{"session", t.after->meta.slug},
                   {"total", t.after->history.size()},
                   {"entries", entries_told(t)}};
  if (!t.after->written_by.empty()) out["written_by"] = t.after->written_by;
  if (t.effect.kind != turn_effect::kind_t::none) {
    out["effect"] = static_cast<int>(t.effect.kind);
    out["argument"] = t.effect.argument;
  }
  if (t.listing) {
    json::array indices(t.listing->indices.begin(), t.listing->indices.end());
    out["listing"] = {{"indices", std::move(indices)},
                      {"as_json", t.listing->as_json},
                      {"in_words", t.listing->in_words}};
  }
  return out;
}

}  // namespace

void ipc_connection_state::perform(const job_ptr& j, io::protocol::attach_front_end& c) {
  if (settings_->attach_key.empty() || !same_secret(c.key, settings_->attach_key)) {
    refused(j, fault{fault_code::not_permitted, "wrong key for this instance",
                     "start `fermata` in a terminal: it attaches automatically"});
    return;
  }
  if (!window_)
    window_ = std::make_unique<window>(
        self_->system(), manager_, [to = self_->address()](front_end_event e) {
          if (auto connection = caf::actor_cast<ipc_connection_actor>(to))
            caf::anon_send(connection, atom::told_v,
                           std::make_shared<front_end_event>(std::move(e)));
        });
  window_->style = j->what.head.style;
  in_.raise_limit(longest_line_of_window);
  answered(j, {{"pid", ::getpid()}, {"version", settings_->version}});
}

bool ipc_connection_state::is_window(const job_ptr& j) {
  if (window_) return true;
  refused(j, fault{fault_code::not_permitted, "this connection is not a terminal of the user",
                   "attach with front_end.attach first"});
  return false;
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::front_end_open& c) {
  if (!is_window(j)) return;
  window_->end.open(std::move(c.session));
  answered(j, {{"accepted", true}});
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::front_end_switch& c) {
  if (!is_window(j)) return;
  window_->end.change_to(std::move(c.session));
  answered(j, {{"accepted", true}});
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::front_end_submit& c) {
  if (!is_window(j) || ending_) return;  // it is entered in the next process
  if (window_->cancelled) {
    refused(j, fault{fault_code::busy,
                     "the previous line is still being evaluated",
                     "wait for its answer, or send front_end.interrupt",
                     {{"retry_after_ms", 100}}});
    return;
  }
  window_->cancelled = std::make_shared<std::atomic<bool>>(false);
  submission line;
  line.text = std::move(c.text);
  line.source = {"user", std::move(c.door)};
  line.cancelled = window_->cancelled;
  line.preview = c.preview;
  line.folder = std::move(c.folder);
  line.columns = c.columns;
  line.unicode = c.unicode;
  line.in_words = c.in_words;
  window_->end.submit(std::move(line));
  answered(j, {{"accepted", true}});
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::front_end_interrupt&) {
  if (!is_window(j)) return;
  window_->interrupt();
  answered(j, {{"accepted", true}});
}

void ipc_connection_state::heard(const front_end_event& e) {
  namespace news = front_end_news;
  if (!window_ || leaving_) return;
  struct teller {
    ipc_connection_state& to;
    void operator()(const news::opened& n) {
      auto told = turn_told(n.what);
      told["again"] = n.again;
      to.tell_window("opened", std::move(told));
    }
    void operator()(const news::answered& n) {
      to.window_->cancelled = nullptr;
      to.tell_window("answered", turn_told(n.what));
    }
    void operator()(const news::refused& n) {
      to.window_->cancelled = nullptr;
      to.tell_window("refused", {{"message", n.message}});
    }
    void operator()(const news::changed&) { to.window_->changed = true; }
    void operator()(const news::lost& n) { to.tell_window("lost", {{"message", n.message}}); }
    void operator()(const news::known& n) {
      to.tell_window("known", {{"sessions", json::array(n.slugs.begin(), n.slugs.end())}});
    }
    void operator()(const news::host_ended&) {}
  };
  std::visit(teller{*this}, e);
  // While it takes nothing, one change stands for all: it reads them in the journal.
  if (window_->changed && unsent_ == 0) tell_window("changed", {});
  flush();
  end_when_answered();
}

/// A window whose line is being evaluated has its answer first; the line would be entered again in
/// the process that runs the sessions next.
void ipc_connection_state::end(caf::error reason) {
  ending_ = std::move(reason);
  if (window_ && window_->cancelled && !leaving_)
    remind(settings_->last_line, atom::end_due::value);
  else
    end_now();
}

void ipc_connection_state::end_when_answered() {
  if (ending_ && window_ && !window_->cancelled && unsent_ == 0 && out_.empty()) end_now();
}

/// A window that hears `ended` knows that its line did not bring the process down. The connection
/// is closed at once, so what is written here is not left to the event loop.
void ipc_connection_state::end_now() {
  if (window_ && !leaving_ && unsent_ == 0 && out_.empty()) {
    tell_window("ended", {});
    std::ignore =
        ::send(static_cast<int>(hdl_.id()), out_.data(), out_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    out_.clear();
  }
  self_->quit(*ending_);
}

void ipc_connection_state::tell_window(const char* event, json::object params) {
  window_->changed = false;
  params["event"] = event;
  out_ += io::protocol::notification_line(window_->style, "front_end.event", params);
  out_ += '\n';
}

}  // namespace fermata::actors
