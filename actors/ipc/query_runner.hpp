#pragma once

#include "actors/ipc/disk_reads.hpp"
#include "actors/ipc/session_lookup.hpp"

#include <string_view>

namespace fermata::actors {

/// Runs queries: on published snapshots where there are any, on this thread when they are quick and
/// on a worker when they are not.
class query_runner {
public:
  query_runner(connection_core& core, open_requests& requests, session_lookup& sessions,
               disk_reads& disk)
    : core_(core), requests_(requests), sessions_(sessions), disk_(disk) {}

  /// Finds what the query reads, and runs it.
  void begin(const ipc_request_ptr& r);

private:
  bool find_published(ipc_request& r) const;
  void find_session(const ipc_request_ptr& r);
  void find_list(const ipc_request_ptr& r);
  void run(const ipc_request_ptr& r);

  connection_core& core_;
  open_requests& requests_;
  session_lookup& sessions_;
  disk_reads& disk_;
};

}  // namespace fermata::actors
