#pragma once

#include "actors/work/worker_pool.hpp"
#include "core/result.hpp"
#include "messages/midi.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <utility>

namespace fermata::actors {

/// The range of these measures (from 1, by position) in a plan: from the first time that one of
/// them is played to the end of the next time that the last one is. Errors: none of them is played.
result<midi::time_range> range_of_positions(const midi::playback_plan& plan,
                                            std::pair<int, int> measures);

/// Scores become plans, on a worker. It keeps nothing between jobs.
plan_maker_actor::behavior_type plan_maker(plan_maker_actor::pointer self, worker_pool_ptr workers);

}  // namespace fermata::actors
