#include "actors/ipc_reply.hpp"

#include "messages/errors.hpp"

#include <catch2/catch.hpp>

using namespace fermata;
using namespace fermata::actors;

TEST_CASE("what actors refuse with and what a line says have the same names and numbers") {
  CHECK(problem_table().size() == io::protocol::fault_table().size());
  for (const auto& row : problem_table()) {
    CAPTURE(row.name);
    const auto* fault = io::protocol::find_fault(row.name);
    REQUIRE(fault);
    CHECK(fault->number == row.json_rpc_code);
    CHECK(to_fault(make_problem(row.id, "because", "do this")).code == fault->code);
  }
}

TEST_CASE("a refusal keeps its message and advice, and what a program needs to go on") {
  auto conflict = to_fault(make_problem(
      problem::conflict,
      problem_detail{.message = "the score moved", .advice = "read again", .revision = 7}));
  CHECK(conflict.message == "the score moved");
  CHECK(conflict.data.at("hint") == "read again");
  CHECK(conflict.data.at("revision") == 7);
  auto busy = to_fault(
      make_problem(problem::busy, problem_detail{.message = "full", .retry_after_ms = 50}));
  CHECK(busy.data.at("retry_after_ms") == 50);
}

TEST_CASE("an event gives the entries after the last one seen, in portions") {
  session_meta meta;
  meta.slug = "test";
  auto state = empty_session(meta);
  for (int i = 1; i <= 7; ++i) {
    auto e = std::make_shared<history_entry>();
    e->index = i;
    e->kind = user_message_entry{"words"};
    state.history.append(e);
  }
  session_event event;
  event.session = "test";
  event.what = "entries score";
  event.after = std::make_shared<const session_state>(std::move(state));
  CHECK(event_kinds(event) == std::vector<std::string_view>{"entries", "score"});
  std::int64_t seen = 2;
  CHECK(event_params(event, seen, 3).at("entries").as_array().size() == 3);
  CHECK(seen == 5);
  CHECK(event_params(event, seen, 3).at("entries").as_array().size() == 2);
  CHECK(seen == 7);
}
