#pragma once

#include "core/session/timeline/state.hpp"

#include <atomic>
#include <memory>

namespace fermata::actors {

/// Entries on disk, until nobody waits for them any more: from then on each is refused without a
/// look at the disk, so that a search over a million of them ends at once.
class interruptible_entries final : public entry_source_on_disk {
public:
  using flag = std::shared_ptr<std::atomic<bool>>;

  interruptible_entries(entry_loader_ptr from, flag interrupted)
    : from_(std::move(from)), interrupted_(std::move(interrupted)) {}

  result<entry_ptr> load(std::int64_t index) const override {
    if (is_interrupted()) return fail({errc::cancelled, "the search was interrupted"});
    return from_->load(index);
  }
  result<entry_ptr> load_if(std::int64_t index, const history_query& q) const override {
    if (is_interrupted()) return entry_ptr{};
    return from_->load_if(index, q);
  }

private:
  bool is_interrupted() const { return interrupted_->load(std::memory_order_relaxed); }

  entry_loader_ptr from_;
  flag interrupted_;
};

/// The same session, whose old entries are read until `interrupted` is set.
inline session_snapshot read_until(const session_state& s,
                                   interruptible_entries::flag interrupted) {
  auto copy = s;
  copy.history = s.history.read_through(
      std::make_shared<interruptible_entries>(s.history.loader(), std::move(interrupted)));
  return std::make_shared<const session_state>(std::move(copy));
}

}  // namespace fermata::actors
