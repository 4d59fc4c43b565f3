#include "io/terminal/nesting.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::nesting_test {

using fermata::io::nesting;

TEST_CASE("an expression goes on until its brackets, strings and comments are closed") {
  struct row {
    std::string_view text;
    bool open;
  };
  const row rows[] = {
      {"(note c4 :q)", false}, {"(note c4", true},    {"(fn [x", true},
      {"\"a ( b\"", false},    {"\"a \\\" (", true},  {"; ( in a comment\n", false},
      {"#| ( |#", false},      {"#| #| |#", true},    {"(a #;(b) c)", false},
      {"(a))", false},         {"#p\"c4:q (d", true}, {"(a ; )\n", true},
  };
  for (auto& r : rows) {
    INFO(r.text);
    CHECK(nesting{r.text}.is_open() == r.open);
  }
}

TEST_CASE("pieces give the same as the whole") {
  std::string_view text = "(a \"b\n#| ) |# c\" [d\n#| x\ny |# e]\n; f\n(g";
  nesting whole{text}, pieces;
  for (std::size_t at = 0; at < text.size();) {
    auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
    pieces.feed(text.substr(at, end - at));
    at = end;
  }
  CHECK(pieces.is_open() == whole.is_open());
  CHECK(pieces.innermost() == whole.innermost());
  CHECK(whole.innermost() == text.rfind('('));
}

TEST_CASE("a new line starts below what it belongs to") {
  CHECK(nesting{"(seq"}.indentation() == 2);
  CHECK(nesting{"(seq\n  (chord"}.indentation() == 4);
  CHECK(nesting{"(let [a 1"}.indentation() == 6);
  CHECK(nesting{"(a \"text"}.indentation() == 0);
  CHECK(nesting{"(a)"}.indentation() == 0);
}

TEST_CASE("a bracket knows its partner, and brackets in strings have none") {
  nesting n{"(a \"(\" [b])"};
  CHECK(n.partner(0) == 10);
  CHECK(n.partner(10) == 0);
  CHECK(n.partner(7) == 9);
  CHECK(n.partner(4) == std::string::npos);
}

}  // namespace fermata::io::nesting_test
