#include "io/text/wrap.hpp"

#include "io/text/code_point.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::wrap_test {

TEST_CASE("long messages break at blanks and go on below their beginning") {
  CHECK(wrapped("the alto moves in parallel fifths", 20, 4, 4) ==
        "the alto moves\n    in parallel\n    fifths");
}

TEST_CASE("a word wider than the terminal stays in one piece") {
  CHECK(wrapped("see https://example.org/a-very-long-address now", 20) ==
        "see\nhttps://example.org/a-very-long-address\nnow");
}

TEST_CASE("indented code keeps its shape") {
  CHECK(wrapped("(seq\n  (note c4)\n\n  (note d4))", 40, 2) ==
        "(seq\n    (note c4)\n\n    (note d4))");
}

TEST_CASE("wide characters count twice and combining marks not at all") {
  use_utf8_locale();
  CHECK(display_width("\u97f3\u697d") == 4);
  CHECK(display_width("e\u0301") == 1);
  CHECK(wrapped("\u97f3\u697d \u97f3\u697d", 8) == "\u97f3\u697d\n\u97f3\u697d");
}

TEST_CASE("without a terminal nothing is broken") {
  CHECK(wrapped("a b c\nd", 0, 2) == "a b c\n  d");
}

TEST_CASE("on a very narrow terminal the indentation is given up") {
  CHECK(wrapped("one two", 6, 5) == "one\ntwo");
}

TEST_CASE("a line that is far too long is cut, the next one is whole") {
  use_utf8_locale();
  CHECK(clipped("12345678\n\u97f3\u97f3\u97f3\nok", 5) == "12345\u2026\n\u97f3\u97f3\u2026\nok");
}

TEST_CASE("what is too long in a list goes on below its second column") {
  CHECK(wrapped_lists("  :help [WORD]  tells what there is to know\n  :quit  ends", 34) ==
        "  :help [WORD]  tells what there\n                is to know\n  :quit  ends");
  // Where the second column is too far to the right, below the first one.
  CHECK(wrapped_lists("  :help [WORD]  tells what there is", 20) ==
        "  :help [WORD]\n  tells what there\n  is");
  CHECK(wrapped_lists("plain words here", 11) == "plain words\nhere");
  CHECK(wrapped_lists("", 10).empty());
  // Behind a label.
  CHECK(wrapped_lists("In[3]: (seq c d e f g)", 16) == "In[3]: (seq c d\n       e f g)");
  CHECK(wrapped_lists("[4] [you]: shall we go on", 22) == "[4] [you]: shall we go\n           on");
  CHECK(wrapped_lists("[4]     :help [5]: x and y", 22) == "[4]     :help [5]: x\n        and y");
  // A line that stands far in keeps at least half of the width.
  CHECK(wrapped_lists("              (note c4 :q)", 20) == "          (note c4\n          :q)");
  use_utf8_locale();
  // A word wider than a line is broken at cells, a letter with its accents never; paths are not.
  CHECK(wrapped_lists("a abcdefghijk l", 4) == "a\nabcd\nefgh\nijk\nl");
  CHECK(wrapped_lists("音楽音楽音", 5) == "音楽\n音楽\n音");
  CHECK(wrapped_lists("ae\u0301ie\u0301o", 2) == "ae\u0301\nie\u0301\no");
  CHECK(wrapped_lists("in /home/anna/music it is", 8) == "in\n/home/anna/music\nit is");
}

TEST_CASE("carets stay below what they point to, however narrow the terminal is") {
  CHECK(wrapped_lists("a message of many words\n  (list 1 2 3 4 5 6)\n        ^\n  some advice",
                      12) ==
        "a message of\nmany words\n  (list 1 2 \n        ^\n3 4 5 6)\n  some\n  advice");
  CHECK(wrapped_lists("  (list 1 2 3 4 5 6)\n                ^^^^", 12) ==
        "  (list 1 2 \n3 4 5 6)\n    ^^^^");
  // Carets over the edge, and behind the end of the line.
  CHECK(wrapped_lists("  (list 1 2 3 4 5 6\n          ^^^^", 12) ==
        "  (list 1 2 \n          ^^\n3 4 5 6\n^^");
  CHECK(wrapped_lists("  (list 1 2 3\n             ^", 12) == "  (list 1 2 \n3\n ^");
  use_utf8_locale();
  CHECK(wrapped_lists("音楽音楽音楽\n        ^^", 8) == "音楽音楽\n音楽\n^^");
  CHECK(wrapped_lists("  (list)\n   ^^^^", 12) == "  (list)\n   ^^^^");
}

TEST_CASE("alternatives that fit nowhere are broken behind a stroke") {
  CHECK(wrapped("on|off|auto is it", 8) == "on|off|\nauto is\nit");
  CHECK(wrapped("say on|off", 7) == "say\non|off");
}

}  // namespace fermata::io::wrap_test
