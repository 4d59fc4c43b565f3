#pragma once

#include "actors/session/idempotency_cache.hpp"
#include "actors/session/session_core.hpp"
#include "actors/work/file_worker.hpp"

#include <cstdint>
#include <map>
#include <optional>

namespace fermata::actors {

/// Requests that clients repeat with their idempotency key: each is answered as the first time,
/// also after a restart, and nothing is done twice.
class repeated_requests {
public:
  explicit repeated_requests(session_core& core) : core_(core) {}
  repeated_requests(const repeated_requests&) = delete;
  repeated_requests& operator=(const repeated_requests&) = delete;

  /// What to call with the outcome of a request; nothing when `to` has been, or will be, answered
  /// without doing it again.
  std::optional<answer_any> admit(const keyed_request& what, answer_any to);
  bool was_answered(const keyed_request& what) const;

  bool is_idle() const { return reading_.empty(); }
  void answer_all(const caf::error& reason);

private:
  void answer_again(const kept_answer& before, const keyed_request& what, answer_any to);
  void read_entry(const kept_answer& before, const keyed_request& what, answer_any to);
  void entry_read(std::uint64_t number, const kept_answer& before, caf::expected<entry_ptr> entry);
  caf::expected<remote_answer> same_answer(const kept_answer& before, const entry_ptr& entry) const;

  session_core& core_;
  idempotency_cache answers_;
  file_worker_actor worker_;                     ///< while an entry is being read
  std::map<std::uint64_t, answer_any> reading_;  ///< by number
  std::uint64_t next_number_ = 1;
};

}  // namespace fermata::actors
