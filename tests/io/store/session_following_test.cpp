// A session that another process writes to, followed as it grows.

#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

#include <fstream>

namespace fermata::io::session_following_test {

namespace {

constexpr auto another_writes = true;

struct follower {
  explicit follower(const std::filesystem::path& folder) {
    auto opened = session_directory::open_read_only(folder, another_writes);
    REQUIRE(opened);
    directory.emplace(std::move(*opened));
    auto loaded = directory->load();
    REQUIRE(loaded);
    state = loaded->state;
  }
  void follow() {
    auto now = directory->read_on(state);
    REQUIRE(now);
    state = *now;
  }
  std::optional<session_directory> directory;
  session_snapshot state;
};

}  // namespace

TEST_CASE("who follows a session has what its writer has, line for line") {
  temporary_folder home;
  auto folder = home.path() / "s";
  stored_session_by_hand writer{folder};
  writer.line("(def x 1)");
  follower reader{folder};
  make_music(writer);
  reader.follow();
  CHECK(reader.state->history.size() == writer.state.history.size());
  CHECK(*reader.state->score == *writer.state.score);
  CHECK(reader.state->revision == writer.state.revision);
  CHECK(reader.state->queue.size() == writer.state.queue.size());
  CHECK(reader.state->proposals.size() == writer.state.proposals.size());
  CHECK(reader.state->settings == writer.state.settings);
  CHECK(reader.state->branch == writer.state.branch);
}

TEST_CASE("where nothing was written, the same state is answered") {
  temporary_folder home;
  auto folder = home.path() / "s";
  stored_session_by_hand writer{folder};
  writer.line("(def x 1)");
  follower reader{folder};
  auto before = reader.state;
  reader.follow();
  CHECK(reader.state == before);
}

TEST_CASE("half a line is read when it is whole") {
  temporary_folder home;
  auto folder = home.path() / "s";
  stored_session_by_hand writer{folder};
  follower reader{folder};
  writer.line("(def x 1)");
  auto journal = folder / "history.jsonl";
  std::string text;
  {
    std::ifstream in{journal, std::ios::binary};
    text.assign(std::istreambuf_iterator<char>{in}, {});
  }
  // In place, as it looks while it is being written.
  std::filesystem::resize_file(journal, text.size() - 10);
  reader.follow();
  CHECK(reader.state->history.empty());
  std::ofstream{journal, std::ios::binary | std::ios::app} << text.substr(text.size() - 10);
  reader.follow();
  CHECK(reader.state->history.size() == 1);
}

TEST_CASE("a journal that was cut is read again from the beginning") {
  temporary_folder home;
  auto folder = home.path() / "s";
  stored_session_by_hand writer{folder};
  writer.line("(def x 1)");
  auto size = std::filesystem::file_size(folder / "history.jsonl");
  writer.line("(def y 2)");
  follower reader{folder};
  CHECK(reader.state->history.size() == 2);
  std::filesystem::resize_file(folder / "history.jsonl", size);
  reader.follow();
  CHECK(reader.state->history.size() == 1);
}

}  // namespace fermata::io::session_following_test
