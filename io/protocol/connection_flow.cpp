#include "io/protocol/connection_flow.hpp"

#include <utility>

namespace fermata::io::protocol {

void connection_flow::input_ended() { ended_ = held_ = true; }

bool connection_flow::is_full(const connection_load& load) const {
  return load.pending >= limits_.pending || load.pending_bytes > limits_.pending_bytes ||
         load.unsent > limits_.unsent || load.held > limits_.held;
}

connection_flow::step_t connection_flow::next(const connection_load& load) {
  const bool is_done = load.pending == 0 && load.unsent == 0 && !load.owes_events;
  if (ended_) return is_done ? step_t::close : step_t::nothing;
  if (refuses_) {
    if (discarded_ > limits_.discarded) return step_t::disconnect;
    return is_done && !std::exchange(output_ended_, true) ? step_t::end_output : step_t::nothing;
  }
  const bool full = is_full(load);
  if (full == held_) return step_t::nothing;
  held_ = full;
  return full ? step_t::hold : step_t::read;
}

bool connection_flow::watch(std::uint64_t taken_in_all) {
  if (taken_at_watch_) return false;
  taken_at_watch_ = taken_in_all;
  return true;
}

connection_flow::progress_t connection_flow::progress(std::uint64_t taken_in_all,
                                                      std::size_t in_socket) {
  const auto before = std::exchange(taken_at_watch_, std::nullopt);
  if (in_socket == 0 && !refuses_) return progress_t::not_needed;
  return taken_in_all == before ? progress_t::none : progress_t::some;
}

}  // namespace fermata::io::protocol
