#include "io/store/tutorial_progress.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::tutorial_place_test {

TEST_CASE("the step of the tutorial is remembered; what is no step is the first") {
  temporary_folder home;
  CHECK(read_tutorial_place(home.path() / "not-made-yet").step == 0);
  for (std::size_t step : {4, 0, 11}) {
    REQUIRE(remember_tutorial_place(home.path(), {step, {}}));
    CHECK(read_tutorial_place(home.path()).step == step);
  }
  for (std::string_view content : {"", "{", "[]", "{}", "{\"step\":\"3\"}", "{\"step\":0}",
                                   "{\"step\":-3}", "{\"step\":1.5}", "{\"step\":1e300}"}) {
    INFO(content);
    write_content(home.path() / "tutorial.json", content);
    CHECK(read_tutorial_place(home.path()).step == 0);
  }
}

TEST_CASE("where somebody came from to the tutorial is remembered; what is no id is not") {
  temporary_folder home;
  CHECK(read_tutorial_place(home.path()).from.empty());
  REQUIRE(remember_tutorial_place(home.path(), {4, "second"}));
  CHECK(read_tutorial_place(home.path()).from == "second");
  CHECK(read_tutorial_place(home.path()).step == 4);
  for (std::string_view from : {"\"../../etc\"", "\"Not An Id\"", "7", "\"\""}) {
    INFO(from);
    write_content(home.path() / "tutorial.json", "{\"step\":5,\"from\":" + std::string{from} + "}");
    CHECK(read_tutorial_place(home.path()).from.empty());
  }
}

TEST_CASE("a home in which nothing can be written says so") {
  temporary_folder home;
  write_content(home.path() / "file", "x");
  CHECK_FALSE(remember_tutorial_place(home.path() / "file", {3, {}}));
}

}  // namespace fermata::io::tutorial_place_test
