#include "tests/actors/managed_sessions.hpp"

// Each session has its own rules for clients.

namespace fermata::actors {

TEST_CASE("stopping clients in one session tells where they go on, until they are stopped there") {
  managed_sessions m;
  auto etude = *m.create("etude"), fugue = *m.create("fugue");
  REQUIRE(m.submit(etude, ":ai allow"));
  CHECK(output_of(m.submit(fugue, ":ai off")).find("etude (allow)") != std::string::npos);
  // As it says, an evaluation that is addressed to the other one is done.
  remote_evaluation what;
  what.text = "(note c4 :q)";
  what.source = client;
  CHECK(m.ask<remote_outcome>(etude.actor, atom::propose_v, what));
  CHECK_FALSE(m.ask<remote_outcome>(fugue.actor, atom::propose_v, what));
  CHECK(output_of(m.submit(etude, ":ai off")).find("may still act") == std::string::npos);
  CHECK(output_of(m.submit(fugue, ":ai off")).find("may still act") == std::string::npos);
  CHECK_FALSE(m.ask<remote_outcome>(etude.actor, atom::propose_v, what));
}

}  // namespace fermata::actors
