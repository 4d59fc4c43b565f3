#pragma once

#include "actors/work/worker_pool.hpp"
#include "messages/midi.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

namespace fermata::actors {

/// Where the sound systems come from: the library of this machine, or those of a test.
using sound_loader = std::function<midi::sound_result<std::shared_ptr<midi::sound_system>>()>;

/// A failure of a sound system as an error for a requester.
caf::error to_problem(const midi::sound_failure& f);
/// A failure to find a device, with what to do.
midi::sound_failure with_advice(midi::sound_failure f);

/// The devices. It owns the sound systems; everything that is asked of them is done on one strand,
/// in order, since they take one call at a time. When it dies, the ports that were opened go on.
class midi_hub_state {
public:
  using pointer = midi_hub_actor::stateful_pointer<midi_hub_state>;
  static inline const char* name = "midi_hub";

  explicit midi_hub_state(pointer) {}

  std::vector<device_observer_actor> observers;
};
static_assert(!std::is_aggregate_v<midi_hub_state>);

midi_hub_actor::behavior_type midi_hub(midi_hub_state::pointer self, sound_loader load,
                                       worker_pool_ptr workers);

}  // namespace fermata::actors
