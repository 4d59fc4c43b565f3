#include "tests/actors/session_fixture.hpp"

#include <catch2/catch.hpp>

// What clients may do, and how the user decides.

namespace fermata::actors {

namespace {

remote_evaluation evaluation_of(std::string text) {
  remote_evaluation what;
  what.text = std::move(text);
  what.source = client;
  return what;
}

const command_entry& command_of(const turn& t) {
  for (auto& e : t.entries)
    if (auto c = std::get_if<command_entry>(&e->kind)) return *c;
  FAIL("no command in the turn");
  throw 0;
}

std::size_t notes_in(const session_state& s) {
  std::size_t n = 0;
  for (auto& p : s.score->parts)
    for (auto& m : p->measures)
      for (auto& item : m->items)
        n += std::holds_alternative<chord_rest>(item.content);
  return n;
}

}  // namespace

TEST_CASE("what a client wants to change waits until I accept it, and stays its author's") {
  session_under_test t;
  t.start();
  auto asked = t.propose("(note c4 :q)");
  REQUIRE(asked);
  REQUIRE(asked->proposal == 1);
  CHECK(t.snapshot()->score->parts.empty());
  auto told = t.submit("");
  REQUIRE(told->entries.size() == 1);
  CHECK(std::get<system_entry>(told->entries[0]->kind).event == "proposal");
  auto accepted = t.submit(":accept 1");
  REQUIRE(accepted);
  REQUIRE(accepted->entries.size() == 2);
  auto& entry = *accepted->entries[1];
  CHECK(std::get<eval_entry>(entry.kind).proposal == 1);
  CHECK(entry.source == client);
  CHECK(notes_in(*accepted->after) == 1);
  CHECK(accepted->after->revision == 1);
  // One step takes it back.
  REQUIRE(t.submit(":undo"));
  CHECK(notes_in(*t.snapshot()) == 0);
  CHECK_FALSE(command_of(*t.submit(":accept 1")).ok);
}

TEST_CASE("a proposal on a score that has changed is evaluated again, and I am told") {
  session_under_test t;
  t.start();
  REQUIRE(t.propose("(note c4 :q)"));
  REQUIRE(t.submit("(note g4 :q)"));
  auto accepted = t.submit(":accept 1");
  REQUIRE(accepted);
  CHECK(command_of(*accepted).output.find("evaluated again") != std::string::npos);
  CHECK(notes_in(*accepted->after) == 2);
}

TEST_CASE("what I accept is taken, also while what I enter is only tried") {
  for (bool outdated : {false, true}) {
    INFO(outdated);
    session_under_test t;
    t.start();
    REQUIRE(t.propose("(note c4 :q)"));
    if (outdated) REQUIRE(t.submit("(note g4 :q)"));
    REQUIRE(t.submit(":scratch on"));
    REQUIRE(t.submit("(note a4 :q)"));
    auto before = notes_in(*t.snapshot());
    auto accepted = t.submit(":accept 1");
    REQUIRE(accepted);
    CHECK(command_of(*accepted).output.find("accepted") == 0);
    CHECK(command_of(*accepted).output.find("1 note added") != std::string::npos);
    CHECK(notes_in(*accepted->after) == before + 1);
    // It goes on being only tried.
    CHECK(commit_rule_of(*accepted->after) == commit_rule::nothing);
    REQUIRE(t.submit("(note b4 :q)"));
    CHECK(notes_in(*t.snapshot()) == before + 1);
    REQUIRE(t.submit(":undo"));
    CHECK(notes_in(*t.snapshot()) == before);
  }
}

TEST_CASE("what a client proposes is of the score, also while what I enter is only tried") {
  // By `propose`, and by `eval` where the policy makes proposals of it.
  for (bool always : {false, true}) {
    session_under_test t;
    t.start();
    REQUIRE(t.submit("(note g4 :q)"));
    REQUIRE(t.submit(":scratch on"));
    auto what = evaluation_of("(def x 1) (note c4 :q)");
    what.always_propose = always;
    auto asked = t.ask<remote_outcome>(t.session, atom::propose_v, what);
    REQUIRE(asked);
    REQUIRE(asked->proposal == 1);
    CHECK(asked->delta_summary.find("1 note added") != std::string::npos);
    CHECK(asked->delta_summary.find("scratch") == std::string::npos);
    CHECK(notes_in(*t.snapshot()) == 1);
    auto accepted = t.submit(":accept 1");
    REQUIRE(accepted);
    CHECK(notes_in(*accepted->after) == 2);
    CHECK(commit_rule_of(*accepted->after) == commit_rule::nothing);
  }
}

TEST_CASE("a preview shows what would change, also while what I enter is only tried") {
  session_under_test t;
  t.start();
  REQUIRE(t.submit(":scratch on"));
  auto shown = t.ask<remote_outcome>(t.session, atom::preview_v, evaluation_of("(note c4 :q)"));
  REQUIRE(shown);
  CHECK(shown->delta_summary.find("1 note added") != std::string::npos);
  CHECK(notes_in(*t.snapshot()) == 0);
  CHECK(t.snapshot()->proposals.empty());
}

TEST_CASE("a client that may evaluate is told that the score is only tried on") {
  session_under_test t;
  t.start();
  REQUIRE(t.submit(":ai allow"));
  REQUIRE(t.submit(":scratch on"));
  auto tried = t.propose("(note c4 :q)");
  REQUIRE(tried);
  CHECK(tried->scratch);
  CHECK_FALSE(tried->changed);
  CHECK(notes_in(*t.snapshot()) == 0);
  // Definitions are kept, as mine are.
  auto defined = t.propose("(def x 1)");
  REQUIRE(defined);
  CHECK(defined->changed);
  REQUIRE(t.submit(":scratch off"));
  auto done = t.propose("(note c4 :q)");
  REQUIRE(done);
  CHECK_FALSE(done->scratch);
  CHECK(notes_in(*t.snapshot()) == 1);
}

TEST_CASE("a text without an expression is refused for that, whatever the policy") {
  for (auto policy : {":ai ask", ":ai preview", ":ai allow"})
    for (bool always : {false, true})
      for (auto text : {"; only a comment", "", "  \n", "; two\n; lines\n"}) {
        INFO(policy << ' ' << always << ' ' << text);
        session_under_test t;
        t.start();
        REQUIRE(t.submit(policy));
        auto before = t.snapshot()->history.size();
        auto what = evaluation_of(text);
        what.always_propose = always;
        auto refused = t.ask<remote_outcome>(t.session, atom::propose_v, what);
        REQUIRE_FALSE(refused);
        CHECK(problem_of(refused.error()) == problem::invalid_params);
        auto detail = detail_of(refused.error());
        CHECK(detail.message.find("no expression") != std::string::npos);
        CHECK(detail.advice == "Send an expression, such as (note c4 :q).");
        CHECK(t.snapshot()->history.size() == before);
      }
}

TEST_CASE("what changes nothing is no proposal, and the advice says what it gives") {
  session_under_test t;
  t.start();
  for (auto& [text, advice] : {std::pair{"(+ 1 2)", "It evaluates to 3. Propose notation"},
                               std::pair{"nil", "Propose notation, an edit, a definition, or (add "
                                                "X) to enter music that is computed."}}) {
    auto what = evaluation_of(text);
    what.always_propose = true;
    auto refused = t.ask<remote_outcome>(t.session, atom::propose_v, what);
    REQUIRE_FALSE(refused);
    CHECK(detail_of(refused.error()).advice.find(advice) == 0);
  }
}

TEST_CASE("a proposal that no longer evaluates stays open and changes nothing") {
  session_under_test t;
  t.start();
  REQUIRE(t.submit("(def x (note c4 :q))"));
  REQUIRE(t.propose("(add x)"));
  REQUIRE(t.submit(":undo"));
  REQUIRE(t.submit("(note g4 :q)"));
  auto tried = t.submit(":accept 1");
  REQUIRE(tried);
  CHECK_FALSE(command_of(*tried).ok);
  CHECK(notes_in(*tried->after) == 1);
  CHECK(tried->after->proposals[0].state == proposal::state_t::open);
}

TEST_CASE("a refused proposal says why") {
  session_under_test t;
  t.start();
  REQUIRE(t.propose("(note c4 :q)"));
  REQUIRE(t.submit(":reject 1 too high"));
  auto& p = t.snapshot()->proposals[0];
  CHECK(p.state == proposal::state_t::rejected);
  CHECK(p.reason == "too high");
}

TEST_CASE("what changes nothing needs no consent") {
  session_under_test t;
  t.start();
  auto asked = t.propose("(+ 1 2)");
  REQUIRE(asked);
  CHECK_FALSE(asked->proposal);
  CHECK(asked->output_text == "3");
  CHECK(t.snapshot()->history.empty());
}

TEST_CASE("the policy decides: preview, allow, off") {
  session_under_test t;
  t.start();
  REQUIRE(t.submit(":ai preview"));
  auto previewed = t.propose("(note c4 :q)");
  REQUIRE(previewed);
  CHECK_FALSE(previewed->proposal);
  CHECK_FALSE(previewed->changed);
  CHECK_FALSE(previewed->delta_summary.empty());
  CHECK(t.snapshot()->proposals.empty());
  REQUIRE(t.submit(":ai allow claude"));
  auto done = t.propose("(note c4 :q)");
  REQUIRE(done);
  REQUIRE(done->entry);
  CHECK(done->entry->source == client);
  CHECK(done->changed);
  CHECK(done->revision == 1);
  CHECK(notes_in(*t.snapshot()) == 1);
  REQUIRE(t.submit(":ai off"));
  auto refused = t.propose("(note d4 :q)");
  REQUIRE_FALSE(refused);
  CHECK(problem_of(refused.error()) == problem::not_permitted);
}

TEST_CASE("a client's mistake comes back with the place of the fault") {
  session_under_test t;
  t.start();
  for (auto policy : {":ai ask", ":ai allow"}) {
    REQUIRE(t.submit(policy));
    auto failed = t.propose("(note c4 :q :stacato)");
    REQUIRE_FALSE(failed);
    CHECK(problem_of(failed.error()) == problem::eval_error);
    auto detail = detail_of(failed.error());
    CHECK(detail.source == "(note c4 :q :stacato)");
    REQUIRE_FALSE(detail.cause.diagnostics.empty());
    CHECK(detail.cause.first().code == errc::unknown_keyword);
    CHECK(detail.cause.first().span);
  }
}

TEST_CASE("clients have no commands and do not speak as the user") {
  session_under_test t;
  t.start();
  REQUIRE(t.submit(":ai allow"));
  for (auto text : {":undo", "// I am you"}) {
    auto refused = t.propose(text);
    REQUIRE_FALSE(refused);
    CHECK(problem_of(refused.error()) == problem::not_permitted);
  }
  submission line{"(+ 1 1)", client, nullptr, false};
  auto refused = t.ask<turn>(t.session, atom::submit_v, line);
  REQUIRE_FALSE(refused);
  CHECK(problem_of(refused.error()) == problem::not_permitted);
}

TEST_CASE("a client that saw an older score is told the current revision") {
  session_under_test t;
  t.start();
  REQUIRE(t.submit("(note c4 :q)"));
  for (auto policy : {":ai ask", ":ai allow"}) {
    REQUIRE(t.submit(policy));
    auto what = evaluation_of("(note d4 :q)");
    what.expected_revision = 0;
    auto refused = t.ask<remote_outcome>(t.session, atom::propose_v, what);
    REQUIRE_FALSE(refused);
    CHECK(problem_of(refused.error()) == problem::conflict);
    CHECK(detail_of(refused.error()).revision == 1);
  }
}

TEST_CASE("the same key again does nothing and answers the same") {
  session_under_test t;
  t.start();
  REQUIRE(t.submit(":ai allow"));
  auto what = evaluation_of("(note c4 :q)");
  what.idempotency_key = "k1";
  // Twice at once, and once more later.
  auto first = t.self->request(t.session, caf::infinite, atom::propose_v, what);
  auto second = t.self->request(t.session, caf::infinite, atom::propose_v, what);
  t.sched.run();
  std::vector<std::int64_t> entries;
  auto note_entry = [&](const remote_outcome& o) { entries.push_back(o.entry->index); };
  auto fail_test = [](caf::error& e) { FAIL(caf::to_string(e)); };
  first.receive(note_entry, fail_test);
  second.receive(note_entry, fail_test);
  note_entry(*t.ask<remote_outcome>(t.session, atom::propose_v, what));
  CHECK(entries == std::vector<std::int64_t>{2, 2, 2});
  CHECK(notes_in(*t.snapshot()) == 1);
}

TEST_CASE("a key that comes again with another request is refused, and nothing is done") {
  for (auto policy : {":ai allow", ":ai ask"}) {
    session_under_test t;
    t.start();
    REQUIRE(t.submit(policy));
    auto what = evaluation_of("(note c4 :q)");
    what.idempotency_key = "k1";
    REQUIRE(t.ask<remote_outcome>(t.session, atom::propose_v, what));
    auto before = t.snapshot();
    auto other = what;
    other.text = "(note d4 :q)";
    auto is_refused = [&](session_under_test& in) {
      auto refused = in.ask<remote_outcome>(in.session, atom::propose_v, other);
      REQUIRE_FALSE(refused);
      CHECK(problem_of(refused.error()) == problem::invalid_params);
      CHECK(detail_of(refused.error()).message.find("a different request") != std::string::npos);
      // The first request is still answered as it was, and of another client it is another key.
      CHECK(in.ask<remote_outcome>(in.session, atom::propose_v, what));
    };
    is_refused(t);
    CHECK(t.snapshot()->history.size() == before->history.size());
    CHECK(t.snapshot()->proposals.size() == before->proposals.size());
    // Also after a restart.
    session_under_test later;
    later.setup.state = before;
    later.start();
    is_refused(later);
    other.source.author = "somebody";
    CHECK(later.ask<remote_outcome>(later.session, atom::propose_v, other));
  }
}

TEST_CASE("a proposal that changes nothing is refused with what it says instead of waiting") {
  session_under_test t;
  t.start();
  auto what = evaluation_of("(+ 1 2)");
  what.always_propose = true;
  auto refused = t.ask<remote_outcome>(t.session, atom::propose_v, what);
  REQUIRE_FALSE(refused);
  CHECK(problem_of(refused.error()) == problem::invalid_params);
  auto detail = detail_of(refused.error());
  CHECK(detail.message.find("changes nothing") != std::string::npos);
  CHECK(detail.advice.find("evaluates to 3") != std::string::npos);
  CHECK(t.snapshot()->proposals.empty());
}

TEST_CASE("a key that was answered before a restart answers the same after it") {
  std::shared_ptr<const session_state> saved;
  auto evaluation = evaluation_of("(note c4 :q)");
  evaluation.idempotency_key = "k1";
  auto failing = evaluation_of("(nonsense)");
  failing.idempotency_key = "k2";
  auto proposing = evaluation_of("(note d4 :q)");
  proposing.idempotency_key = "k3";
  proposing.always_propose = true;
  remote_outcome first;
  {
    session_under_test t;
    t.start();
    REQUIRE(t.submit(":ai allow"));
    auto done = t.ask<remote_outcome>(t.session, atom::propose_v, evaluation);
    REQUIRE(done);
    first = *done;
    CHECK_FALSE(t.ask<remote_outcome>(t.session, atom::propose_v, failing));
    REQUIRE(t.ask<remote_outcome>(t.session, atom::propose_v, proposing)->proposal == 1);
    saved = t.snapshot();
  }
  // What the journal keeps is what the state has: see the tests of io/store.
  session_under_test t;
  t.setup.state = saved;
  t.start();
  auto again = t.ask<remote_outcome>(t.session, atom::propose_v, evaluation);
  REQUIRE(again);
  CHECK(again->entry->index == first.entry->index);
  CHECK(again->output_text == first.output_text);
  CHECK(again->revision == first.revision);
  auto failed = t.ask<remote_outcome>(t.session, atom::propose_v, failing);
  REQUIRE_FALSE(failed);
  CHECK(problem_of(failed.error()) == problem::eval_error);
  CHECK(t.ask<remote_outcome>(t.session, atom::propose_v, proposing)->proposal == 1);
  CHECK(t.snapshot()->history.size() == saved->history.size());
  CHECK(t.snapshot()->proposals.size() == 1);
  // Another client's key is another one.
  auto other = evaluation;
  other.source.author = "somebody else";
  CHECK(t.ask<remote_outcome>(t.session, atom::propose_v, other)->entry->index >
        first.entry->index);
}

TEST_CASE("a client can undo only where it may change the score") {
  session_under_test t;
  t.start();
  REQUIRE(t.submit("(note c4 :q)"));
  auto refused = t.ask<turn>(t.session, atom::undo_v, remote_undo{1, client, {}, {}});
  REQUIRE_FALSE(refused);
  CHECK(problem_of(refused.error()) == problem::not_permitted);
  REQUIRE(t.message("still unread"));
  REQUIRE(t.submit(":ai allow claude"));
  REQUIRE(t.message("still unread"));
  auto undone = t.ask<turn>(t.session, atom::undo_v, remote_undo{1, client, {}, {}});
  REQUIRE(undone);
  CHECK(notes_in(*undone->after) == 0);
  CHECK(undone->entries.size() == 1);
  CHECK(undone->after->queue.size() == 1);
}

TEST_CASE("observers hear everything in order; a slow one hears it merged") {
  session_under_test t;
  t.start();
  auto heard = std::make_shared<std::vector<session_event>>();
  auto asleep = std::make_shared<bool>(false);
  auto waiting = std::make_shared<std::vector<caf::response_promise>>();
  // An argument, because CAF dereferences a null tuple of arguments for functions without one.
  using listener = session_observer_actor::extend<caf::reacts_to<atom::flush>>;
  auto listen = [=](listener::pointer self,
                    std::shared_ptr<std::vector<session_event>> to) -> listener::behavior_type {
    return {[=](const session_event& e) -> caf::result<void> {
              to->push_back(e);
              if (*asleep) {
                auto promise = self->make_response_promise<void>();
                waiting->push_back(promise);
                return promise;
              }
              return caf::unit;
            },
            [=](atom::flush) {
              for (auto& promise : *waiting)
                promise.deliver(caf::unit);
              waiting->clear();
            }};
  };
  auto observer = t.sys.spawn(listen, heard);
  REQUIRE(t.ask<session_snapshot>(t.session, atom::observe_v, session_observer_actor{observer}));
  REQUIRE(t.submit("(+ 1 1)"));
  REQUIRE(t.message("hello"));
  REQUIRE(t.submit("(note c4 :q)"));
  REQUIRE(heard->size() >= 3);
  for (std::size_t i = 0; i < heard->size(); ++i)
    CHECK((*heard)[i].sequence == i + 1);
  CHECK((*heard)[0].what == "entries");
  CHECK((*heard)[1].what == "queued");
  *asleep = true;
  heard->clear();
  for (int i = 0; i < 100; ++i)
    REQUIRE(t.submit("(+ 1 1)"));
  CHECK(heard->size() == observers::window);
  *asleep = false;
  t.self->send(observer, atom::flush_v);
  t.sched.run();
  // Nothing is missing: the last one stands for all that came meanwhile.
  REQUIRE(heard->size() == observers::window + 1);
  auto& merged = heard->back();
  CHECK(merged.first_sequence == (*heard)[observers::window - 1].sequence + 1);
  CHECK(merged.entries.size() == 100 - observers::window);
  t.self->send_exit(observer, caf::exit_reason::user_shutdown);
  t.sched.run();
  REQUIRE(t.submit("(+ 1 1)"));
}

TEST_CASE("the revision that a client saw counts when the turn of its undo comes") {
  session_under_test t;
  t.start();
  REQUIRE(t.submit("(note c4 :q)"));
  REQUIRE(t.submit(":ai allow claude"));
  auto undo = [&](std::uint64_t seen) {
    return t.self->request(t.session, caf::infinite, atom::undo_v,
                           remote_undo{1, client, seen, {}});
  };
  // What was before it in the line has changed the score meanwhile.
  auto line = t.self->request(t.session, caf::infinite, atom::submit_v,
                              session_under_test::line("(note d4 :q)"));
  auto late = undo(1);
  t.sched.run();
  line.receive([](const turn&) {}, [](caf::error& e) { FAIL(caf::to_string(e)); });
  late.receive([](const turn&) { FAIL("it was undone"); },
               [](caf::error& e) {
                 CHECK(problem_of(e) == problem::conflict);
                 CHECK(detail_of(e).revision == 2);
               });
  CHECK(notes_in(*t.snapshot()) == 2);
  // One that counts on what stands before it in the line is done.
  auto more = t.self->request(t.session, caf::infinite, atom::submit_v,
                              session_under_test::line("(note e4 :q)"));
  auto in_time = undo(3);
  t.sched.run();
  more.receive([](const turn&) {}, [](caf::error& e) { FAIL(caf::to_string(e)); });
  in_time.receive([](const turn&) {}, [](caf::error& e) { FAIL(caf::to_string(e)); });
  CHECK(notes_in(*t.snapshot()) == 2);
}

}  // namespace fermata::actors
