#include "core/session/commands/classify.hpp"

#include <catch2/catch.hpp>

namespace fermata::prompt_lines_test {

TEST_CASE("a line of a program that the prompt would not evaluate is a fault with its place") {
  struct row {
    const char* program;
    const char* line;
  };
  for (auto& r : {
           row{":undo", ":undo"},
           row{"(note c4 :q)\n:undo\n(note d4 :q)\n", ":undo"},
           row{"(note c4 :q)\r:undo\r", ":undo"},
           row{"(note c4 :q)\r\n  :undo 2  \r\n", ":undo 2"},
           row{"\ufeff:history", ":history"},
           row{"(seq\n  (note c4))\n\u00a0:q\n", ":q"},
           row{":foo x y", ":foo x y"},
           row{"; first\n: help\n", ": help"},
           row{"// hello (there\n(note c4)\n", "// hello (there"},
           row{"#| a\n:undo |#\n:session new \"x\n", ":session new \"x"},
       }) {
    INFO(r.program);
    std::string_view program{r.program};
    auto found = prompt_lines_in(program);
    REQUIRE(found.diagnostics.size() == 1);
    CHECK(found.first().code == errc::misplaced);
    auto begin = program.find(r.line);
    CHECK(found.first().span == source_span{begin, begin + std::string_view{r.line}.size()});
    CHECK_FALSE(found.first().hint.empty());
  }
}

TEST_CASE("keywords in expressions, durations and comments are no lines of the prompt") {
  for (auto program : {
           "(note c4\n:staccato\n)",
           "(note c4 :q) :undo",  // at the prompt the whole line is one input
           ":8",
           ":q.",
           "; :undo\n; // hello",
           "#|\n:undo\n// hello\n|#",
           "\"a\n:undo\n// b\"",
           "#p\"c4\n:undo\"",
           "(/ 1 2)\n/",
           "",
       }) {
    INFO(program);
    CHECK(prompt_lines_in(program).diagnostics.empty());
  }
}

TEST_CASE("every such line of a program is named, up to a bound") {
  CHECK(prompt_lines_in(":undo\n// why\n:redo\n").diagnostics.size() == 3);
  std::string many;
  for (int i = 0; i < 10'000; ++i)
    many += ":undo\n";
  CHECK(prompt_lines_in(many).diagnostics.size() <= 20);
}

}  // namespace fermata::prompt_lines_test
