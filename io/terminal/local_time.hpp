#pragma once

#include "core/session/timeline/wall_clock.hpp"

namespace fermata::io {

/// The user's local time: the rules of the system's zone (the variable TZ, else /etc/localtime),
/// also for times long ago. May be asked from any thread.
wall_clock local_clock();

}  // namespace fermata::io
