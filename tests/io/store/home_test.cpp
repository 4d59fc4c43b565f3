#include "io/store/home.hpp"

#include "io/store/file.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::home_test {

TEST_CASE("the session that was active last is remembered") {
  temporary_folder home;
  CHECK(active_session(home.path()).empty());
  REQUIRE(remember_active_session(home.path(), "bach"));
  CHECK(active_session(home.path()) == "bach");
  for (std::string_view content : {"", "{", "{\"session\":3}", "{\"session\":\"../etc\"}"}) {
    write_content(home.path() / "active-session.json", content);
    CHECK(active_session(home.path()).empty());
  }
}

TEST_CASE("what is put away twice under one name is kept twice") {
  temporary_folder home;
  auto place = home.path() / "trash" / "first";
  CHECK(unused_path(place) == place);
  std::filesystem::create_directories(place);
  CHECK(unused_path(place).filename() == "first-2");
  std::filesystem::create_directory(unused_path(place));
  CHECK(unused_path(place).filename() == "first-3");
}

}  // namespace fermata::io::home_test
