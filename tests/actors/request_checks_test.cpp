#include "actors/session/request_checks.hpp"

#include "messages/errors.hpp"

#include <catch2/catch.hpp>

namespace fermata::request_checks_test {

using namespace fermata::actors;

namespace {

std::optional<problem> problem_in(const std::optional<caf::error>& refusal) {
  return refusal ? std::optional{problem_of(*refusal)} : std::nullopt;
}

session_state state_of_friend() {
  auto s = empty_session({});
  s.client_policies["friend"] = remote_policy::allow;
  s.client_policies["stranger"] = remote_policy::deny;
  proposal p;
  p.number = 1;
  p.source = {"friend", "mcp"};
  s.proposals.push_back(p);
  p.number = 2;
  p.state = proposal::state_t::accepted;
  s.proposals.push_back(p);
  return s;
}

}  // namespace

TEST_CASE("whoever sits at a terminal, a script or the system is the user") {
  CHECK(is_user({"user", "terminal"}));
  CHECK(is_user({"user", "script"}));
  CHECK(is_user({"fermata", "system"}));
  CHECK_FALSE(is_user({"user", "ipc"}));
  CHECK_FALSE(is_user({"friend", "mcp"}));
}

TEST_CASE("clients evaluate expressions only") {
  CHECK_FALSE(refusal_of_text("(note c4 :q)"));
  CHECK(problem_in(refusal_of_text("")) == problem::invalid_params);
  CHECK(problem_in(refusal_of_text(":undo")) == problem::not_permitted);
  CHECK(problem_in(refusal_of_text("// hello")) == problem::not_permitted);
}

TEST_CASE("undo is for the user and for clients that are allowed to change the score") {
  const auto s = state_of_friend();
  CHECK_FALSE(refusal_of_undo(s, {1, {"friend", "ipc"}, {}, {}}));
  CHECK_FALSE(refusal_of_undo(s, {1, {"user", "terminal"}, {}, {}}));
  CHECK(problem_in(refusal_of_undo(s, {1, {"stranger", "ipc"}, {}, {}})) == problem::not_permitted);
  CHECK(problem_in(refusal_of_undo(s, {0, {"friend", "ipc"}, {}, {}})) == problem::out_of_range);
}

TEST_CASE("a proposal is answered by its author, while it is open") {
  const auto s = state_of_friend();
  CHECK_FALSE(refusal_of_answer(s, {1, true, {"friend", "mcp"}}));
  CHECK(problem_in(refusal_of_answer(s, {1, true, {"stranger", "mcp"}})) == problem::not_permitted);
  CHECK(problem_in(refusal_of_answer(s, {1, true, {"other", "mcp"}})) == problem::not_permitted);
  CHECK(problem_in(refusal_of_answer(s, {3, true, {"friend", "mcp"}})) == problem::not_found);
  CHECK(problem_in(refusal_of_answer(s, {2, true, {"friend", "mcp"}})) == problem::invalid_state);
}

TEST_CASE("messages are not empty, not too long, and not too many") {
  CHECK(problem_in(refusal_of_message(" ", 10)) == problem::invalid_params);
  CHECK_FALSE(refusal_of_message("0123456789", 10));
  CHECK(problem_in(refusal_of_message("0123456789a", 10)) == problem::out_of_range);
  auto s = state_of_friend();
  CHECK_FALSE(no_room_for_message(s, 10, 1, 10));
  CHECK(problem_in(no_room_for_message(s, 11, 1, 10)) == problem::busy);
  s.queue.push_back({.content = "12345"});
  CHECK_FALSE(no_room_for_message(s, 5, 2, 10));
  CHECK(problem_in(no_room_for_message(s, 6, 2, 10)) == problem::busy);
  CHECK(problem_in(no_room_for_message(s, 1, 1, 10)) == problem::busy);
}

}  // namespace fermata::request_checks_test
