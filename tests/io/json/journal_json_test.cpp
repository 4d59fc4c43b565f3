#include "io/json/journal_json.hpp"

#include <catch2/catch.hpp>

namespace fermata::io {

TEST_CASE("what clients may do is read from the journal as it was said") {
  auto before = empty_session({});
  using p = remote_policy;
  for (auto& said :
       {policy_changed{"claude", p::preview, false}, policy_changed{{}, p::deny, true},
        policy_changed{{}, p::ask, false}, policy_changed{"claude", std::nullopt, false}}) {
    auto line = transition_line({{said}});
    INFO(line);
    auto read = read_transition(line, before);
    REQUIRE(read);
    REQUIRE(read->events.size() == 1);
    auto& found = std::get<policy_changed>(read->events.front());
    CHECK(found.client == said.client);
    CHECK(found.policy == said.policy);
    CHECK(found.for_everybody == said.for_everybody);
  }
}

TEST_CASE("a policy that is none is a damaged line") {
  CHECK_FALSE(read_transition(
      R"({"also":[{"event":"policy-changed","client":"a","policy":"maybe","for_everybody":false}]})",
      empty_session({})));
}

}  // namespace fermata::io
