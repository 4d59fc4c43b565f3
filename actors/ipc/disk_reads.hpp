#pragma once

#include "actors/ipc/connection_core.hpp"
#include "actors/ipc/open_requests.hpp"

#include <deque>
#include <functional>
#include <string>
#include <utility>

namespace fermata::actors {

/// Work that reads entries on disk: queries, and what a client missed that subscribes again. It
/// blocks, so it runs on the shared workers; one at a time for each connection, because two would
/// delay every session.
class disk_reads {
public:
  /// `added` is called for each of them: its client may disconnect meanwhile.
  disk_reads(connection_core& core, open_requests& requests, std::function<void()> added)
    : core_(core), requests_(requests), added_(std::move(added)) {}
  disk_reads(const disk_reads&) = delete;
  disk_reads& operator=(const disk_reads&) = delete;

  /// Runs the work of a request after those before it.
  void add(const ipc_request_ptr& r);
  /// The first one is done.
  void done(const ipc_request_ptr& r, std::string line);
  bool is_idle() const { return waiting_.empty(); }

private:
  void begin_first();

  connection_core& core_;
  open_requests& requests_;
  std::function<void()> added_;
  std::deque<ipc_request_ptr> waiting_;  ///< the first one is under way
};

}  // namespace fermata::actors
