#pragma once

#include "actors/ipc/open_requests.hpp"
#include "actors/ipc/session_lookup.hpp"

namespace fermata::actors {

/// Requests of clients about playback and MIDI devices (io/protocol/playback_methods.cpp).
class playback_commands {
public:
  playback_commands(connection_core& core, open_requests& requests, session_lookup& sessions)
    : core_(core), requests_(requests), sessions_(sessions) {}

  void list_devices(const ipc_request_ptr& r);
  void control(const ipc_request_ptr& r, const io::protocol::control_playback& c);
  void send(const ipc_request_ptr& r, io::protocol::send_midi& c);

private:
  /// Refuses the request if this process plays nothing.
  bool check_player(const ipc_request_ptr& r);

  connection_core& core_;
  open_requests& requests_;
  session_lookup& sessions_;
};

}  // namespace fermata::actors
