#include "io/terminal/plain_line.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace fermata::io::plain_line_test {

namespace {

/// A terminal of ten columns that knows printable ASCII, CR, LF and BS, and wraps at its edge.
struct small_terminal {
  std::vector<std::string> rows{std::string(10, ' ')};
  std::size_t column = 0;

  void take(const std::string& bytes) {
    for (char c : bytes) {
      if (c == '\r') {
        column = 0;
      } else if (c == '\n') {
        rows.emplace_back(10, ' ');
      } else if (c == '\b') {
        if (column > 0) --column;
      } else {
        if (column == 10) {
          rows.emplace_back(10, ' ');
          column = 0;
        }
        rows.back()[column++] = c;
      }
    }
  }
  std::string row(std::size_t from_the_end) const {
    auto text = rows[rows.size() - 1 - from_the_end];
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }
};

}  // namespace

TEST_CASE("a typed line is written once and goes on in the next row") {
  plain_line line;
  std::string written, text;
  for (char c : std::string{"abcdefghijklmnop"}) {
    text += c;
    written += line.show("> ", text, text.size(), 10);
  }
  CHECK(written == "> abcdefghijklmnop");
}

TEST_CASE("editing within a row goes back by backspaces only") {
  small_terminal t;
  plain_line line;
  t.take(line.show("> ", "abcd", 4, 10));
  t.take(line.show("> ", "abcd", 1, 10));  // Home, right
  CHECK(t.column == 3);
  t.take(line.show("> ", "aXbcd", 2, 10));
  CHECK(t.row(0) == "> aXbcd");
  CHECK(t.column == 4);
  t.take(line.show("> ", "abcd", 1, 10));
  CHECK(t.row(0) == "> abcd");
  t.take(line.show("> ", "", 0, 10));
  CHECK(t.row(0) == ">");
  CHECK(t.column == 2);
  CHECK(t.rows.size() == 1);
}

TEST_CASE("what has to change in a row above is written anew below, up to the cursor") {
  small_terminal t;
  plain_line line;
  t.take(line.show("> ", "abcdefghijkl", 12, 10));
  CHECK(t.row(1) == "> abcdefgh");
  CHECK(t.row(0) == "ijkl");
  t.take(line.show("> ", "abcdefghijkl", 2, 10));
  CHECK(t.row(0) == "> ab");
  CHECK(t.column == 4);
  t.take(line.show("> ", "abXcdefghijkl", 3, 10));
  CHECK(t.row(0) == "> abX");
  t.take(line.show("> ", "abXcdefghijkl", 13, 10));
  CHECK(t.row(1) == "> abXcdefg");
  CHECK(t.row(0) == "hijkl");
}

TEST_CASE("a search that changes the prompt stays in its row") {
  small_terminal t;
  plain_line line;
  t.take(line.show("> ", "", 0, 10));
  t.take(line.show("(s)`': ", "", 0, 10));
  t.take(line.show("> ", "abc", 3, 10));
  CHECK(t.rows.size() == 1);
  CHECK(t.row(0) == "> abc");
  CHECK(t.column == 5);
}

}  // namespace fermata::io::plain_line_test
