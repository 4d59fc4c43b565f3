#pragma once

#include "actors/ipc/open_requests.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace fermata::actors {

/// Finds the session that a request is about, or refuses the request.
class session_lookup {
public:
  using use_session = std::function<void(const session_ref&)>;
  using use_state = std::function<void(const session_snapshot&)>;

  session_lookup(connection_core& core, open_requests& requests)
    : core_(core), requests_(requests) {}

  /// Calls `next` with the session of this name; empty: with the active one. A write is refused
  /// where the user allows this client none.
  void with_session(const ipc_request_ptr& r, std::string_view wanted, use_session next);
  /// Calls `next` with the state that the session shows.
  void with_snapshot(const ipc_request_ptr& r, const session_ref& ref, use_state next);
  /// Calls `next` with the active session.
  void with_active(const ipc_request_ptr& r, use_session next);

private:
  void check_policy(const ipc_request_ptr& r, const session_ref& ref, use_session next);

  connection_core& core_;
  open_requests& requests_;
};

}  // namespace fermata::actors
