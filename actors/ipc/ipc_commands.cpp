// What a request asks for that is no query: one function per command of io/protocol/command.hpp.

#include "actors/ipc/ipc_connection_detail.hpp"
#include "actors/ipc/same_secret.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "io/protocol/client_name.hpp"
#include "io/text/line_decoder.hpp"

#include <boost/json/parse.hpp>
#include <unistd.h>

namespace fermata::actors {

void ipc_connection_state::perform(const job_ptr& j, io::protocol::say_hello& c) {
  const bool over_tcp = !settings_->token.empty();
  if (over_tcp && !same_secret(c.token, settings_->token)) {
    refused(j, fault{fault_code::not_permitted, "wrong token",
                     "pass the content of $FERMATA_HOME/tcp.token as `token`"});
    return;
  }
  // It stands in front of what the client says.
  auto client = io::protocol::shown_client_name(c.client);
  if (io::protocol::is_anothers_name(client)) {
    refused(j, fault{fault_code::invalid_params,
                     fmt::format("`{}` is a reserved author name, or looks like one", client),
                     "pass the name of your program as `client`",
                     {{"param", "client"}, {"got", client}}});
    return;
  }
  admitted_ = true;
  who_ = {client.empty() ? who_.author : client, over_tcp ? "tcp" : c.door};
  answered(j, {{"server", "fermata"},
               {"version", settings_->version},
               {"protocol_version", io::protocol::protocol_version},
               {"instance", settings_->instance},
               {"pid", ::getpid()},
               {"cwd", settings_->cwd},
               {"capabilities",
                {{"events", true},
                 {"batch", true},
                 {"unordered", true},
                 {"max_line", io::protocol::max_line}}}});
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::post_message& c) {
  with_session(j, c.session,
               [this, j, text = std::move(c.text),
                key = std::move(c.idempotency_key)](const session_ref& ref) {
                 self_
                     ->request(ref.actor, caf::infinite, atom::enqueue::value,
                               incoming_message{text, j->who, key})
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
  wanted.source = j->who;
  wanted.expected_revision = c.expect_rev;
  wanted.idempotency_key = std::move(c.idempotency_key);
  wanted.always_propose = c.mode == mode::propose;
  wanted.caller = std::to_string(self_->id());
  // Nobody waits for it any more when the client is gone.
  j->interrupted = std::make_shared<std::atomic<bool>>(gone_);
  wanted.cancelled = j->interrupted;
  const bool preview = c.mode == mode::preview;
  with_session(j, c.session, [this, j, preview, wanted](const session_ref& ref) {
    auto done = [this, j, preview, slug = ref.slug](const remote_outcome& outcome) {
      answered(j, evaluation_result(slug, outcome, preview));
    };
    auto failed = [this, j](const caf::error& e) { refused(j, e); };
    if (preview)
      self_->request(ref.actor, caf::infinite, atom::preview::value, wanted).then(done, failed);
    else
      self_->request(ref.actor, caf::infinite, atom::propose::value, wanted).then(done, failed);
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::take_back& c) {
  with_session(j, c.session, [this, j, c](const session_ref& ref) {
    self_
        ->request(ref.actor, caf::infinite, atom::undo::value,
                  remote_undo{c.count, j->who, c.expect_rev, c.idempotency_key})
        .then([this, j](const turn& t) { answered(j, undo_result(t)); },
              [this, j](const caf::error& e) { refused(j, e); });
  });
}

/// The door is what the client says of itself, and a program of the same user may say anything:
/// this keeps well-behaved clients apart and nobody out. What protects is who may open the socket.
/// The session adds that one client does not answer what another has proposed.
void ipc_connection_state::perform(const job_ptr& j, io::protocol::answer_proposal& c) {
  if (j->who.door != "mcp") {
    refused(j,
            fault{fault_code::not_permitted,
                  "only the user can decide on a proposal, at the prompt or through an MCP client",
                  "ask the user to :accept or :reject it"});
    return;
  }
  with_session(j, c.session, [this, j, c](const session_ref& ref) {
    self_
        ->request(ref.actor, caf::infinite, atom::resolve::value,
                  proposal_answer{c.number, c.accept, j->who})
        .then([this, j, c](const turn& t) { answered(j, decision_result(c.number, c.accept, t)); },
              [this, j](const caf::error& e) { refused(j, e); });
  });
}

/// The musician stays where he is, but what clients do next happens elsewhere.
void ipc_connection_state::tell_of_move(const job_ptr& j, const session_ref& from,
                                        const session_ref& to) {
  if (from.slug == to.slug) return;
  self_->send(from.actor, atom::note::value, std::string{"session-switched"},
              to_text(j->who) + " made " + to.slug +
                  " the active session; clients now read and write there. `:session switch " +
                  to.slug + "` goes there.");
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::create_session& c) {
  // The active session says what clients may do.
  with_session(j, {}, [this, j, name = c.name](const session_ref& before) {
    self_
        ->request(manager_, caf::infinite, atom::create::value, atom::client::value, j->who.author,
                  name)
        .then(
            [this, j, before](const session_ref& ref) {
              tell_of_move(j, before, ref);
              answered(j, {{"session", ref.slug}, {"changed", true}});
            },
            [this, j](const caf::error& e) { refused(j, e); });
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::switch_session& c) {
  with_session(j, {}, [this, j, c](const session_ref& before) {
    self_->request(manager_, caf::infinite, atom::activate::value, atom::client::value, c.session)
        .then(
            [this, j, before](const session_ref& after) {
              tell_of_move(j, before, after);
              answered(j, {{"session", after.slug},
                           {"changed", after.slug != before.slug},
                           {"before", before.slug}});
            },
            [this, j](const caf::error& e) { refused(j, e); });
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::save_session& c) {
  with_session(j, c.session, [this, j](const session_ref& ref) {
    self_->request(ref.actor, caf::infinite, atom::flush::value)
        .then(
            [this, j, ref] {
              with_snapshot(j, ref, [this, j](const session_snapshot& s) {
                answered(j,
                         {{"session", s->meta.slug}, {"revision", s->revision}, {"saved", true}});
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
      const auto id = next_waiter_++;
      waiters_.emplace(id, std::move(w));
      remind(c.timeout, atom::wait_over::value, id);
    });
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::subscribe_events& c) {
  if (subscriptions_.size() >= 64) {
    refused(j, fault{fault_code::listener,
                     "this connection already has 64 streams",
                     "end one with events.unsubscribe",
                     {{"max", 64}}});
    return;
  }
  with_session(j, c.session, [this, j, c](const session_ref& ref) {
    with_observed(j, ref, [this, j, c, slug = ref.slug](const session_snapshot& s) {
      auto sub = std::make_shared<subscription>();
      sub->style = j->what.head.style;
      sub->slug = slug;
      sub->kinds.insert(c.kinds.begin(), c.kinds.end());
      // Who has missed more reads it with get_history.
      constexpr std::int64_t most_resumed = 1'000;
      const auto size = s->history.size();
      sub->resumed = !c.since || (*c.since <= size && size - *c.since <= most_resumed);
      sub->seen = sub->resumed ? c.since.value_or(size) : size;
      catch_up(j, sub);
    });
  });
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::unsubscribe_events& c) {
  const bool was = subscriptions_.erase(c.subscription) > 0;
  answered(j, {{"changed", was}});
}

void ipc_connection_state::perform(const job_ptr& j, io::protocol::give_up& c) {
  boost::system::error_code ec;
  std::vector<job_ptr> meant;
  for (const auto& other : open_)
    // As values: a number may be written in two ways.
    if (other != j && !other->what.head.id.empty() &&
        json::parse(other->what.head.id, ec) == c.request && !ec)
      meant.push_back(other);
  for (const auto& other : meant)
    give_up(other);
  answered(j, {{"changed", !meant.empty()}});
}

/// What has not begun is not begun, and what only looks is answered at once. A write that is under
/// way cannot be called back from where it is; an evaluation among them ends, and says so itself,
/// because it may have been done the moment before.
void ipc_connection_state::give_up(const job_ptr& j) {
  if (order_.is_under_way(j) && j->writes) return j->interrupt();
  std::erase_if(waiters_, [&](const auto& w) { return w.second.of == j; });
  refused(j, fault{fault_code::failed, "cancelled by the client",
                   "nothing was done; send it again if needed"});
  begin_ready();
}

}  // namespace fermata::actors
