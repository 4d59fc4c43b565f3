#include "tests/actors/session_fixture.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <set>

// The same request of a client again, under the same key; and others under it.

namespace fermata::actors {

namespace {

struct clients_session : session_under_test {
  /// With some music to take back.
  void begin() {
    start();
    REQUIRE(submit(":ai allow"));
    for (auto line : {"(note c4 :q)", "(note d4 :q)", "(note e4 :q)"})
      REQUIRE(submit(line));
  }
  /// The program was killed and starts again: it has what it had shown, as the journal does.
  void restart() {
    setup.state = snapshot();
    self->send_exit(session, caf::exit_reason::user_shutdown);
    sched.run();
    start();
  }
};

/// A request under one key, and its answer as text: what a client is told.
struct request_row {
  std::string what;
  std::function<caf::expected<std::string>(clients_session&)> ask;
};

template <class T>
caf::expected<std::string> told(caf::expected<T> answer,
                                const std::function<std::string(const T&)>& words) {
  if (!answer) return std::move(answer.error());
  return words(*answer);
}

request_row evaluation_row(std::string what, std::string text, bool proposed,
                           std::optional<std::uint64_t> revision = {}) {
  return {std::move(what), [=](clients_session& t) {
            remote_evaluation e;
            e.text = text;
            e.source = client;
            e.idempotency_key = "k";
            e.always_propose = proposed;
            e.expected_revision = revision;
            return told<remote_outcome>(
                t.ask<remote_outcome>(t.session, atom::propose_v, e), [](const remote_outcome& o) {
                  return std::to_string(o.proposal.value_or(0)) + ' ' +
                         std::to_string(o.entry ? o.entry->index : 0) + ' ' + o.output_text + ' ' +
                         o.delta_summary + ' ' + std::to_string(o.revision);
                });
          }};
}
request_row undo(std::string what, std::int64_t count, std::optional<std::uint64_t> revision = {}) {
  return {std::move(what), [=](clients_session& t) {
            return told<turn>(
                t.ask<turn>(t.session, atom::undo_v, remote_undo{count, client, revision, "k"}),
                [](const turn& x) {
                  auto& command = std::get<command_entry>(x.entries.at(0)->kind);
                  return std::to_string(x.entries.size()) + ' ' +
                         std::to_string(x.entries[0]->index) + ' ' + command.output + ' ' +
                         std::to_string(x.after->revision);
                });
          }};
}
request_row message(std::string what, std::string text) {
  return {
      std::move(what), [=](clients_session& t) {
        return told<message_receipt>(
            t.ask<message_receipt>(t.session, atom::enqueue_v, incoming_message{text, client, "k"}),
            [](const message_receipt& r) {
              return std::to_string(r.ticket) + ' ' + std::to_string(r.waiting);
            });
      }};
}

/// Any two of these are different requests. The score is at revision 3 before the first of them.
const std::vector<request_row>& requests() {
  static const std::vector<request_row> all{
      evaluation_row("eval", "(note g4 :q)", false),
      evaluation_row("eval of something else", "(note a4 :q)", false),
      evaluation_row("eval at a revision", "(note g4 :q)", false, 3),
      evaluation_row("propose", "(note g4 :q)", true),
      evaluation_row("propose at a revision", "(note g4 :q)", true, 3),
      undo("undo", 1),
      undo("undo of two", 2),
      undo("undo at a revision", 1, 3),
      message("send_message", "(note g4 :q)"),
      message("send_message of a number", "1"),
  };
  return all;
}

void check_nothing_happened(const session_state& before, const session_state& now) {
  CHECK(now.history.size() == before.history.size());
  CHECK(now.revision == before.revision);
  CHECK(*now.score == *before.score);
  CHECK(now.proposals.size() == before.proposals.size());
  CHECK(now.queue.size() == before.queue.size());
  CHECK(now.next_ticket == before.next_ticket);
}

}  // namespace

TEST_CASE("every request with a key is done once, also when the program was killed in between") {
  for (auto& row : requests()) {
    INFO(row.what);
    clients_session t;
    t.begin();
    auto first = row.ask(t);
    REQUIRE(first);
    auto before = t.snapshot();
    CHECK(*row.ask(t) == *first);
    check_nothing_happened(*before, *t.snapshot());
    t.restart();
    CHECK(*row.ask(t) == *first);
    // The answer is that of then, whatever has happened since.
    REQUIRE(t.submit("(note b4 :w)"));
    before = t.snapshot();
    t.restart();
    CHECK(*row.ask(t) == *first);
    check_nothing_happened(*before, *t.snapshot());
  }
}

TEST_CASE("a key that comes again with anything else is refused, and nothing is done") {
  for (auto& first : requests())
    for (auto& other : requests()) {
      if (&first == &other) continue;
      INFO(first.what << ", then " << other.what);
      clients_session t;
      t.begin();
      auto answer = first.ask(t);
      REQUIRE(answer);
      auto before = t.snapshot();
      for (bool restarted : {false, true}) {
        if (restarted) t.restart();
        auto refused = other.ask(t);
        REQUIRE_FALSE(refused);
        CHECK(problem_of(refused.error()) == problem::invalid_params);
        CHECK(detail_of(refused.error()).message.find("a different request") != std::string::npos);
        CHECK(*first.ask(t) == *answer);
        check_nothing_happened(*before, *t.snapshot());
      }
    }
}

TEST_CASE("a key that was given to a request in another session is refused, which is named") {
  for (auto& row : requests()) {
    INFO(row.what);
    clients_session first;
    first.begin();
    REQUIRE(row.ask(first));
    auto there = *first.snapshot();
    there.meta.slug = "first";
    clients_session t;
    t.setup.open_sessions = [other = std::make_shared<const session_state>(there)] {
      return std::vector<session_snapshot>{other};
    };
    t.begin();
    auto before = t.snapshot();
    auto refused = row.ask(t);
    REQUIRE_FALSE(refused);
    CHECK(problem_of(refused.error()) == problem::invalid_params);
    CHECK(detail_of(refused.error()).message.find("in session first") != std::string::npos);
    check_nothing_happened(*before, *t.snapshot());
  }
}

TEST_CASE("an answer of an older journal, which does not say how it was asked, is given again") {
  clients_session t;
  t.begin();
  auto state = *t.snapshot();
  kept_answer old{"claude", "k", std::nullopt, 2, "(note g4 :q)", "1 note", 3, true};
  old.text = "(note g4 :q)";
  state.answers.push_back(old);
  t.self->send_exit(t.session, caf::exit_reason::user_shutdown);
  t.sched.run();
  t.setup.state = std::make_shared<const session_state>(state);
  t.start();
  std::set<std::string> given;
  for (auto& row : requests())
    if (row.ask(t)) given.insert(row.what);
  CHECK(given ==
        std::set<std::string>{"eval", "eval at a revision", "propose", "propose at a revision"});
  check_nothing_happened(state, *t.snapshot());
}

}  // namespace fermata::actors
