#pragma once

#include "messages/recording.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace fermata::actors {

/// An input, opened at once and kept open. Its messages go to the listener from the thread of the
/// port, already stamped.
///
/// Once a second it is checked, since not every system reports that a port or a server has gone, or
/// has returned. One that is lost is closed, and opened again when the hub reports a change, or at
/// the next check; after a failure only at a check, because an attempt is a change by itself.
class midi_in_state {
public:
  using pointer = midi_in_actor::stateful_pointer<midi_in_state>;
  static inline const char* name = "midi_in";

  explicit midi_in_state(pointer self) : self_(self) {}
  ~midi_in_state();
  midi_in_state(const midi_in_state&) = delete;
  midi_in_state& operator=(const midi_in_state&) = delete;

  void start(midi_hub_actor hub, std::uint32_t number, std::string id,
             caf::weak_actor_ptr listener);
  void devices_changed();
  void check();

private:
  void check_port();
  void find();
  void open();
  void tell(input_change::what_t what, std::string reason = {}, std::uint64_t count = 0);

  pointer self_;
  midi_hub_actor hub_;
  std::uint32_t number_ = 0;
  std::string id_;
  caf::weak_actor_ptr listener_;
  std::shared_ptr<midi::input_port> port_;  ///< null: it is lost, or being opened
  bool is_opening_ = false;                 ///< or the hub is asked whether it is there
  bool has_failed_ = false;                 ///< and the listener was told
  std::uint64_t lost_messages_ = 0;         ///< of which the listener was told
};
static_assert(!std::is_aggregate_v<midi_in_state>);

/// `number`: for its messages. `listener`: an `input_listener_actor`; it may have ended.
midi_in_actor::behavior_type midi_in(midi_in_state::pointer self, midi_hub_actor hub,
                                     std::uint32_t number, std::string id,
                                     caf::weak_actor_ptr listener);

}  // namespace fermata::actors
