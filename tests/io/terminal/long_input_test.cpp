#include "io/terminal/entry_view.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::long_input_test {

namespace {

history_entry entered(std::string text) {
  eval_entry e;
  e.text = std::move(text);
  e.output_text = "4";
  return {7, {}, {"user", "terminal"}, std::move(e)};
}

}  // namespace

TEST_CASE("of a long input the first rows are echoed, and how to see the rest") {
  entry_look look;
  look.echo_input = true;
  look.columns = 80;
  look.input_rows = 2;
  CHECK(entry_view(entered("(+ 1\n  1\n  1\n  1)"), look) ==
        "In[7]: (+ 1\n         1\n... 2 more lines; `:history 7` shows all\nOut[7]: 4\n");
  // As long as the limit, and without one.
  CHECK(entry_view(entered("(+ 1\n  3)"), look) == "In[7]: (+ 1\n         3)\nOut[7]: 4\n");
  look.input_rows = 0;
  CHECK(entry_view(entered("(+ 1\n  1\n  2)"), look) ==
        "In[7]: (+ 1\n         1\n         2)\nOut[7]: 4\n");
  look.echo_input = false;
  look.input_rows = 2;
  CHECK(entry_view(entered("(+ 1\n  1\n  1\n  1)"), look) == "Out[7]: 4\n");
}

}  // namespace fermata::io::long_input_test
