#include "actors/ipc/ipc_commands.hpp"

#include "actors/ipc/constant_time_equal.hpp"
#include "actors/ipc/ipc_reply.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "io/protocol/client_name.hpp"
#include "io/text/line_decoder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

namespace fermata::actors {

using io::protocol::fault;
using io::protocol::fault_code;

void ipc_commands::perform(const ipc_request_ptr& r) {
  std::visit([&](auto& c) { perform(r, c); }, *r->command);
}

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::say_hello& c) {
  const auto& settings = *core_.settings;
  const bool over_tcp = !settings.token.empty();
  if (over_tcp && !constant_time_equal(c.token, settings.token))
    return requests_.refuse(r, fault{fault_code::not_permitted, "wrong token",
                                     "pass the content of $FERMATA_HOME/tcp.token as `token`"});
  // It stands in front of what the client says.
  auto client = io::protocol::shown_client_name(c.client);
  if (io::protocol::is_reserved_name(client))
    return requests_.refuse(
        r, fault{fault_code::invalid_params,
                 fmt::format("`{}` is a reserved author name, or looks like one", client),
                 "pass the name of your program as `client`",
                 {{"param", "client"}, {"got", client}}});
  requests_.admit(
      {client.empty() ? requests_.client().author : client, over_tcp ? "tcp" : c.channel});
  requests_.answer(r, {{"server", "fermata"},
                       {"version", settings.version},
                       {"protocol_version", io::protocol::protocol_version},
                       {"instance", settings.instance},
                       {"pid", ::getpid()},
                       {"cwd", settings.cwd},
                       {"capabilities",
                        {{"events", true},
                         {"batch", true},
                         {"unordered", true},
                         {"max_line", io::protocol::max_line}}}});
}

// --- writing to a session ------------------------------------------------------------------------

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::post_message& c) {
  incoming_message message{std::move(c.text), r->who, std::move(c.idempotency_key)};
  sessions_.with_session(
      r, c.session, [this, r, message = std::move(message)](const session_ref& ref) {
        core_.self->request(ref.actor, caf::infinite, atom::enqueue_v, message)
            .then(
                [this, r, ref](const message_receipt& receipt) {
                  sessions_.with_snapshot(r, ref, [this, r, receipt](const session_snapshot& s) {
                    requests_.answer(r, message_result(s, receipt));
                  });
                },
                refuse(r));
      });
}

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::evaluate_text& c) {
  using mode = io::protocol::evaluate_text::mode_t;
  remote_evaluation wanted;
  wanted.text = std::move(c.text);
  wanted.source = r->who;
  wanted.expected_revision = c.expect_rev;
  wanted.idempotency_key = std::move(c.idempotency_key);
  wanted.always_propose = c.mode == mode::propose;
  wanted.caller = std::to_string(core_.self->id());
  // Nobody waits for it any more when the client is gone.
  r->interrupted = requests_.new_interrupt_flag();
  wanted.cancelled = r->interrupted;
  const bool preview = c.mode == mode::preview;
  sessions_.with_session(r, c.session, [this, r, preview, wanted](const session_ref& ref) {
    auto done = [this, r, preview, slug = ref.slug](const remote_outcome& outcome) {
      requests_.answer(r, evaluation_result(slug, outcome, preview));
    };
    if (preview)
      core_.self->request(ref.actor, caf::infinite, atom::preview_v, wanted).then(done, refuse(r));
    else
      core_.self->request(ref.actor, caf::infinite, atom::propose_v, wanted).then(done, refuse(r));
  });
}

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::undo_changes& c) {
  remote_undo what{c.count, r->who, c.expect_rev, c.idempotency_key};
  sessions_.with_session(r, c.session, [this, r, what](const session_ref& ref) {
    core_.self->request(ref.actor, caf::infinite, atom::undo_v, what)
        .then([this, r](const turn& t) { requests_.answer(r, undo_result(t)); }, refuse(r));
  });
}

