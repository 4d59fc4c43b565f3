#pragma once

#include "actors/ipc/front_end_link.hpp"
#include "actors/ipc/open_requests.hpp"
#include "actors/ipc/playback_commands.hpp"
#include "actors/ipc/recording_queries.hpp"
#include "actors/ipc/session_events.hpp"
#include "actors/ipc/session_lookup.hpp"

#include <caf/expected.hpp>

namespace fermata::actors {

/// What a request asks for that is no query: one function per command of io/protocol/command.hpp.
class ipc_commands {
public:
  ipc_commands(connection_core& core, open_requests& requests, session_lookup& sessions,
               session_events& events, front_end_link& front_end)
    : core_(core),
      requests_(requests),
      sessions_(sessions),
      events_(events),
      front_end_(front_end),
      playback_(core, requests, sessions),
      recordings_(core, requests, sessions) {}

  /// Does what the request asks for, and answers it, perhaps later.
  void perform(const ipc_request_ptr& r);

private:
  void perform(const ipc_request_ptr& r, io::protocol::say_hello& c);
  void perform(const ipc_request_ptr& r, io::protocol::post_message& c);
  void perform(const ipc_request_ptr& r, io::protocol::evaluate_text& c);
  void perform(const ipc_request_ptr& r, io::protocol::undo_changes& c);
  void perform(const ipc_request_ptr& r, io::protocol::answer_proposal& c);
  void perform(const ipc_request_ptr& r, io::protocol::create_session& c);
  void perform(const ipc_request_ptr& r, io::protocol::switch_session& c);
  void perform(const ipc_request_ptr& r, io::protocol::save_session& c);
  void perform(const ipc_request_ptr& r, io::protocol::wait_for_change& c);
  void perform(const ipc_request_ptr& r, io::protocol::subscribe_events& c);
  void perform(const ipc_request_ptr& r, io::protocol::unsubscribe_events& c);
  void perform(const ipc_request_ptr& r, io::protocol::cancel_request& c);
  void perform(const ipc_request_ptr& r, io::protocol::attach_front_end& c);
  void perform(const ipc_request_ptr& r, io::protocol::front_end_open& c);
  void perform(const ipc_request_ptr& r, io::protocol::front_end_switch& c);
  void perform(const ipc_request_ptr& r, io::protocol::front_end_submit& c);
  void perform(const ipc_request_ptr& r, io::protocol::front_end_interrupt& c);
  void perform(const ipc_request_ptr& r, io::protocol::front_end_playback& c);
  void perform(const ipc_request_ptr& r, io::protocol::list_midi_devices& c);
  void perform(const ipc_request_ptr& r, io::protocol::control_playback& c);
  void perform(const ipc_request_ptr& r, io::protocol::send_midi& c);
  void perform(const ipc_request_ptr& r, io::protocol::get_recording& c);
  void perform(const ipc_request_ptr& r, io::protocol::get_input_buffer& c);

  void note_move(const ipc_request_ptr& r, const session_ref& from, const session_ref& to);
  /// Refuses the request with the error of an actor.
  auto refuse(const ipc_request_ptr& r) {
    return [this, r](const caf::error& e) { requests_.refuse(r, e); };
  }

  connection_core& core_;
  open_requests& requests_;
  session_lookup& sessions_;
  session_events& events_;
  front_end_link& front_end_;
  playback_commands playback_;
  recording_queries recordings_;
};

}  // namespace fermata::actors
