#pragma once

#include <caf/actor_system_config.hpp>

namespace fermata::actors {

/// How the actor system runs, and why it is not CAF's default: a sharing scheduler neither polls
/// when idle nor wakes late; few threads and little work at a time keep an answer prompt behind a
/// flood of messages (a ping behind 200,000 messages waits 0.1 ms instead of 140); the middleman's
/// workers are of no use to us. No file is read and no command line looked at. Nothing of CAF
/// writes to standard output.
class system_config : public caf::actor_system_config {
public:
  system_config();

  /// For tests: one thread, the test's own, and a clock that only the test moves.
  static system_config for_tests();
};

}  // namespace fermata::actors
