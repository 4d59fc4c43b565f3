#include "core/lang/reference/format.hpp"

#include <catch2/catch.hpp>

namespace fermata::format_comments_test {

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

TEST_CASE("line ends of every kind are laid out once and for all") {
  // Each of CR, LF and CR LF ends a line wherever it stands: in comments, strings, between words.
  for (const std::string end : {"\r", "\n", "\r\n", "\r\r\r\r", "\n\r", "\r\n\r\n", " \r\t\t"})
    for (const std::string before : {"#| a", "#| a #| b", "; a", "(a b) #|y x", "(a) ; x", "#; ",
                                     "\"a", "(f \"a", "'", "(", "(a", "[a", "#|", ";", ","})
      for (const std::string behind :
           {" |#", "b |#", " |# |#", "b\" c)", "b\"", "b)", ")", "b]", "b"}) {
        auto text = before + end + behind;
        auto once = format(text);
        INFO(text << "->\n" << once);
        CHECK(format(once) == once);
        CHECK((once == text || once.find('\r') == std::string::npos));
      }
}

}  // namespace fermata::format_comments_test
