#include "core/session/timeline/entry_text.hpp"
#include "tests/actors/session_fixture.hpp"

#include <catch2/catch.hpp>

namespace fermata::actors {

namespace {

template <class Kind>
const Kind& as(const entry_ptr& e) {
  return std::get<Kind>(e->kind);
}

}  // namespace

TEST_CASE("a line is evaluated, gets the next index and comes back as a turn") {
  session_under_test t;
  t.start();
  auto first = t.submit("(+ 1 2)");
  REQUIRE(first);
  REQUIRE(first->entries.size() == 1);
  CHECK(first->entries[0]->index == 1);
  CHECK(as<eval_entry>(first->entries[0]).output_text == "3");
  auto second = t.submit("(* 2 3)");
  REQUIRE(second);
  CHECK(second->entries[0]->index == 2);
  CHECK(second->after->history.size() == 2);
}

TEST_CASE("messages that arrived while I typed come before my line, in the sequence number of the "
          "message") {
  session_under_test t;
  t.start();
  REQUIRE(t.message("one"));
  REQUIRE(t.message("two"));
  auto turn = t.submit("(+ 1 1)");
  REQUIRE(turn);
  REQUIRE(turn->entries.size() == 3);
  CHECK(as<ai_message_entry>(turn->entries[0]).content == "one");
  CHECK(as<ai_message_entry>(turn->entries[1]).content == "two");
  CHECK(as<eval_entry>(turn->entries[2]).text == "(+ 1 1)");
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(turn->entries[i]->index == static_cast<std::int64_t>(i + 1));
  CHECK(turn->after->queue.empty());
}

TEST_CASE("an empty line shows what waits and makes no entry of its own") {
  session_under_test t;
  t.start();
  REQUIRE(t.message("one"));
  auto turn = t.submit("   ");
  REQUIRE(turn);
  CHECK(turn->entries.size() == 1);
  CHECK(t.submit("")->entries.empty());
}

TEST_CASE("a message to clients is an entry of the user") {
  session_under_test t;
  t.start();
  auto turn = t.submit("// shall we modulate?");
  REQUIRE(turn);
  REQUIRE(turn->entries.size() == 1);
  CHECK(as<user_message_entry>(turn->entries[0]).content == "shall we modulate?");
}

TEST_CASE("an error takes an index and changes nothing") {
  session_under_test t;
  t.start();
  auto turn = t.submit("(+ 1 motiff)");
  REQUIRE(turn);
  REQUIRE(turn->entries.size() == 1);
  CHECK(as<eval_entry>(turn->entries[0]).failure);
  CHECK(turn->after->revision == 0);
  CHECK(turn->after->history.next_index() == 2);
}

TEST_CASE("earlier values are at hand as $Out") {
  session_under_test t;
  t.start();
  REQUIRE(t.submit("(+ 1 2)"));
  auto turn = t.submit("(* $Out[1] 10)");
  REQUIRE(turn);
  CHECK(as<eval_entry>(turn->entries[0]).output_text == "30");
}

TEST_CASE("a definition can be undone and redone") {
  session_under_test t;
  t.start();
  REQUIRE(t.submit("(def x 1)"));
  REQUIRE(t.submit("(def x 2)"));
  CHECK(as<eval_entry>(t.submit("x")->entries[0]).output_text == "2");
  auto undone = t.submit(":undo");
  REQUIRE(undone);
  CHECK(as<command_entry>(undone->entries[0]).ok);
  CHECK(as<eval_entry>(t.submit("x")->entries[0]).output_text == "1");
  REQUIRE(t.submit(":redo"));
  CHECK(as<eval_entry>(t.submit("x")->entries[0]).output_text == "2");
}

TEST_CASE("an unknown command says so and is remembered as failed") {
  session_under_test t;
  t.start();
  auto turn = t.submit(":histroy");
  REQUIRE(turn);
  auto& entry = as<command_entry>(turn->entries[0]);
  CHECK_FALSE(entry.ok);
  CHECK(entry.output.find(":history") != std::string::npos);
}

}  // namespace fermata::actors