/// The channel is what the client says of itself, and a program of the same user may say anything:
/// this keeps well-behaved clients apart and nobody out. What protects is who may open the socket.
/// The session adds that one client does not answer what another has proposed.
void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::answer_proposal& c) {
  if (r->who.channel != "mcp")
    return requests_.refuse(
        r, fault{fault_code::not_permitted,
                 "only the user can decide on a proposal, at the prompt or through an MCP client",
                 "ask the user to :accept or :reject it"});
  sessions_.with_session(r, c.session, [this, r, c](const session_ref& ref) {
    core_.self
        ->request(ref.actor, caf::infinite, atom::resolve_v,
                  proposal_answer{c.number, c.accept, r->who})
        .then([this, r,
               c](const turn& t) { requests_.answer(r, decision_result(c.number, c.accept, t)); },
              refuse(r));
  });
}

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::save_session& c) {
  sessions_.with_session(r, c.session, [this, r](const session_ref& ref) {
    core_.self->request(ref.actor, caf::infinite, atom::flush_v)
        .then(
            [this, r, ref] {
              sessions_.with_snapshot(r, ref, [this, r](const session_snapshot& s) {
                requests_.answer(
                    r, {{"session", s->meta.slug}, {"revision", s->revision}, {"saved", true}});
              });
            },
            refuse(r));
  });
}

// --- the active session --------------------------------------------------------------------------

/// The user stays in the same session, but later requests of clients go to another one.
void ipc_commands::note_move(const ipc_request_ptr& r, const session_ref& from,
                             const session_ref& to) {
  if (from.slug == to.slug) return;
  core_.self->send(from.actor, atom::note_v, std::string{"session-switched"},
                   to_text(r->who) + " made " + to.slug +
                       " the active session; clients now read and write there. `:session switch " +
                       to.slug + "` goes there.");
}

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::create_session& c) {
  // The active session says what clients may do.
  sessions_.with_session(r, {}, [this, r, name = c.name](const session_ref& before) {
    core_.self
        ->request(core_.manager, caf::infinite, atom::create_v, atom::client_v, r->who.author, name)
        .then(
            [this, r, before](const session_ref& ref) {
              note_move(r, before, ref);
              requests_.answer(r, {{"session", ref.slug}, {"changed", true}});
            },
            refuse(r));
  });
}

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::switch_session& c) {
  sessions_.with_session(r, {}, [this, r, c](const session_ref& before) {
    core_.self->request(core_.manager, caf::infinite, atom::activate_v, atom::client_v, c.session)
        .then(
            [this, r, before](const session_ref& after) {
              note_move(r, before, after);
              requests_.answer(r, {{"session", after.slug},
                                   {"changed", after.slug != before.slug},
                                   {"before", before.slug}});
            },
            refuse(r));
  });
}

// --- events --------------------------------------------------------------------------------------

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::wait_for_change& c) {
  sessions_.with_session(r, c.session,
                         [this, r, c](const session_ref& ref) { events_.wait(r, ref, c); });
}

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::subscribe_events& c) {
  if (events_.is_full())
    return requests_.refuse(
        r, fault{fault_code::listener,
                 fmt::format("this connection already has {} streams", session_events::max_streams),
                 "end one with events.unsubscribe",
                 {{"max", session_events::max_streams}}});
  sessions_.with_session(r, c.session,
                         [this, r, c](const session_ref& ref) { events_.subscribe(r, ref, c); });
}

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::unsubscribe_events& c) {
  const bool was = events_.unsubscribe(c.subscription);
  requests_.answer(r, {{"changed", was}});
}

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::cancel_request& c) {
  const bool was = requests_.cancel(r, c.request);
  requests_.answer(r, {{"changed", was}});
}

// --- windows -------------------------------------------------------------------------------------

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::attach_front_end& c) {
  front_end_.attach(r, c);
}
void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::front_end_open& c) {
  front_end_.open(r, c);
}
void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::front_end_switch& c) {
  front_end_.change_session(r, c);
}
void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::front_end_submit& c) {
  front_end_.submit(r, c);
}
void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::front_end_interrupt&) {
  front_end_.interrupt(r);
}
void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::front_end_playback& c) {
  front_end_.control_playback(r, c);
}

// --- playback ------------------------------------------------------------------------------------

void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::list_midi_devices&) {
  playback_.list_devices(r);
}
void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::control_playback& c) {
  playback_.control(r, c);
}
void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::send_midi& c) {
  playback_.send(r, c);
}
void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::get_recording& c) {
  recordings_.get_recording(r, c);
}
void ipc_commands::perform(const ipc_request_ptr& r, io::protocol::get_input_buffer& c) {
  recordings_.get_input_buffer(r, c);
}

}  // namespace fermata::actors
