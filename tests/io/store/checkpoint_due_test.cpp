#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::checkpoint_due_test {

namespace {

/// A score whose text is longer than a hundred lines of the journal.
std::string long_piece() {
  std::string text = "(score (part :violin";
  for (int i = 0; i < 300; ++i)
    text += "\n(measure (note c4 :q) (note d4 :q) (note e4 :q) (note f4 :q))";
  return text + "))";
}

std::uintmax_t bytes_of_checkpoint(const std::filesystem::path& folder) {
  std::uintmax_t bytes = 0;
  for (auto name : {"score.ferm", "env.json", "checkpoint.json"})
    bytes += std::filesystem::file_size(folder / name);
  return bytes;
}

}  // namespace

TEST_CASE("a long score is saved anew when as much was written in the journal, no sooner") {
  temporary_folder home;
  auto folder = home.path() / "s";
  auto journal = folder / "history.jsonl";
  std::uintmax_t saved_at = 0;
  {
    stored_session_by_hand s{folder};
    CHECK(s.directory->is_checkpoint_due());
    s.line(long_piece());
    REQUIRE(s.directory->checkpoint(s.state));
    saved_at = std::filesystem::file_size(journal);
    for (int i = 0; i < 20; ++i)
      s.line("(+ 1 1)");
    CHECK_FALSE(s.directory->is_checkpoint_due());
  }
  // Also when the session was opened again in between.
  stored_session_by_hand s{folder};
  CHECK(s.state.history.size() == 21);
  CHECK_FALSE(s.directory->is_checkpoint_due());
  auto enough = bytes_of_checkpoint(folder);
  while (std::filesystem::file_size(journal) < saved_at + enough) {
    CHECK_FALSE(s.directory->is_checkpoint_due());
    s.line("(concat \"" + std::string(2'000, 'x') + "\" \"\")");
  }
  CHECK(s.directory->is_checkpoint_due());
  REQUIRE(s.directory->checkpoint(s.state));
  CHECK_FALSE(s.directory->is_checkpoint_due());
}

TEST_CASE("entries appended between the two steps of a checkpoint are read after it") {
  temporary_folder home;
  auto folder = home.path() / "s";
  session_state after;
  {
    stored_session_by_hand s{folder};
    s.line("(note c4 :q)");
    auto before = s.state;
    auto place = s.directory->begin_checkpoint(s.state);
    REQUIRE(place);
    CHECK_FALSE(s.directory->is_checkpoint_due());  // one is begun
    s.line("(note d4 :q)");
    s.undo();
    s.line("(note e4 :q)");
    REQUIRE(s.directory->finish_checkpoint(make_checkpoint(before, *place)));
    CHECK_FALSE(s.directory->score_was_edited());
    after = s.state;
  }
  auto saved = read_checkpoint(folder);
  REQUIRE(saved);
  REQUIRE(*saved);
  CHECK((*saved)->entries == 1);
  stored_session_by_hand s{folder};
  CHECK(s.remarks.empty());
  CHECK(*s.state.score == *after.score);
  CHECK(s.state.history.size() == 4);
  CHECK(s.state.revision == after.revision);
}

TEST_CASE(
    "a checkpoint is not written when another one was begun, or the session loaded, meanwhile") {
  temporary_folder home;
  auto folder = home.path() / "s";
  stored_session_by_hand s{folder};
  s.line("(note c4 :q)");
  auto first = s.state;
  auto place = s.directory->begin_checkpoint(s.state);
  REQUIRE(place);
  SECTION("another one") {
    s.line("(note d4 :q)");
    REQUIRE(s.directory->checkpoint(s.state));
    REQUIRE(s.directory->finish_checkpoint(make_checkpoint(first, *place)));
    auto saved = read_checkpoint(folder);
    REQUIRE(saved);
    REQUIRE(*saved);
    CHECK((*saved)->entries == 2);
  }
  SECTION("loaded again") {
    REQUIRE(s.directory->load());
    REQUIRE(s.directory->finish_checkpoint(make_checkpoint(first, *place)));
    CHECK_FALSE(std::filesystem::exists(folder / "checkpoint.json"));
    CHECK(s.directory->is_checkpoint_due());
  }
  SECTION("its texts could not be made") {
    s.directory->abandon_checkpoint();
    CHECK(s.directory->is_checkpoint_due());
  }
}

}  // namespace fermata::io::checkpoint_due_test
