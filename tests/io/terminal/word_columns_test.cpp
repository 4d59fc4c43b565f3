#include "io/text/word_columns.hpp"

#include "io/text/code_point.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::word_columns_test {

TEST_CASE("words stand below each other, two blanks apart") {
  CHECK(in_columns({"a", "bbb", "cc", "d"}, 12, 9, "\n") == "a    bbb\ncc   d\n");
  CHECK(in_columns({"a", "bbb"}, 3, 9, "\n") == "a\nbbb\n");
}

TEST_CASE("wide and combining characters take the cells that they take on the screen") {
  use_utf8_locale();
  // Two characters of two cells each, one letter with an accent of its own.
  CHECK(in_columns({"音楽", "e\u0301", "abcd", "x"}, 12, 9, "\n") == "音楽  e\u0301\nabcd  x\n");
}

TEST_CASE("what does not fit is counted") {
  CHECK(in_columns({"a", "b", "c", "d", "e"}, 6, 2, "\n") == "a  b\nc  d\n... 1 more\n");
}

TEST_CASE("the common beginning is one of whole characters") {
  use_utf8_locale();
  CHECK(common_beginning({"motif", "motion"}) == "moti");
  CHECK(common_beginning({"motif"}) == "motif");
  CHECK(common_beginning({}).empty());
  CHECK(common_beginning({"ab", "abc"}) == "ab");
  // é and è differ in their second byte.
  CHECK(common_beginning({"xé", "xè"}) == "x");
  // e with an accent behind it, and e alone: the accent belongs to the letter.
  CHECK(common_beginning({"xe\u0301", "xea"}) == "x");
  CHECK(common_beginning({"音楽", "音色"}) == "音");
}

}  // namespace fermata::io::word_columns_test
