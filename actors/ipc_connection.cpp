#include "actors/ipc_connection.hpp"

#include "actors/ipc_reply.hpp"
#include "actors/unix_doorman.hpp"
#include "io/protocol/envelope.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/send.hpp>
#include <fmt/format.h>

#include <sys/socket.h>
#include <unistd.h>

namespace json = boost::json;

namespace fermata::actors {

using io::protocol::fault;
using io::protocol::fault_code;

struct ipc_connection_state::job {
  std::shared_ptr<io::protocol::incoming> memory; ///< holds what `what` points into
  io::protocol::call what;
  io::protocol::reply_queue::place to;
  io::protocol::query seen;
  caf::actor_addr relied_on;
  bool done = false;
};

struct ipc_connection_state::waiter {
  job_ptr of;
  std::string slug;
  std::optional<std::uint64_t> revision;
  std::optional<std::int64_t> entry;
  std::set<std::string, std::less<>> what;

  bool is_content(const session_state& s, bool something_happened) const {
    if (revision && s.revision > *revision)
      return true;
    if (entry && s.history.size() > *entry)
      return true;
    return something_happened && !revision && !entry;
  }
  json::object result(const session_state& s, bool changed) const {
    json::array kinds;
    for (const auto& kind : what)
      kinds.emplace_back(kind);
    return {{"session", s.meta.slug},
            {"revision", s.revision},
            {"changed", changed},
            {"entries", s.history.size()},
            {"what", std::move(kinds)}};
  }
};

struct ipc_connection_state::subscription {
  std::int64_t number = 0;
  io::protocol::envelope style = io::protocol::envelope::json_rpc;
  std::string slug;
  std::set<std::string, std::less<>> kinds;
  std::int64_t seen = 0;  ///< index of the last entry that was sent
  std::int64_t events = 0; ///< sent so far
};

struct ipc_connection_state::observed {
  caf::actor_addr actor;
  session_snapshot last;
};

namespace {

using query_done = caf::atom_constant<caf::atom("querydone")>;
using wait_over = caf::atom_constant<caf::atom("waitover")>;
using stall_check = caf::atom_constant<caf::atom("stallcheck")>;

timestamp now() {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::string query_line(ipc_connection_state::job& j) {
  auto result = io::protocol::run(*j.what.row, j.seen, j.what.params);
  return result ? io::protocol::reply_line(j.what.head, *result)
                : io::protocol::fault_line(j.what.head, result.error());
}

} // namespace

ipc_connection_state::ipc_connection_state(pointer ptr) : self(ptr) {}
ipc_connection_state::~ipc_connection_state() = default;

// --- the socket ----------------------------------------------------------------------------------

caf::behavior ipc_connection_state::start(caf::io::connection_handle handle,
                                          session_manager_actor session_manager,
                                          ipc_settings_ptr how) {
  hdl = handle;
  manager = std::move(session_manager);
  settings = std::move(how);
  self->set_default_handler(caf::drop);
  self->set_down_handler([this](caf::down_msg& msg) { session_down(msg.source); });
  self->configure_read(hdl, caf::io::receive_policy::at_most(4096));
  self->ack_writes(hdl, true);
  return {
    [this](caf::io::new_data_msg& msg) { bytes_came(msg.buf); },
    [this](const caf::io::data_transferred_msg& msg) { bytes_left(msg.written); },
    [this](const caf::io::connection_closed_msg&) { self->quit(); },
    // An observer answers an event by returning from its handler.
    [this](const session_event& e) { happened(e); },
    [this](atom::changed, const session_event& e) { happened(e); },
    [this](query_done, const job_ptr& j, std::string& line) { finish(j, std::move(line)); },
    [this](wait_over, std::uint64_t id) { waited_long_enough(id); },
    [this](stall_check) { check_stall(); },
  };
}

void ipc_connection_state::bytes_came(std::vector<char>& buffer) {
  std::string_view bytes{buffer.data(), buffer.size()};
  if (!bytes.empty() && bytes.back() == end_of_input) {
    // In this very handler: the descriptor stays readable, and the loop would spin.
    self->halt(hdl);
    halted = true;
    ended = true;
    bytes.remove_suffix(1);
  }
  if (refusing) {
    refused_bytes += bytes.size();
  } else {
    gathering = true;
    in.feed(bytes);
    if (ended)
      in.finish();
    lines_came();
    gathering = false;
  }
  flush();
}

void ipc_connection_state::lines_came() {
  while (!leaving && !refusing) {
    auto line = in.next();
    if (!line) {
      if (in.overflowed())
        line_too_long();
      return;
    }
    line_came(*line);
  }
}

void ipc_connection_state::line_came(std::string_view line) {
  if (std::exchange(first_line, false) && io::protocol::looks_like_http(line)) {
    disconnect("an HTTP client");
    return;
  }
  auto memory = io::protocol::incoming::read(line);
  auto& requests = memory->requests();
  std::shared_ptr<io::protocol::reply_queue::slot> slot;
  const bool unordered = !memory->is_batch() && requests.front().unordered;
  if (!unordered)
    slot = replies.reserve(requests.size(), memory->is_batch());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    auto j = std::make_shared<job>();
    j->memory = memory;
    j->what = io::protocol::prepare(requests[i]);
    j->to = unordered ? replies.unordered() : io::protocol::reply_queue::place{slot, i};
    begin(j);
  }
}

void ipc_connection_state::line_too_long() {
  refusing = true;
  auto slot = replies.reserve(1, false);
  const io::protocol::reply_head head{io::protocol::envelope::json_rpc, "null", true};
  replies.fill({slot, 0},
               io::protocol::fault_line(
                 head, {fault_code::invalid_request,
                        fmt::format("a line has at most {} bytes", io::protocol::max_line),
                        "send less at once; this connection is closed",
                        {{"max", io::protocol::max_line}}}),
               out);
  watch_for_stall();
}

// --- a request on its way ------------------------------------------------------------------------

void ipc_connection_state::begin(const job_ptr& j) {
  open.insert(j);
  if (j->what.refused) {
    refused(j, *j->what.refused);
    return;
  }
  const auto& row = *j->what.row;
  if (std::holds_alternative<io::protocol::query_handler>(row.handler)) {
    j->seen.now = now();
    switch (row.wants) {
      case io::protocol::needs::nothing: run_query(j); return;
      case io::protocol::needs::sessions: fetch_list(j); return;
      case io::protocol::needs::session:
      case io::protocol::needs::both:
        with_session(j, io::protocol::wanted_session(j->what), [this, j](const session_ref& ref) {
          with_snapshot(j, ref, [this, j](const session_snapshot& s) {
            j->seen.session = s;
            if (j->what.row->wants == io::protocol::needs::both)
              fetch_list(j);
            else
              run_query(j);
          });
        });
        return;
    }
    return;
  }
  auto command = io::protocol::command_of(row, j->what.params);
  if (!command) {
    refused(j, command.error());
    return;
  }
  std::visit([&](auto& c) { perform(j, c); }, *command);
}

void ipc_connection_state::run_query(const job_ptr& j) {
  if (!j->what.row->heavy) {
    finish(j, query_line(*j));
    return;
  }
  // Elsewhere: this thread serves every connection.
  self->spawn(
    [](caf::event_based_actor*, const caf::actor& back, const job_ptr& work) {
      caf::anon_send(back, query_done::value, work, query_line(*work));
    },
    caf::actor{self}, j);
}

void ipc_connection_state::fetch_list(const job_ptr& j) {
  rely_on(j, manager);
  self->request(manager, caf::infinite, atom::list::value)
    .then(
      [this, j](const std::vector<session_summary>& list) {
        j->seen.sessions = to_rows(list);
        run_query(j);
      },
      [this, j](const caf::error& e) { refused(j, e); });
}

template <class Next>
void ipc_connection_state::with_session(const job_ptr& j, std::string_view wanted, Next next) {
  rely_on(j, manager);
  auto found = [this, j, next](session_ref& ref) {
    if (j->done)
      return;
    rely_on(j, ref.actor);
    if (j->what.row->access_kind == io::protocol::access::read) {
      next(ref);
      return;
    }
    // `:ai off` stops every write, whatever it writes to.
    with_snapshot(j, ref, [this, j, next, ref](const session_snapshot& s) {
      if (policy_for(*s, who.author) == remote_policy::deny)
        refused(j, fault{fault_code::not_permitted,
                         fmt::format("the musician lets {} change nothing", who.author),
                         "read, or ask the musician to allow it with :ai",
                         {{"policy", to_string(remote_policy::deny)}}});
      else
        next(ref);
    });
  };
  auto missing = [this, j](const caf::error& e) { refused(j, e); };
  if (wanted.empty())
    self->request(manager, caf::infinite, atom::active::value).then(found, missing);
  else
    self->request(manager, caf::infinite, atom::find::value, std::string{wanted})
      .then(found, missing);
}

template <class Next>
void ipc_connection_state::with_snapshot(const job_ptr& j, const session_ref& ref, Next next) {
  self->request(ref.actor, caf::infinite, atom::snapshot::value)
    .then(
      [j, next](const session_snapshot& s) {
        if (!j->done)
          next(s);
      },
      [this, j](const caf::error& e) { refused(j, e); });
}

template <class Next>
void ipc_connection_state::with_observed(const job_ptr& j, const session_ref& ref, Next next) {
  if (auto known = sessions.find(ref.slug);
      known != sessions.end() && known->second.actor == ref.actor.address()) {
    next(known->second.last);
    return;
  }
  self->request(ref.actor, caf::infinite, atom::observe::value, caf::actor{self})
    .then(
      [this, j, next, slug = ref.slug, address = ref.actor.address()](const session_snapshot& s) {
        sessions[slug] = {address, s};
        if (!j->done)
          next(s);
      },
      [this, j](const caf::error& e) { refused(j, e); });
}

void ipc_connection_state::rely_on(const job_ptr& j, const caf::actor_addr& actor) {
  j->relied_on = actor;
  if (monitored.insert(actor).second)
    self->monitor(actor);
}

template <class Handle>
void ipc_connection_state::rely_on(const job_ptr& j, const Handle& actor) {
  rely_on(j, actor.address());
}

void ipc_connection_state::answered(const job_ptr& j, const json::object& result) {
  finish(j, io::protocol::reply_line(j->what.head, result));
}

void ipc_connection_state::refused(const job_ptr& j, const fault& why) {
  if (why.code == fault_code::internal) {
    auto logged = why;
    const auto id = fmt::format("{:08x}", std::hash<std::string>{}(why.message) & 0xffffffffu);
    logged.data["log_id"] = id;
    settings->log(fmt::format("internal fault {}: {}", id, why.message));
    finish(j, io::protocol::fault_line(j->what.head, logged));
    return;
  }
  finish(j, io::protocol::fault_line(j->what.head, why));
}

void ipc_connection_state::refused(const job_ptr& j, const caf::error& why) {
  refused(j, to_fault(why));
}

void ipc_connection_state::finish(const job_ptr& j, std::string line) {
  if (std::exchange(j->done, true))
    return;
  open.erase(j);
  replies.fill(j->to, std::move(line), out);
  if (!gathering)
    flush();
}

// --- commands ------------------------------------------------------------------------------------

void ipc_connection_state::perform(const job_ptr& j, io::protocol::say_hello& c) {
  who = {c.client, c.door};
  answered(j, {{"server", "fermata"},
               {"version", settings->version},
               {"protocol_version", io::protocol::protocol_version},
               {"instance", settings->instance},
               {"pid", ::getpid()},
               {"cwd", settings->cwd},
               {"capabilities",
                {{"events", true},
                 {"batch", true},
                 {"unordered", true},
                 {"max_line", io::protocol::max_line}}}});
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::post_message& c) {
  with_session(j, c.session, [this, j, text = std::move(c.text)](const session_ref& ref) {
    self->request(ref.actor, caf::infinite, atom::enqueue::value, incoming_message{text, who})
      .then(
        [this, j, ref](const message_receipt& receipt) {
          with_snapshot(j, ref, [this, j, receipt](const session_snapshot& s) {
            answered(j, message_result(s, receipt));
          });
        },
        [this, j](const caf::error& e) { refused(j, e); });
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::evaluate_text& c) {
  using mode = io::protocol::evaluate_text::mode_t;
  remote_evaluation wanted;
  wanted.text = std::move(c.text);
  wanted.source = who;
  wanted.expected_revision = c.expect_rev;
  wanted.idempotency_key = std::move(c.idempotency_key);
  wanted.always_propose = c.mode == mode::propose;
  const bool preview = c.mode == mode::preview;
  with_session(j, c.session, [this, j, preview, wanted](const session_ref& ref) {
    auto done = [this, j, preview, slug = ref.slug](const remote_outcome& outcome) {
      answered(j, evaluation_result(slug, outcome, preview));
    };
    auto failed = [this, j](const caf::error& e) { refused(j, e); };
    if (preview)
      self->request(ref.actor, caf::infinite, atom::preview::value, wanted).then(done, failed);
    else
      self->request(ref.actor, caf::infinite, atom::propose::value, wanted).then(done, failed);
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::take_back& c) {
  with_session(j, c.session, [this, j, c](const session_ref& ref) {
    with_snapshot(j, ref, [this, j, c, ref](const session_snapshot& s) {
      const auto policy = policy_for(*s, who.author);
      if (policy != remote_policy::allow) {
        refused(j, fault{fault_code::not_permitted,
                         fmt::format("the policy for {} is {}; taking back needs allow",
                                     who.author, to_string(policy)),
                         "propose the inverse change, or ask the musician to undo",
                         {{"policy", to_string(policy)}}});
        return;
      }
      if (c.expect_rev && *c.expect_rev != s->revision) {
        refused(j, fault{fault_code::conflict,
                         fmt::format("the score is at revision {}, not {}", s->revision,
                                     *c.expect_rev),
                         "read again, then repeat with the current revision",
                         {{"revision", s->revision}}});
        return;
      }
      self->request(ref.actor, caf::infinite, atom::undo::value, c.count, who)
        .then([this, j, before = s->revision](
                const turn& t) { answered(j, undo_result(before, t)); },
              [this, j](const caf::error& e) { refused(j, e); });
    });
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::create_session& c) {
  // The active session says what clients may do.
  with_session(j, {}, [this, j, name = c.name](const session_ref&) {
    self->request(manager, caf::infinite, atom::create::value, name)
      .then(
        [this, j](const session_ref& ref) {
          answered(j, {{"session", ref.slug}, {"changed", true}});
        },
        [this, j](const caf::error& e) { refused(j, e); });
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::switch_session& c) {
  with_session(j, {}, [this, j, c](const session_ref& before) {
    self->request(manager, caf::infinite, atom::activate::value, c.session)
      .then(
        [this, j, before](const session_ref& after) {
          answered(j, {{"session", after.slug},
                       {"changed", after.slug != before.slug},
                       {"before", before.slug}});
        },
        [this, j](const caf::error& e) { refused(j, e); });
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::save_session& c) {
  with_session(j, c.session, [this, j](const session_ref& ref) {
    self->request(ref.actor, caf::infinite, atom::flush::value)
      .then(
        [this, j, ref] {
          with_snapshot(j, ref, [this, j](const session_snapshot& s) {
            answered(j, {{"session", s->meta.slug}, {"revision", s->revision}, {"saved", true}});
          });
        },
        [this, j](const caf::error& e) { refused(j, e); });
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::wait_for_change& c) {
  with_session(j, c.session, [this, j, c](const session_ref& ref) {
    with_observed(j, ref, [this, j, c, slug = ref.slug](const session_snapshot& s) {
      waiter w{j, slug, c.revision, c.entry, {}};
      if (w.is_content(*s, false)) {
        answered(j, w.result(*s, true));
        return;
      }
      const auto id = next_waiter++;
      waiters.emplace(id, std::move(w));
      self->delayed_send(self, c.timeout, wait_over::value, id);
    });
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::subscribe_events& c) {
  if (subscriptions.size() >= 64) {
    refused(j, fault{fault_code::listener, "this connection has 64 streams already",
                     "end one with events.unsubscribe", {{"max", 64}}});
    return;
  }
  with_session(j, c.session, [this, j, c](const session_ref& ref) {
    with_observed(j, ref, [this, j, c, slug = ref.slug](const session_snapshot& s) {
      subscription sub;
      sub.number = next_subscription++;
      sub.style = j->what.head.style;
      sub.slug = slug;
      sub.kinds.insert(c.kinds.begin(), c.kinds.end());
      const bool resumed = !c.since || *c.since <= s->history.size();
      sub.seen = resumed ? c.since.value_or(s->history.size()) : s->history.size();
      answered(j, {{"subscription", sub.number},
                   {"session", slug},
                   {"revision", s->revision},
                   {"entries", s->history.size()},
                   {"resumed", resumed}});
      auto& kept = subscriptions[sub.number] = std::move(sub);
      // What was missed since the last time comes first.
      if (kept.seen < s->history.size()) {
        send_event(kept, {.session = slug, .what = "entries", .after = s});
        flush();
      }
    });
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::unsubscribe_events& c) {
  const bool was = subscriptions.erase(c.subscription) > 0;
  answered(j, {{"changed", was}});
}

// --- what happens in sessions --------------------------------------------------------------------

void ipc_connection_state::happened(const session_event& e) {
  if (auto known = sessions.find(e.session); known != sessions.end())
    known->second.last = e.after;
  const auto kinds = event_kinds(e);
  for (auto it = waiters.begin(); it != waiters.end();) {
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
    it = waiters.erase(it);
    answered(satisfied.of, satisfied.result(*e.after, true));
  }
  for (auto& [number, sub] : subscriptions) {
    const bool wanted = sub.kinds.empty()
                        || std::any_of(kinds.begin(), kinds.end(), [&](std::string_view kind) {
                             return sub.kinds.find(kind) != sub.kinds.end();
                           });
    if (sub.slug != e.session)
      continue;
    if (wanted)
      send_event(sub, e);
    else
      sub.seen = e.after->history.size();
  }
  flush();
}

void ipc_connection_state::send_event(subscription& s, const session_event& e) {
  constexpr std::size_t entries_at_once = 50;
  do {
    auto params = event_params(e, s.seen, entries_at_once);
    params["subscription"] = s.number;
    params["number"] = ++s.events;
    out += io::protocol::notification_line(s.style, "events.event", params);
    out += '\n';
  } while (s.seen < e.after->history.size() && out.size() < settings->max_unsent_events);
}

void ipc_connection_state::waited_long_enough(std::uint64_t id) {
  auto it = waiters.find(id);
  if (it == waiters.end())
    return;
  auto w = std::move(it->second);
  waiters.erase(it);
  auto known = sessions.find(w.slug);
  if (known == sessions.end())
    return;
  answered(w.of, w.result(*known->second.last, false));
}

void ipc_connection_state::session_down(const caf::actor_addr& who_died) {
  monitored.erase(who_died);
  const fault gone{fault_code::unavailable, "the session ended before it answered",
                   "look with get_session whether the request took effect, then repeat it"};
  std::vector<job_ptr> lost;
  for (const auto& j : open)
    if (j->relied_on == who_died)
      lost.push_back(j);
  for (const auto& j : lost)
    refused(j, gone);
  for (auto it = sessions.begin(); it != sessions.end();) {
    if (it->second.actor != who_died) {
      ++it;
      continue;
    }
    std::erase_if(waiters, [&](const auto& w) { return w.second.slug == it->first; });
    for (auto sub = subscriptions.begin(); sub != subscriptions.end();) {
      if (sub->second.slug == it->first) {
        out += io::protocol::notification_line(
          sub->second.style, "events.ended",
          {{"subscription", sub->first},
           {"session", it->first},
           {"since", sub->second.seen},
           {"hint", "subscribe again with this `since`"}});
        out += '\n';
        sub = subscriptions.erase(sub);
      } else {
        ++sub;
      }
    }
    it = sessions.erase(it);
  }
  flush();
}

// --- the way out ---------------------------------------------------------------------------------

void ipc_connection_state::flush() {
  if (leaving)
    return;
  if (!out.empty()) {
    auto& buffer = self->wr_buf(hdl);
    buffer.insert(buffer.end(), out.begin(), out.end());
    unsent += out.size();
    out.clear();
    self->flush(hdl);
    watch_for_stall();
  }
  throttle();
}

void ipc_connection_state::bytes_left(std::size_t count) {
  unsent -= std::min(unsent, count);
  taken += count;
  throttle();
}

void ipc_connection_state::throttle() {
  if (leaving)
    return;
  if (unsent > settings->max_unsent_events) {
    disconnect("takes no events");
    return;
  }
  const bool all_said = replies.pending() == 0 && unsent == 0;
  if (ended) {
    if (all_said) {
      leaving = true;
      self->close(hdl);
      self->quit();
    }
    return;
  }
  if (refusing) {
    // Closing now would lose the error: bytes that nobody read turn the close into a reset.
    if (all_said && !silent) {
      silent = true;
      ::shutdown(static_cast<int>(hdl.id()), SHUT_WR);
    }
    if (refused_bytes > 64 * io::protocol::max_line)
      disconnect("goes on sending after too long a line");
    return;
  }
  const bool full
    = replies.pending() >= settings->max_pending || unsent > settings->max_unsent
      || replies.held_bytes() > settings->max_unsent_events;
  if (full == halted)
    return;
  halted = full;
  if (full)
    self->halt(hdl);
  else
    self->trigger(hdl);
}

void ipc_connection_state::watch_for_stall() {
  if (watching)
    return;
  watching = true;
  taken_then = taken;
  self->delayed_send(self, settings->stall, stall_check::value);
}

void ipc_connection_state::check_stall() {
  watching = false;
  if (leaving || (unsent == 0 && !refusing))
    return;
  if (taken == taken_then)
    disconnect(refusing ? "did not close after too long a line" : "takes no replies");
  else
    watch_for_stall();
}

void ipc_connection_state::disconnect(const std::string& why) {
  if (std::exchange(leaving, true))
    return;
  settings->log(fmt::format("disconnected {} ({})", who.author, why));
  // A graceful end would wait for a reader that takes nothing.
  ::shutdown(static_cast<int>(hdl.id()), SHUT_RDWR);
  self->close(hdl);
  self->quit();
}

caf::behavior ipc_connection(caf::stateful_actor<ipc_connection_state, caf::io::broker>* self,
                             caf::io::connection_handle hdl, session_manager_actor sessions,
                             ipc_settings_ptr settings) {
  return self->state.start(hdl, std::move(sessions), std::move(settings));
}

static_assert(!std::is_aggregate_v<ipc_connection_state>);

} // namespace fermata::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::actors::ipc_connection_state::job_ptr)
