#include "io/text/code_wrap.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::code_wrap_test {

TEST_CASE("long Fermata text is broken between tokens, below its own beginning") {
  CHECK(wrapped_code("(seq (note c4 :q) (note d4 :q))", 16) == "(seq (note c4\n"
                                                               "  :q) (note d4\n"
                                                               "  :q))");
  // Behind a label of eight columns.
  CHECK(wrapped_code("(c4 d4 e4 f4 g4)", 22, 8) == "(c4 d4 e4 f4\n          g4)");
}

TEST_CASE("a string, a phrase and a comment stay in one piece") {
  CHECK(wrapped_code("(words \"slow and sad\")", 12) == "(words\n  \"slow and sad\")");
  CHECK(wrapped_code("(do #p\"c4:q d e\")", 8) == "(do\n  #p\"c4:q d e\")");
  CHECK(wrapped_code("(a) ; a remark that is long", 10) == "(a)\n  ; a remark that is long");
}

TEST_CASE("lines that fit stay as they are, and nothing is broken without a width") {
  constexpr auto text = "(a\n  (b c)\n\n  d)";
  CHECK(wrapped_code(text, 40) == text);
  CHECK(wrapped_code("(a b c d e f)", 0) == "(a b c d e f)");
  CHECK(wrapped_code("a\nb", 40, 5) == "a\n     b");
}

TEST_CASE("a token wider than a line is left to the terminal") {
  CHECK(wrapped_code("(a-very-long-name-of-mine x)", 10) == "(a-very-long-name-of-mine\n  x)");
}

}  // namespace fermata::io::code_wrap_test
