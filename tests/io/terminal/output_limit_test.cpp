#include "io/terminal/output_limit.hpp"

#include "io/text/code_point.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::output_limit_test {

TEST_CASE("a long line takes as many rows as the terminal breaks it into") {
  use_utf8_locale();
  CHECK(rows_of("", 10) == 0);
  CHECK(rows_of("a\n", 10) == 1);
  CHECK(rows_of("0123456789\n", 10) == 1);
  CHECK(rows_of("01234567890\n\n", 10) == 3);
  CHECK(rows_of("\x1b[31m0123456789\x1b[0m\n", 10) == 1);  // colours take none
  CHECK(rows_of("音楽音楽音楽\n", 10) == 2);               // wide characters take two cells
}

TEST_CASE("what is too long is cut, and it is said how much") {
  CHECK(limited("a\nb\nc\n", 3, 80, "see") == "a\nb\nc\n");
  CHECK(limited("a\nb\nc\n", 0, 80, "see") == "a\nb\nc\n");
  CHECK(limited("a\nb\nc\n", 2, 80, "see") == "a\nb\n... 1 more line; see\n");
  CHECK(limited("a\nb\nc\nd\n", 2, 80, "see") == "a\nb\n... 2 more lines; see\n");
  auto one_line = limited(std::string(1'000, 'x') + '\n', 2, 10, "see");
  // What is said of it fits into the terminal, too.
  CHECK(one_line.ends_with("\n... 1 more\nline; see\n"));
  CHECK(rows_of(one_line, 1'000) == 3);
}

TEST_CASE("the first rows of a text end where a line ends") {
  CHECK(first_rows("a\nb\nc\n", 2, 80) == "a\nb\n");
  CHECK(first_rows("a\nb\nc\n", 5, 80) == "a\nb\nc\n");
  CHECK(first_rows("a\n0123456789ab\nc\n", 2, 10) == "a\n");  // the second line takes two
  CHECK(rows_of(first_rows(std::string(1'000, 'x') + '\n', 2, 10), 1'000) == 1);
}

}  // namespace fermata::io::output_limit_test
