// Two processes over one home: who is first has the session, and the other is told.

#include "io/store/home.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>
#include <unistd.h>

#include <fstream>
#include <map>

namespace fermata::io::session_elsewhere_test {

namespace {

const session_meta idea{"s", "An idea", {}, {}, {}};

}  // namespace

TEST_CASE("a session that another process is about to begin is not ours") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "s";
  std::filesystem::create_directories(folder);
  auto other = folder_lock::take(folder);  // it has not written anything yet
  REQUIRE(other);
  auto ours = session_directory::make(folder, idea);
  REQUIRE_FALSE(ours);
  CHECK(ours.error().elsewhere);
  auto known = session_directory::open(folder, idea);
  REQUIRE_FALSE(known);
  CHECK(known.error().elsewhere);
  CHECK(known.error().why.first().message.find("open in another process") != std::string::npos);
  CHECK_FALSE(is_session(folder));
}

TEST_CASE("a session that another process has begun and left is not begun again") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "s";
  { stored_session_by_hand{folder}.line("(def x 1)"); }
  auto ours = session_directory::make(folder, idea);
  REQUIRE_FALSE(ours);
  CHECK(ours.error().elsewhere);
  CHECK(session_directory::open(folder, idea));
}

TEST_CASE("a folder that was made for a session which never began is taken over") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "s";
  std::filesystem::create_directories(folder);
  SECTION("empty") {}
  SECTION("with the lock of a process that ended") {
    write_content(folder / "journal.lock", "process 1");
  }
  CHECK(session_directory::make(folder, idea));
}

TEST_CASE("of a session that cannot be begun nothing is left") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "s";
  std::filesystem::create_directories(folder / "meta.json.new");  // where meta.json is to be made
  auto made = session_directory::make(folder, idea);
  REQUIRE_FALSE(made);
  CHECK_FALSE(made.error().elsewhere);
  CHECK_FALSE(is_session(folder));
  CHECK_FALSE(std::filesystem::exists(folder / "journal.lock"));
  std::filesystem::remove(folder / "meta.json.new");
  CHECK(session_directory::make(folder, idea));
}

TEST_CASE("a session that was moved meanwhile is not made anew in its old place") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "s", away = home.path() / "archive" / "s";
  { stored_session_by_hand{folder}.line("(def x 1)"); }
  SECTION("before its lock was looked for") {
    REQUIRE(move_to_archive_or_trash(folder, away));
    auto late = session_directory::open(folder, idea);
    REQUIRE_FALSE(late);
    CHECK(late.error().elsewhere);
    CHECK(late.error().why.first().message.find("was moved by another process") !=
          std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder));
  }
  SECTION("and another one is in its place: each has its own") {
    REQUIRE(move_to_archive_or_trash(folder, away));
    REQUIRE(session_directory::make(folder, idea));
    CHECK(session_directory::open(away, idea));
  }
  CHECK(archived_sessions(home.path()) == std::vector<std::string>{"s"});
}

TEST_CASE("a write-protected folder is not said to be elsewhere") {
  temporary_folder home;
  write_content(home.path() / "file", "x");
  auto refused = session_directory::open(home.path() / "file", idea);
  REQUIRE_FALSE(refused);
  CHECK_FALSE(refused.error().elsewhere);
}

namespace {

std::map<std::string, std::string> all_bytes(const std::filesystem::path& folder) {
  std::map<std::string, std::string> bytes;
  for (auto& file : std::filesystem::directory_iterator{folder})
    bytes[file.path().filename().string()] = *read_file(file.path());
  return bytes;
}

}  // namespace

TEST_CASE("who has a session is said") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "s";
  std::filesystem::create_directories(folder);
  auto other = folder_lock::take(folder);
  REQUIRE(other);
  auto holder = [&] { return session_directory::open(folder, idea).error().holder; };
  CHECK(holder() == "process " + std::to_string(::getpid()));
  // As between the making of the file and the writing of the number.
  std::filesystem::resize_file(folder / "journal.lock", 0);
  CHECK(holder() == "another process");
}

TEST_CASE("a session is read while another process is writing to it, and no file is touched") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "s";
  stored_session_by_hand there{folder};
  there.line("(def x 1)");
  auto entries = there.state.history.size();
  auto torn = false;
  SECTION("between two lines") {}
  SECTION("within a line") {
    std::ofstream{folder / "history.jsonl", std::ios::app} << "{\"index\":2,\"ti";
    torn = true;
  }
  SECTION("after a checkpoint") { REQUIRE(there.directory->checkpoint(there.state)); }
  SECTION("of which one file was replaced already") {
    REQUIRE(there.directory->checkpoint(there.state));
    auto env = content_of(folder / "env.json");
    there.line("(def y 2)");
    ++entries;
    REQUIRE(there.directory->checkpoint(there.state));
    write_content(folder / "env.json", env);
  }
  SECTION("with a damaged checkpoint") { write_content(folder / "checkpoint.json", "{"); }
  SECTION("with a damaged meta.json") { write_content(folder / "meta.json", "{"); }
  auto before = all_bytes(folder);
  auto ours = session_directory::open_read_only(folder, true);
  REQUIRE(ours);
  auto loaded = ours->load();
  REQUIRE(loaded);
  CHECK(loaded->state->history.size() == entries);
  CHECK(content_hash(*loaded->state->score) == content_hash(*there.state.score));
  CHECK(loaded->state->env->bindings.contains("x"));
  if (torn) CHECK(loaded->remarks.empty());
  CHECK_FALSE(ours->append({{{meta_changed{"Mine", std::nullopt}}}}));
  CHECK(all_bytes(folder) == before);
}

}  // namespace fermata::io::session_elsewhere_test
