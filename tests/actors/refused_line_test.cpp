#include "actors/front_end.hpp"
#include "tests/actors/managed_sessions.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

// Messages that were pending when a line was entered that is then refused: each is shown once, in
// order, before whatever comes next.

namespace fermata::actors::refused_line_test {

namespace {

namespace event = front_end_events;

using texts = std::vector<std::string>;

std::string text_of(const history_entry& e) {
  if (auto message = std::get_if<ai_message_entry>(&e.kind)) return message->content;
  if (auto eval = std::get_if<eval_entry>(&e.kind)) return eval->text;
  return "another entry";
}

texts texts_of(const std::vector<entry_ptr>& entries) {
  texts all;
  for (auto& e : entries)
    all.push_back(text_of(*e));
  return all;
}

/// What a terminal shows: the entries of answers, and those that snapshots have beyond them.
struct terminal {
  terminal(caf::actor_system& sys, const session_manager_actor& manager)
    : end(sys, manager, inbox) {}

  void look() {
    for (auto& event : inbox.take()) {
      if (auto opened = std::get_if<event::opened>(&event)) show_until(*opened->what.after);
      if (auto answered = std::get_if<event::answered>(&event)) show(answered->what);
      if (auto refused = std::get_if<event::refused>(&event)) refusals.push_back(refused->message);
      if (auto changed = std::get_if<event::changed>(&event)) show_until(*changed->after);
    }
  }

  front_end::inbox inbox;
  front_end end;
  texts shown;
  texts refusals;

private:
  void show(const turn& t) {
    for (auto& e : t.entries) {
      CHECK(e->index > last_);
      last_ = e->index;
      shown.push_back(text_of(*e));
    }
  }
  void show_until(const session_state& s) {
    while (last_ < s.history.size())
      shown.push_back(text_of(*s.history.at(++last_)));
  }

  std::int64_t last_ = 0;
};

}  // namespace

TEST_CASE("messages come once, in order, before the error of a line that cannot be read") {
  session_under_test t;
  t.start();
  REQUIRE(t.message("first"));
  REQUIRE(t.message("second"));
  auto failed = t.submit("(note c4");
  REQUIRE(failed);
  CHECK(texts_of(failed->entries) == texts{"first", "second", "(note c4"});
  CHECK(is_failure(*failed->entries.back()));
  CHECK(t.snapshot()->queue.empty());
  auto next = t.submit("(+ 1 1)");
  REQUIRE(next);
  CHECK(texts_of(next->entries) == texts{"(+ 1 1)"});
  CHECK(t.snapshot()->history.size() == 4);
}

TEST_CASE("where another process writes, a refused line leaves pending messages as they are") {
  session_under_test t;
  auto state = *t.setup.state;
  state.written_by = "process 12";
  state.queue.push_back({1, {}, client, "first"});
  state.queue.push_back({2, {}, client, "second"});
  state.next_ticket = 3;
  t.setup.state = std::make_shared<const session_state>(state);
  t.start();
  for (auto text : {"(note c4 :q)", "(def m 1)", "// hello"}) {
    CAPTURE(text);
    auto refused = t.submit(text);
    REQUIRE_FALSE(refused);
    CHECK(problem_of(refused.error()) == problem::invalid_state);
  }
  // They are shown by the process that writes.
  CHECK(texts_of(t.submit("(+ 1 1)")->entries) == texts{"(+ 1 1)"});
  CHECK(t.snapshot()->queue.size() == 2);
  CHECK(t.snapshot()->history.empty());
}

TEST_CASE("messages that were shown before a line was refused are told once, and not again") {
  managed_sessions t;
  t.end();
  auto folder = t.home.path() / "sessions" / "piece";
  auto journal = folder / "history.jsonl", elsewhere = folder / "taken-away";
  // While the line is evaluated, somebody takes the journal away: the messages have been written,
  // the line cannot be.
  t.begin({}, [&](manager_setup& setup) {
    setup.evaluate = [&](const evaluation_request& request) {
      if (request.text == "(note d4 :q)") std::filesystem::rename(journal, elsewhere);
      return fermata::evaluate(request);
    };
  });
  auto piece = t.create("piece");
  REQUIRE(piece);
  {
    terminal typist{t.sys, t.manager}, watcher{t.sys, t.manager};
    typist.end.open("piece");
    watcher.end.open("piece");
    t.sched.run();
    auto look = [&] {
      t.sched.run();
      typist.look();
      watcher.look();
    };
    look();
    auto before = typist.shown;
    REQUIRE(watcher.shown == before);
    auto send = [&](std::string text) {
      REQUIRE(t.ask<message_receipt>(piece->actor, atom::enqueue_v,
                                     incoming_message{std::move(text), client}));
    };
    auto both_show = [&](const texts& more) {
      auto all = before;
      all.insert(all.end(), more.begin(), more.end());
      CHECK(typist.shown == all);
      CHECK(watcher.shown == all);
    };
    send("first");
    send("second");
    look();
    both_show({});
    typist.end.submit(session_under_test::line("(note d4 :q)"));
    look();
    REQUIRE(typist.refusals.size() == 1);
    both_show({"first", "second"});
    CHECK(t.snapshot(*piece)->queue.empty());
    CHECK(t.snapshot(*piece)->revision == 0);
    std::filesystem::rename(elsewhere, journal);
    send("third");
    typist.end.submit(session_under_test::line("(+ 1 1)"));
    look();
    both_show({"first", "second", "third", "(+ 1 1)"});
    CHECK(typist.refusals.size() == 1);
    CHECK(watcher.refusals.empty());
  }
  t.end();
}

}  // namespace fermata::actors::refused_line_test
