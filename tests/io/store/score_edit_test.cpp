#include "io/store/session_directory.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::score_edit_test {

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
      CHECK(s.directory->edited_score()->text == edit);
      s.directory->forget_edited_score(*s.directory->edited_score());
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
  CHECK(again.directory->edited_score()->text == edit);
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
  CHECK(s->directory->edited_score()->text == edit);
  s->directory->forget_edited_score(*s->directory->edited_score());
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

namespace {

std::string flute_with(std::string_view note) {
  return "(score (part :flute (measure (note " + std::string{note} + " :w))))\n";
}

/// What `:reload` takes, one after another; each is a text that was written by hand.
std::vector<std::string> all_offered(session_directory& d) {
  std::vector<std::string> texts;
  for (auto offered = d.edited_score(); offered; offered = d.edited_score()) {
    texts.push_back(offered->text);
    d.forget_edited_score(*offered);
  }
  return texts;
}

std::vector<std::string> waiting_names(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (auto& w : pending_edits(folder))
    names.push_back(w.name);
  return names;
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("an edit that still waits is not lost when score.ferm is edited again") {
  temporary_folder home;
  auto folder = home.path() / "s";
  auto restarts = GENERATE(false, true);
  INFO((restarts ? "with a start in between" : "while the session is open"));
  std::optional<stored_session_by_hand> s;
  s.emplace(folder);
  s->line("(part :piano (measure (note c4 :w)))");
  REQUIRE(s->directory->checkpoint(s->state));
  texts told;
  for (auto note : {"c5", "d5", "e5"}) {
    write_content(folder / "score.ferm", flute_with(note));
    if (restarts) {
      s.reset();
      s.emplace(folder);
      REQUIRE(s->remarks.size() == 1);
      told.push_back(s->remarks.front());
    } else {
      auto said = s->directory->score_was_edited();
      REQUIRE(said);
      told.push_back(*said);
    }
    // The file is ours again.
    REQUIRE(s->directory->checkpoint(s->state));
  }
  CHECK(told[0].find("score.edited-") == std::string::npos);
  CHECK(told[1].find("score.edited-1.ferm") != std::string::npos);
  CHECK(told[2].find("score.edited-2.ferm") != std::string::npos);
  CHECK(content_of(folder / "score.edited.ferm") == flute_with("e5"));
  CHECK(content_of(folder / "score.edited-2.ferm") == flute_with("d5"));
  CHECK(content_of(folder / "score.edited-1.ferm") == flute_with("c5"));
  auto offered = s->directory->edited_score();
  REQUIRE(offered);
  REQUIRE(offered->others.size() == 2);
  CHECK(offered->others.front().name == "score.edited-2.ferm");
  CHECK(all_offered(*s->directory) == texts{flute_with("e5"), flute_with("d5"), flute_with("c5")});
  CHECK(waiting_names(folder).empty());
  CHECK_FALSE(std::filesystem::exists(folder / "score.edited-1.branch"));
}

TEST_CASE("whoever goes on with what they edited has one edit, and the same edit waits once") {
  temporary_folder home;
  auto folder = home.path() / "s";
  stored_session_by_hand s{folder};
  s.line("(part :piano (measure (note c4 :w)))");
  REQUIRE(s.directory->checkpoint(s.state));
  // Nobody but them has written to the file in between.
  for (auto note : {"c5", "d5"}) {
    write_content(folder / "score.ferm", flute_with(note));
    CHECK(s.directory->score_was_edited());
  }
  CHECK(waiting_names(folder) == texts{"score.edited.ferm"});
  CHECK(s.directory->edited_score()->text == flute_with("d5"));
  // Another, and then the first again.
  for (auto note : {"e5", "d5"}) {
    REQUIRE(s.directory->checkpoint(s.state));
    write_content(folder / "score.ferm", flute_with(note));
    CHECK(s.directory->score_was_edited());
  }
  CHECK(all_offered(*s.directory) == texts{flute_with("d5"), flute_with("e5")});
}

TEST_CASE("edits of two branches wait beside each other, each for its own") {
  temporary_folder home;
  auto folder = home.path() / "s";
  std::optional<stored_session_by_hand> s;
  s.emplace(folder);
  s->line("(part :piano (measure (note c4 :w)))");
  REQUIRE(s->directory->checkpoint(s->state));
  write_content(folder / "score.ferm", flute_with("c5"));
  REQUIRE(s->directory->score_was_edited());
  s->keep({{branch_made{"b", s->state.history.size(), s->now(), {}, {}}, branch_switched{"b"}}});
  REQUIRE(s->directory->checkpoint(s->state));
  write_content(folder / "score.ferm", flute_with("d5"));
  std::string told;
  SECTION("while the session is open") { told = *s->directory->score_was_edited(); }
  SECTION("after another start") {
    s.reset();
    s.emplace(folder);
    REQUIRE(s->remarks.size() == 1);
    told = s->remarks.front();
  }
  CHECK(told.find("score.edited-1.ferm") != std::string::npos);
  CHECK(told.find("on branch main") != std::string::npos);
  auto of_b = s->directory->edited_score();
  REQUIRE(of_b);
  CHECK(of_b->text == flute_with("d5"));
  REQUIRE(of_b->others.size() == 1);
  CHECK(of_b->others.front().branch == "main");
  s->keep({{branch_switched{"main"}}});
  auto of_main = s->directory->edited_score();
  REQUIRE(of_main);
  CHECK(of_main->text == flute_with("c5"));
  s->directory->forget_edited_score(*of_main);
  CHECK_FALSE(s->directory->edited_score());
  s->keep({{branch_switched{"b"}}});
  CHECK(all_offered(*s->directory) == texts{flute_with("d5")});
}

TEST_CASE("an edit that comes while another one is taken waits on") {
  temporary_folder home;
  auto folder = home.path() / "s";
  stored_session_by_hand s{folder};
  s.line("(part :piano (measure (note c4 :w)))");
  REQUIRE(s.directory->checkpoint(s.state));
  write_content(folder / "score.ferm", flute_with("c5"));
  auto taken = s.directory->edited_score();
  REQUIRE(taken);
  auto between = GENERATE(false, true);
  if (between) REQUIRE(s.directory->checkpoint(s.state));
  write_content(folder / "score.ferm", flute_with("d5"));
  REQUIRE(s.directory->score_was_edited());
  s.directory->forget_edited_score(*taken);
  CHECK(all_offered(*s.directory) == texts{flute_with("d5")});
}

TEST_CASE("an edit that cannot be kept is not written over") {
  temporary_folder home;
  auto folder = home.path() / "s";
  stored_session_by_hand s{folder};
  s.line("(part :piano (measure (note c4 :w)))");
  REQUIRE(s.directory->checkpoint(s.state));
  write_content(folder / "score.ferm", flute_with("c5"));
  // Nothing replaces a folder that is not empty.
  std::filesystem::create_directories(folder / "score.edited.branch" / "x");
  CHECK_FALSE(s.directory->checkpoint(s.state));
  CHECK(content_of(folder / "score.ferm") == flute_with("c5"));
  std::filesystem::remove_all(folder / "score.edited.branch");
  REQUIRE(s.directory->checkpoint(s.state));
  CHECK(s.directory->score_was_edited());
  CHECK(all_offered(*s.directory) == texts{flute_with("c5")});
}

TEST_CASE("a score that is rescued while an edit waits takes nothing from it, and both are told") {
  temporary_folder home;
  auto folder = home.path() / "s";
  std::string saved;
  {
    stored_session_by_hand s{folder};
    s.line("(score (part :flute (measure (note c4 :w))))");
    REQUIRE(s.directory->checkpoint(s.state));
    write_content(folder / "score.ferm", flute_with("e4"));
    REQUIRE(s.directory->score_was_edited());
    s.line("(note a4 :w)");
    REQUIRE(s.directory->checkpoint(s.state));
    saved = content_of(folder / "score.ferm");
  }
  SECTION("the journal is emptied") { write_content(folder / "history.jsonl", ""); }
  SECTION("the journal is gone") { std::filesystem::remove(folder / "history.jsonl"); }
  SECTION("the journal is something else") { write_content(folder / "history.jsonl", "x\n"); }
  SECTION("the journal is gone and the checkpoint is damaged") {
    std::filesystem::remove(folder / "history.jsonl");
    write_content(folder / "checkpoint.json", "{");
  }
  SECTION("a line of the journal and the checkpoint are damaged") {
    auto journal = content_of(folder / "history.jsonl");
    journal[journal.find("(score")] = '\x01';
    write_content(folder / "history.jsonl", journal);
    write_content(folder / "checkpoint.json", "{");
  }
  stored_session_by_hand again{folder};
  std::string told;
  for (auto& remark : again.remarks)
    told += remark + '\n';
  INFO(told);
  CHECK(told.find("is in score.edited.ferm; `:reload` loads it") != std::string::npos);
  CHECK(told.find("score.edited-1.ferm") != std::string::npos);
  CHECK(told.find("edited outside") == std::string::npos);
  CHECK(all_offered(*again.directory) == texts{saved, flute_with("e4")});
}

TEST_CASE("an edit of a branch that the journal lost goes anywhere") {
  temporary_folder home;
  auto folder = home.path() / "s";
  {
    stored_session_by_hand s{folder};
    s.line("(part :piano (measure (note c4 :w)))");
    s.keep({{branch_made{"b", s.state.history.size(), s.now(), {}, {}}, branch_switched{"b"}}});
    REQUIRE(s.directory->checkpoint(s.state));
    write_content(folder / "score.ferm", flute_with("e4"));
    REQUIRE(s.directory->score_was_edited());
    REQUIRE(s.directory->checkpoint(s.state));
  }
  CHECK(content_of(folder / "score.edited.branch") == "b");
  write_content(folder / "history.jsonl", "");
  stored_session_by_hand again{folder};
  CHECK(again.state.branch == "main");
  auto texts_there = all_offered(*again.directory);
  REQUIRE(texts_there.size() == 2);
  CHECK(texts_there.back() == flute_with("e4"));
}

TEST_CASE("what is no score is not offered as the one that was saved") {
  temporary_folder home;
  auto folder = home.path() / "s";
  {
    stored_session_by_hand s{folder};
    s.line("(part :piano (measure (note c4 :w)))");
    REQUIRE(s.directory->checkpoint(s.state));
  }
  for (auto name : {"history.jsonl", "checkpoint.json"})
    std::filesystem::remove(folder / name);
  write_content(folder / "score.ferm", "42\n");
  stored_session_by_hand again{folder};
  std::string told;
  for (auto& remark : again.remarks)
    told += remark + '\n';
  INFO(told);
  CHECK(told.find("last saved") == std::string::npos);
  CHECK(told.find("score.edited.ferm") != std::string::npos);
  REQUIRE(again.directory->checkpoint(again.state));
  CHECK(content_of(folder / "score.edited.ferm") == "42\n");
}

}  // namespace fermata::io::score_edit_test
