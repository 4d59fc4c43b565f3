#include "tests/actors/managed_sessions.hpp"

// Somebody else removes the folder of a session while it is open.

namespace fermata::actors {

namespace {

namespace fs = std::filesystem;

struct session_folder_removed : managed_sessions {
  session_ref piece;
  fs::path folder = home.path() / "sessions" / "piece";

  session_folder_removed() {
    piece = *create("piece");
    REQUIRE(submit(piece, "(part :piano (measure (note c4 :w)))"));
    REQUIRE(submit(piece, ":ai allow"));
  }
  ~session_folder_removed() {
    // Whatever a test leaves: the end of the program says it, which is no fault here.
    if (manager) (void)stopped();
  }
  caf::error stopped() {
    caf::error said;
    auto pending = self->request(manager, caf::infinite, atom::stop_v);
    sched.run();
    pending.receive([] {}, [&](caf::error& e) { said = std::move(e); });
    manager = nullptr;
    sched.run();
    return said;
  }
  caf::expected<message_receipt> message(std::string text) {
    return ask<message_receipt>(piece.actor, atom::enqueue_v,
                                incoming_message{std::move(text), client, {}});
  }
  caf::error flushed() {
    caf::error said;
    auto pending = self->request(piece.actor, caf::infinite, atom::flush_v);
    sched.run();
    pending.receive([] {}, [&](caf::error& e) { said = std::move(e); });
    return said;
  }
  void check_says_where(const caf::error& e) const {
    CHECK(problem_of(e) == problem::failed);
    auto detail = detail_of(e);
    CHECK(detail.message.find((folder / "history.jsonl").string()) != std::string::npos);
    CHECK(detail.advice.find(":save") != std::string::npos);
  }
};

}  // namespace

TEST_CASE("where the folder of a session is gone, what would be lost is refused") {
  session_folder_removed t;
  auto before = t.snapshot(t.piece);
  fs::remove_all(t.folder);
  for (auto line : {"(note d4 :q)", "(def x 2)", ":undo", "// words", ":set display summary"}) {
    INFO(line);
    auto refused = t.submit(t.piece, line);
    REQUIRE_FALSE(refused);
    t.check_says_where(refused.error());
  }
  remote_evaluation what;
  what.text = "(note e4 :q)";
  what.source = client;
  auto evaluated = t.ask<remote_outcome>(t.piece.actor, atom::propose_v, what);
  REQUIRE_FALSE(evaluated);
  t.check_says_where(evaluated.error());
  what.always_propose = true;
  CHECK_FALSE(t.ask<remote_outcome>(t.piece.actor, atom::propose_v, what));
  auto undone = t.ask<turn>(t.piece.actor, atom::undo_v, remote_undo{1, client, {}, {}});
  REQUIRE_FALSE(undone);
  t.check_says_where(undone.error());
  auto message = t.message("hello");
  REQUIRE_FALSE(message);
  t.check_says_where(message.error());
  // Nor is it said to be saved, or copied.
  t.check_says_where(t.flushed());
  auto copy =
      t.ask<session_ref>(t.manager, atom::clone_v, std::string{"piece"}, std::string{"copy"});
  REQUIRE_FALSE(copy);
  t.check_says_where(copy.error());
  CHECK(t.snapshot(t.piece)->history.size() == before->history.size());
  CHECK(*t.snapshot(t.piece)->score == *before->score);
  CHECK(t.snapshot(t.piece)->queue.empty());
  CHECK_FALSE(fs::exists(t.folder));
  // What only shows something is shown, and that it is kept nowhere is said.
  auto seen = t.submit(t.piece, ":score");
  REQUIRE(seen);
  REQUIRE(seen->entries.size() == 2);
  auto& remark = std::get<system_entry>(seen->entries[1]->kind);
  CHECK(remark.event == "not-written");
  CHECK(remark.text.find("history.jsonl") != std::string::npos);
}

TEST_CASE("`:save` writes a session again whose folder is gone, and it goes on from there") {
  for (bool message_waits : {false, true}) {
    session_folder_removed t;
    if (message_waits) REQUIRE(t.message("hello"));
    fs::remove_all(t.folder);
    REQUIRE_FALSE(t.submit(t.piece, "(note d4 :q)"));
    auto saved = t.submit(t.piece, ":save");
    CHECK(output_of(saved) == "saved piece");
    // It has a number: the timeline has it.
    CHECK(saved->entries.back()->index > 0);
    auto next = t.submit(t.piece, "(note e4 :q)");
    REQUIRE(next);
    CHECK(next->entries.size() == (message_waits ? 2 : 1));
    CHECK_FALSE(t.flushed());
    auto before = t.snapshot(t.piece);
    CHECK_FALSE(t.stopped());
    t.begin();
    auto again = t.find("piece");
    REQUIRE(again);
    auto after = t.snapshot(*again);
    CHECK(after->history.size() == before->history.size());
    CHECK(*after->score == *before->score);
    CHECK(after->policy == before->policy);
    CHECK(after->queue.empty());
  }
}

TEST_CASE("the end of the program says which session is not saved, and makes no folder again") {
  session_folder_removed t;
  auto other = t.create("other");
  REQUIRE(t.submit(*other, "(note g4 :q)"));
  fs::remove_all(t.folder);
  auto said = t.stopped();
  CHECK(problem_of(said) == problem::failed);
  auto words = detail_of(said).message;
  CHECK(words.find("piece is not saved") != std::string::npos);
  CHECK(words.find((t.folder / "history.jsonl").string()) != std::string::npos);
  CHECK(words.find("other") == std::string::npos);
  CHECK_FALSE(fs::exists(t.folder));
  CHECK(fs::exists(t.home.path() / "sessions" / "other" / "score.ferm"));
}

}  // namespace fermata::actors
