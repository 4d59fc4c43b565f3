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

}  // namespace fermata::io::checkpoint_due_test
