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
/// port, already stamped. When it is lost it is closed, and opened again as soon as it is back:
/// when the hub reports changes, and once a second, since not every system reports that its server
/// has returned.
class midi_in_state {
public:
  using pointer = midi_in_actor::stateful_pointer<midi_in_state>;
  static inline const char* name = "midi_in";

  explicit midi_in_state(pointer self) : self_(self) {}
  midi_in_state(const midi_in_state&) = delete;
  midi_in_state& operator=(const midi_in_state&) = delete;

  void start(midi_hub_actor hub, std::uint32_t number, std::string id,
             caf::weak_actor_ptr listener);
  void devices_changed();
  void timer_ended();

private:
  void open();
  void look(const device_list& all);
  void look_later();
  void finished();
  void tell(input_change::what_t what, std::string reason = {});

  pointer self_;
  midi_hub_actor hub_;
  std::uint32_t number_ = 0;
  std::string id_;
  caf::weak_actor_ptr listener_;
  std::shared_ptr<midi::input_port> port_;  ///< null: it is lost, or being opened
  bool is_busy_ = false;                    ///< the hub has been asked for something
  bool has_changed_ = false;                ///< meanwhile
  bool has_timer_ = false;
  bool has_failed_ = false;  ///< and the listener was told
};
static_assert(!std::is_aggregate_v<midi_in_state>);

/// `number`: for its messages. `listener`: an `input_listener_actor`; it may have ended.
midi_in_actor::behavior_type midi_in(midi_in_state::pointer self, midi_hub_actor hub,
                                     std::uint32_t number, std::string id,
                                     caf::weak_actor_ptr listener);

}  // namespace fermata::actors
