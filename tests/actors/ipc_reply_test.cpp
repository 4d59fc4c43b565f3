#include "actors/ipc/ipc_reply.hpp"

#include "io/text/line_decoder.hpp"
#include "messages/errors.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>

using namespace fermata;
using namespace fermata::actors;

TEST_CASE("what an actor refuses with is what a line says") {
  for (const auto& row : io::protocol::fault_table()) {
    CAPTURE(row.name);
    const auto fault = to_fault(make_problem(row.code, "because", {}));
    CHECK(fault.code == row.code);
    CHECK(fault.message == "because");
    // Whatever it is, the answer says what to do next.
    CHECK_FALSE(fault.data.at("hint").as_string().empty());
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

TEST_CASE("a client is not told to type what only the user can") {
  auto hint = [](problem what, problem_detail detail) {
    return std::string{to_fault(make_problem(what, std::move(detail))).data.at("hint").as_string()};
  };
  CHECK(hint(problem::not_found,
             {.message = "no session `x`", .advice = "`:session list` shows all"}) ==
        "list_sessions lists the sessions");
  CHECK(hint(problem::not_found, {.message = "no session `x`", .advice = "Did you mean `y`?"}) ==
        "Did you mean `y`?");
  CHECK(hint(problem::not_permitted,
             {.message = "read-only", .advice = "`:session clone` copies it"}) ==
        "at the prompt: `:session clone` copies it");
  CHECK(hint(problem::eval_error, {.cause = {errc::cancelled, "interrupted", std::nullopt}})
            .find("ask") != std::string::npos);
}

TEST_CASE("what changes a name and no note is a change all the same") {
  session_meta meta;
  meta.slug = "test";
  turn t;
  t.after = std::make_shared<const session_state>(empty_session(meta));
  auto e = std::make_shared<history_entry>();
  e->index = 1;
  command_entry undone{.text = ":undo", .output = "Undid In[1]: x forgotten"};
  undone.env_change.bindings.push_back({"x", binding{}, std::nullopt});
  e->kind = undone;
  t.entries = {e};
  CHECK(undo_result(t).at("changed") == true);
  CHECK(undo_result(t).at("revision") == 0);
  // Nothing was left to be taken back.
  undone.env_change = {};
  e->kind = undone;
  CHECK(undo_result(t).at("changed") == false);
}

TEST_CASE("what was only tried says so") {
  auto entry = std::make_shared<history_entry>();
  entry->kind = eval_entry{};
  for (bool scratch : {false, true}) {
    remote_outcome outcome;
    outcome.entry = entry;
    outcome.scratch = scratch;
    auto said = evaluation_result("one", outcome, false);
    CHECK(said.at("outcome") == "done");
    CHECK(said.contains("scratch") == scratch);
  }
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

TEST_CASE("an entry that is too long by itself is cut, and says so") {
  session_meta meta;
  meta.slug = "test";
  auto state = empty_session(meta);
  auto e = std::make_shared<history_entry>();
  e->index = 1;
  eval_entry failed{.text = "(x)"};
  // Twenty faults that quote a name of a hundred thousand bytes each.
  error why{errc::unknown_name, std::string(100'000, '\1'), source_span{0, 3}, "define it"};
  for (int i = 1; i < 20; ++i)
    why.diagnostics.push_back(why.first());
  failed.failure = why;
  e->kind = std::move(failed);
  state.history.append(e);
  session_event event;
  event.session = "test";
  event.what = "entries";
  event.after = std::make_shared<const session_state>(std::move(state));
  std::int64_t seen = 0;
  const auto params = event_params(event, seen, 50);
  CHECK(seen == 1);
  CHECK(boost::json::serialize(params).size() < io::protocol::max_line);
  const auto& entry = params.at("entries").as_array().at(0);
  CHECK(entry.at("truncated") == true);
  CHECK(entry.at("error").at("code") == "unknown-name");
  CHECK(entry.at("error").at("hint") == "define it");
  CHECK(entry.at("error").at("message").as_string().size() == 5'000);
}
