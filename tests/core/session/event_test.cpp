#include "core/session/timeline/event.hpp"

#include "core/session/commands/setting_table.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

namespace fermata::event_test {

namespace {

/// The state after all of the journal, worked out anew and without what the events carry for speed.
session_state replayed(const session_by_hand& s) {
  session_meta meta;
  meta.slug = meta.name = "test";
  auto state = empty_session(meta);
  for (auto t : s.journal) {
    for (auto& e : t.events)
      if (auto committed = std::get_if<entry_committed>(&e)) {
        committed->score = nullptr;
        committed->env = nullptr;
      }
    auto next = apply(std::move(state), t);
    REQUIRE(next);
    state = std::move(*next);
  }
  return state;
}

void undo(session_by_hand& s, std::int64_t n = 1) {
  auto change = undo_change(s.state, n);
  REQUIRE(change);
  command_entry entry;
  entry.text = ":undo";
  entry.delta = change->delta;
  entry.env_change = change->env_change;
  entry.revision_before = s.state.revision;
  entry.revision_after = s.state.revision + (change->delta.empty() ? 0 : 1);
  auto t = committed(s.state, entry, {}, s.now());
  t.events.insert(t.events.end(), change->steps.begin(), change->steps.end());
  s.happen(t);
}

}  // namespace

TEST_CASE("folding the journal gives the very same score") {
  session_by_hand s;
  for (auto line : {"(note c4 :q)", "(note d4 :q)", "(def motif (seq (note e4 :8) (note f4 :8)))",
                    "(add motif)", "(nonsense)", "(note g4 :h)", "(add motif)"})
    s.type(line);
  undo(s, 2);
  s.type("(note a4 :w)");
  auto again = replayed(s);
  CHECK(content_hash(*again.score) == content_hash(*s.state.score));
  CHECK(again.revision == s.state.revision);
  CHECK(again.env->cursor == s.state.env->cursor);
  CHECK(again.history.size() == s.state.history.size());
  CHECK(s.state.revision > 0);
}

TEST_CASE("undoing everything gives the empty score, redoing it the full one") {
  session_by_hand s;
  for (auto line : {"(note c4 :q)", "(note d4 :q)", "(part :violin (measure (note e5 :w)))"})
    s.type(line);
  auto full = content_hash(*s.state.score);
  auto cursor = s.state.env->cursor;
  undo(s, 3);
  CHECK(content_hash(*s.state.score) == content_hash(*empty_score()));
  CHECK(s.state.env->cursor == score_cursor{});
  auto change = redo_change(s.state, 3);
  REQUIRE(change);
  CHECK(content_hash(*change->score) == full);
  CHECK(change->env->cursor == cursor);
}

TEST_CASE("a new change drops the redo steps") {
  session_by_hand s;
  s.type("(note c4 :q)");
  undo(s);
  REQUIRE(redo_change(s.state, 1));
  s.type("(note d4 :q)");
  CHECK_FALSE(redo_change(s.state, 1));
}

TEST_CASE("an error is an entry but not an undo step") {
  session_by_hand s;
  s.type("(nonsense)");
  CHECK(s.state.history.size() == 1);
  CHECK(s.state.undo.empty());
  CHECK_FALSE(undo_change(s.state, 1));
}

TEST_CASE("an entry with the wrong number is refused") {
  session_by_hand s;
  auto t = noted(s.state, "x", "y", s.now());
  s.happen(t);
  CHECK_FALSE(apply(s.state, t));
}

TEST_CASE("a setting that changes is told as one, whichever it is") {
  musician m;
  m.type("(note c4 :q)");
  auto told = [&](const std::string& line) {
    m.must(line);
    return kinds_of(m.journal.back());
  };
  for (auto& row : setting_table())
    if (row.of_session)
      CHECK(told("set " + std::string{row.name} + " default") == "entries settings");
  for (auto line : {"display compact", "time on", "ai allow", "scratch on", "scratch off",
                    "key-inference on", "key-inference off"}) {
    INFO(line);
    CHECK(told(line) == "entries settings");
  }
  // Nothing changes, or no setting does.
  for (auto line : {"scratch off", "key-inference off", "settings"}) {
    INFO(line);
    CHECK(told(line) == "entries");
  }
  m.type("(note d4 :q)");
  CHECK(kinds_of(m.journal.back()) == "entries score");
}

TEST_CASE("what waits is shown in the order of arrival, proposals among the messages") {
  session_by_hand s;
  s.happen(queued(s.state, "first", {"claude", "mcp"}, s.now()));
  auto e = s.run("(note c4 :q)");
  REQUIRE(e);
  s.happen(proposed(s.state, 1, "(note c4 :q)", {"claude", "mcp"}, 0, *e, s.now()));
  s.happen(queued(s.state, "last", {"claude", "mcp"}, s.now()));
  auto shown = all_pending(s.state, s.now());
  REQUIRE(shown.size() == 3);
  for (auto& t : shown)
    s.happen(t);
  CHECK(std::get<ai_message_entry>(s.state.history.at(1)->kind).content == "first");
  CHECK(std::get<system_entry>(s.state.history.at(2)->kind).event == "proposal");
  CHECK(std::get<ai_message_entry>(s.state.history.at(3)->kind).content == "last");
  CHECK(s.state.queue.empty());
  CHECK(all_pending(s.state, s.now()).empty());
  CHECK(s.state.proposals.front().state == proposal::state_t::open);
}

TEST_CASE("answers to clients are kept up to a number and up to a size, the last one always") {
  session_by_hand s;
  auto answer = [&](std::size_t bytes) {
    kept_answer a;
    a.author = "claude";
    a.text.assign(bytes, 'x');
    s.happen({{answer_given{std::move(a)}}});
  };
  for (int i = 0; i < 300; ++i)
    answer(10);
  CHECK(s.state.answers.size() == most_answers);
  // Four megabytes each: four of them, with their names, are more than sixteen.
  for (int i = 0; i < 10; ++i)
    answer(std::size_t{4} << 20);
  CHECK(s.state.answers.size() == 3);
  answer(2 * most_answer_bytes);
  CHECK(s.state.answers.size() == 1);
  answer(10);
  CHECK(s.state.answers.size() == 1);
}

}  // namespace fermata::event_test
