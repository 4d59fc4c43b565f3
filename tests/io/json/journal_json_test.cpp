#include "io/json/journal_json.hpp"

#include "io/json/checksum.hpp"

#include <boost/json.hpp>
#include <catch2/catch.hpp>

namespace fermata::io::journal_json_test {

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

TEST_CASE("what is left of a proposal is read as it was written") {
  proposal rest;
  rest.number = 3;
  rest.text = "(note c4 :q)";
  rest.reason = "measure 1 accepted";
  rest.base_revision = 7;
  auto read = read_transition(transition_line({{proposal_made{rest}}}), empty_session({}));
  REQUIRE(read);
  auto& found = std::get<proposal_made>(read->events.front()).made;
  CHECK(found.number == 3);
  CHECK(found.reason == "measure 1 accepted");
  CHECK(found.base_revision == 7);
  CHECK(found.state == proposal::state_t::open);
}

TEST_CASE("`:scratch` of an earlier journal becomes the setting") {
  auto line = [](bool before, bool after) {
    boost::json::object o{{"index", 1},
                          {"time", "2026-01-01T00:00:00.000Z"},
                          {"author", "user"},
                          {"door", "terminal"},
                          {"kind", "command"},
                          {"text", ":scratch on"},
                          {"output", "scratch is on"},
                          {"ok", true},
                          {"env", {{"scratch", boost::json::array{before, after}}}}};
    return with_checksum(boost::json::serialize(o));
  };
  for (bool on : {true, false}) {
    auto read = read_transition(line(!on, on), empty_session({}));
    INFO(line(!on, on));
    REQUIRE(read);
    auto& setting = std::get<setting_changed>(read->events.back());
    CHECK(setting.name == "commit");
    CHECK(setting.value == (on ? std::optional<std::string>{"nothing"} : std::nullopt));
  }
}

TEST_CASE("a policy that is none is a damaged line") {
  CHECK_FALSE(read_transition(
      R"({"also":[{"event":"policy-changed","client":"a","policy":"maybe","for_everybody":false}]})",
      empty_session({})));
}

}  // namespace fermata::io::journal_json_test
