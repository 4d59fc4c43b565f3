#pragma once

#include "actors/work/worker_pool.hpp"
#include "messages/recording.hpp"

#include <caf/typed_event_based_actor.hpp>

namespace fermata::actors {

quantizer_actor::behavior_type quantizer(quantizer_actor::pointer self, worker_pool_ptr workers);

}  // namespace fermata::actors
