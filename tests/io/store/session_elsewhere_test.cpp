// Two processes over one home: who is first has the session, and the other is told.

#include "io/store/home.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

namespace fermata::io {

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
  CHECK(known.error().first().message.find("open in another process") != std::string::npos);
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

TEST_CASE("a session that was moved meanwhile is not made anew in its old place") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "s", away = home.path() / "archive" / "s";
  { stored_session_by_hand{folder}.line("(def x 1)"); }
  SECTION("before its lock was looked for") {
    REQUIRE(put_folder_away(folder, away));
    auto late = session_directory::open(folder, idea);
    REQUIRE_FALSE(late);
    CHECK(late.error().elsewhere);
    CHECK(late.error().first().message.find("was moved by another process") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder));
  }
  SECTION("and another one is in its place: each has its own") {
    REQUIRE(put_folder_away(folder, away));
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

}  // namespace fermata::io
