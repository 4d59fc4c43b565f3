#include "io/store/session_archive.hpp"

#include "io/store/home.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

namespace fermata::io {

TEST_CASE("a copy and an archive give the same session under another name") {
  temporary_folder home;
  auto folder = home.path() / "sessions" / "first";
  session_state before;
  {
    stored_session_by_hand s{folder};
    make_music(s);
    REQUIRE(s.directory->checkpoint(s.state));
    s.line("(def after-the-checkpoint 1)");
    before = s.state;
    session_meta meta{"second", "The second", s.now(), s.now(), {"copy"}};
    auto second = home.path() / "sessions" / "second";
    SECTION("copied while it is open") { REQUIRE(copy_session(folder, second, meta)); }
    SECTION("through an archive") {
      auto file = home.path() / "first.fermata";
      REQUIRE(write_archive(folder, file));
      auto found = read_archive_meta(file);
      REQUIRE(found);
      CHECK(found->name == "Another name");
      CHECK(found->tags == std::vector<std::string>{"sketch"});
      REQUIRE(unpack_archive(file, second, meta));
      CHECK_FALSE(unpack_archive(file, second, meta));
    }
  }
  stored_session_by_hand again{home.path() / "sessions" / "second"};
  CHECK(again.remarks.empty());
  check_same(before, again.state);
  CHECK(again.state.meta.slug == "second");
  CHECK(again.line("after-the-checkpoint")->index == before.history.next_index());
  CHECK(stored_sessions(home.path()) == std::vector<std::string>{"first", "second"});
}

TEST_CASE("what is no archive is refused and makes no session") {
  temporary_folder home;
  auto file = home.path() / "x.fermata";
  auto to = home.path() / "sessions" / "x";
  CHECK_FALSE(read_archive_meta(file));
  for (std::string_view content : {"", "PK", "hello, this is no archive at all"}) {
    write_content(file, content);
    auto refused = read_archive_meta(file);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().first().message.find("x.fermata") != std::string::npos);
    CHECK_FALSE(unpack_archive(file, to, {"x", "x", {}, {}, {}}));
  }
  // One that was cut anywhere.
  auto folder = home.path() / "s";
  {
    stored_session_by_hand s{folder};
    make_music(s);
  }
  REQUIRE(write_archive(folder, file));
  auto whole = content_of(file);
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    write_content(file, std::string_view{whole}.substr(0, size));
    CHECK_FALSE(unpack_archive(file, to, {"x", "x", {}, {}, {}}));
  }
  CHECK(stored_sessions(home.path()).empty());
  std::error_code failed;
  CHECK((!std::filesystem::exists(home.path() / "sessions") ||
         std::filesystem::is_empty(home.path() / "sessions", failed)));
}

}  // namespace fermata::io
