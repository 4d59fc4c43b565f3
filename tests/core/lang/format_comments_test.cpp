#include "core/lang/format.hpp"

#include <catch2/catch.hpp>

using namespace fermata;

// Laying out what is laid out changes nothing; a comment may stand anywhere.

TEST_CASE("a comment anywhere in a program is laid out once and for all") {
  for (const std::string program :
       {"(let [x 1] x)", "'(1 2 (3 4))", "[1 [2 3]]",
        "(score (part :flute (measure (note c4 :w))))", "(defn f [a b] (+ a b))", "(cond a 1 b 2)"})
    for (std::size_t at = 0; at <= program.size(); ++at)
      for (const std::string comment :
           {"; c\n", "\n; c\n", "\n\n  ; c\n\n", " ; c\n; d\n", "#| c |# "}) {
        // Inside a word a comment would divide it; there it is another program, no matter.
        auto text = program.substr(0, at) + comment + program.substr(at);
        auto once = format(text);
        INFO(text << "->\n" << once);
        CHECK(format(once) == once);
      }
}
