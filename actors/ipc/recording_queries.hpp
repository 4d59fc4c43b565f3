#pragma once

#include "actors/ipc/open_requests.hpp"
#include "actors/ipc/session_lookup.hpp"

namespace fermata::actors {

/// Requests of clients about takes and what was just played (io/protocol/recording_methods.cpp).
class recording_queries {
public:
  recording_queries(connection_core& core, open_requests& requests, session_lookup& sessions)
    : core_(core), requests_(requests), sessions_(sessions) {}

  void get_recording(const ipc_request_ptr& r, const io::protocol::get_recording& c);
  void get_input_buffer(const ipc_request_ptr& r, const io::protocol::get_input_buffer& c);

private:
  void transcribe(const ipc_request_ptr& r, const std::string& session, quantization_job job);
  /// Calls `then` with what was played on the inputs lately.
  void with_remembered(const ipc_request_ptr& r, std::chrono::milliseconds last,
                       std::function<void(const remembered_music&)> then);

  connection_core& core_;
  open_requests& requests_;
  session_lookup& sessions_;
};

}  // namespace fermata::actors
