#include "io/text/safe_text.hpp"

#include "io/text/code_point.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::safe_text_test {

using fermata::io::safe_text;

TEST_CASE("words from outside cannot steer the terminal") {
  // Sequences as ECMA-48 (5th edition, 1991) and xterm's ctlseqs describe them.
  struct row {
    std::string_view what, given, shown;
  };
  const row rows[] = {
      {"plain words stay", "try B\u266d in bar 3", "try B\u266d in bar 3"},
      {"newline and tab stay", "one\n\ttwo", "one\n\ttwo"},
      {"colours", "\x1b[31mred\x1b[0m", "red"},
      {"parameters and intermediates", "\x1b[?25;1 qx", "x"},
      {"clearing the screen", "a\x1b[2J\x1b[Hb", "ab"},
      {"title, ended by BEL", "\x1b]0;pwned\x07ok", "ok"},
      {"title, ended by ST", "\x1b]0;pwned\x1b\\ok", "ok"},
      {"clipboard", "\x1b]52;c;cm0gLXJm\x07", ""},
      {"device control", "\x1bP$q\"p\x1b\\ok", "ok"},
      {"application program command", "\x1b_Gf=100;AAAA\x1b\\ok", "ok"},
      {"character sets", "\x1b(0lqk\x1b(B", "lqk"},
      {"reset",
       "\x1b"
       "cok",
       "ok"},
      {"save cursor",
       "\x1b"
       "7a\x1b"
       "8",
       "a"},
      {"eight-bit CSI as UTF-8",
       "\xc2\x9b"
       "31mred",
       "red"},
      {"eight-bit OSC as UTF-8",
       "\xc2\x9d"
       "0;pwned\xc2\x9cok",
       "ok"},
      {"a lone eight-bit byte is not UTF-8",
       "\x9b"
       "31m",
       "\uFFFD"
       "31m"},
      {"overlong spelling of ESC", "\xc0\x9b[31m", "\uFFFD\uFFFD[31m"},
      {"bell, backspace, return", "a\x07\b\rb", "ab"},
      {"null and delete",
       std::string_view{"a\0b\x7f"
                        "c",
                        5},
       "abc"},
      {"next line and other C1",
       "a\xc2\x85"
       "b",
       "ab"},
      {"no end: only the opener goes", "\x1b]0;title and words", "0;title and words"},
      {"escape at the end", "ok\x1b", "ok"},
      {"sequence cut short", "ok\x1b[31", "ok"},
      {"escape in an escape", "\x1b\x1b[31mx", "x"},
      {"turned reading direction", "a\u202Eb\u2066c", "abc"},
      {"what cannot be seen", "a\u200Bb\u2028c\u2029d\uFEFF",
       "a<U+200B>b<U+2028>c<U+2029>d<U+FEFF>"},
      {"tags", "a\U000E0041", "a<U+E0041>"},
      {"joiners and variation selectors belong to their signs", "\u266F\uFE0E \u0646\u200C\u0645",
       "\u266F\uFE0E \u0646\u200C\u0645"},
  };
  for (auto& r : rows) {
    INFO(r.what);
    CHECK(safe_text(r.given) == r.shown);
  }
}

TEST_CASE("what was made safe is safe already") {
  // What remains after a removal must not join to a new sequence.
  for (std::string_view given : {"\x1b\x07[31m", "\x1b\x1b[31m[31m",
                                 "\xc2\x1b[m\x9b"
                                 "31m"}) {
    auto once = safe_text(given);
    CHECK(once.find('\x1b') == std::string::npos);
    CHECK(safe_text(once) == once);
  }
}

TEST_CASE("a text of which nothing can be seen is told from one that says something") {
  fermata::io::use_utf8_locale();
  for (std::string_view text : {"", " ", "\n\t \r\n", "\u00A0\u3000", "\u200B", "\x1b[31m \x1b[0m",
                                "\x01", "\u2028 \u202E"}) {
    CAPTURE(text);
    CHECK(fermata::io::shows_nothing(text));
  }
  for (std::string_view text : {".", "  a ", "\u266F", "\u00A0b", "\xff"}) {
    CAPTURE(text);
    CHECK_FALSE(fermata::io::shows_nothing(text));
  }
}

}  // namespace fermata::io::safe_text_test
