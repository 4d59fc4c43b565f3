#include "io/store/session_directory.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

namespace fermata::io {

TEST_CASE("a score that somebody edits is noticed, kept, and offered once") {
  temporary_folder home;
  auto folder = home.path() / "s";
  session_state before;
  auto edit = "(score (part :flute (measure (note c6 :w))))\n";
  {
    stored_session_by_hand s{folder};
    s.line("(part :piano (measure (note c4 :w)))");
    REQUIRE(s.directory->checkpoint(s.state));
    CHECK_FALSE(s.directory->score_was_edited());
    CHECK_FALSE(s.directory->edited_score());
    SECTION("while the session is open") {
      write_content(folder / "score.ferm", edit);
      CHECK(s.directory->score_was_edited());
      CHECK_FALSE(s.directory->score_was_edited());
      // The next checkpoint does not destroy it.
      REQUIRE(s.directory->checkpoint(s.state));
      CHECK_FALSE(s.directory->score_was_edited());
      CHECK(s.directory->edited_score() == edit);
      s.directory->forget_edited_score();
      CHECK_FALSE(s.directory->edited_score());
      return;
    }
    before = s.state;
  }
  write_content(folder / "score.ferm", edit);
  stored_session_by_hand again{folder};
  check_same(before, again.state);
  REQUIRE(again.remarks.size() == 1);
  CHECK(again.remarks.front().find("`:reload`") != std::string::npos);
  CHECK(again.directory->edited_score() == edit);
}

TEST_CASE("an edit of the score waits for the branch that it was made of") {
  temporary_folder home;
  auto folder = home.path() / "s";
  auto edit = "(score (part :piano (measure (note d4 :w))))\n";
  std::optional<stored_session_by_hand> s;
  s.emplace(folder);
  s->line("(part :piano (measure (note c4 :w)))");
  REQUIRE(s->directory->checkpoint(s->state));
  write_content(folder / "score.ferm", edit);
  s->keep({{branch_made{"b", s->state.history.size(), s->now(), {}, {}}, branch_switched{"b"}}});
  SECTION("while the session is open") { CHECK(s->directory->score_was_edited()); }
  SECTION("after another start, too") {
    s.reset();
    s.emplace(folder);
    // The next file is that of b.
    REQUIRE(s->directory->checkpoint(s->state));
  }
  auto refused = s->directory->edited_score();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().first().message.find("branch main") != std::string::npos);
  s->keep({{branch_switched{"main"}}});
  CHECK(s->directory->edited_score() == edit);
  s->directory->forget_edited_score();
  // What is rescued later belongs to any.
  CHECK_FALSE(std::filesystem::exists(folder / "score.edited.branch"));
}

TEST_CASE("a checkpoint that was interrupted is no edit of the score") {
  temporary_folder home;
  auto folder = home.path() / "s";
  session_state before;
  std::optional<std::string> old_checkpoint;
  {
    stored_session_by_hand s{folder};
    s.line("(part :piano (measure (note c4 :w)))");
    SECTION("the first one") {}
    SECTION("a later one") {
      REQUIRE(s.directory->checkpoint(s.state));
      old_checkpoint = content_of(folder / "checkpoint.json");
    }
    s.line("(part :flute (measure (note c6 :w)))");
    REQUIRE(s.directory->checkpoint(s.state));
    before = s.state;
  }
  // score.ferm is written first, checkpoint.json last.
  std::filesystem::remove(folder / "checkpoint.json");
  if (old_checkpoint) write_content(folder / "checkpoint.json", *old_checkpoint);
  stored_session_by_hand again{folder};
  CHECK(again.remarks.empty());
  check_same(before, again.state);
  CHECK_FALSE(again.directory->edited_score());
  again.line("(+ 1 1)");
  CHECK_FALSE(again.directory->score_was_edited());
}

}  // namespace fermata::io
