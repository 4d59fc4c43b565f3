#include "core/session/commands/classify.hpp"

#include <catch2/catch.hpp>

namespace fermata::classify_test {

TEST_CASE("a line is code unless its first characters say otherwise") {
  struct row {
    const char* line;
    input_kind kind;
    const char* text;
  };
  for (auto& r : {
           row{"(note c4 :q)", input_kind::expression, "(note c4 :q)"},
           row{"  motif \n", input_kind::expression, "motif"},
           row{":history 1:5", input_kind::command, "history 1:5"},
           row{":q", input_kind::command, "q"},
           row{":?", input_kind::command, "?"},
           row{":key-inference on", input_kind::command, "key-inference on"},
           // Keywords of the language that no command name can look like stay expressions.
           row{":8", input_kind::expression, ":8"},
           row{":q.", input_kind::expression, ":q."},
           // What no keyword can look like is the beginning of a command.
           row{":", input_kind::command, ""},
           row{" : ", input_kind::command, ""},
           row{": help", input_kind::command, " help"},
           row{"::", input_kind::command, ":"},
           row{":!ls", input_kind::command, "!ls"},
           row{":HELP", input_kind::command, "HELP"},
           row{"?note", input_kind::command, "help note"},
           row{"?note;", input_kind::command, "help note"},
           row{"??note ; ;", input_kind::command, "help note"},
           row{"?;", input_kind::command, "help"},
           row{"// what about Bb?", input_kind::chat, "what about Bb?"},
           row{"//", input_kind::chat, ""},
           row{"/ 1 2", input_kind::expression, "/ 1 2"},
           row{"", input_kind::empty, ""},
           row{" \t\r\n", input_kind::empty, ""},
       }) {
    INFO(r.line);
    auto got = classify(r.line);
    CHECK(got.kind == r.kind);
    CHECK(got.text == r.text);
  }
}

TEST_CASE("before a command or a message may stand what may stand before an expression") {
  // The blanks of Unicode that the reader skips: word processors put them in, editors a mark of the
  // byte order.
  for (std::string blank : {" ", "\t", "\r", "\n", "\f", "\v", "\u00a0", "\u2003", "\u2009",
                            "\u200b", "\u202f", "\u205f", "\u3000", "\ufeff", "\ufeff\u00a0 "}) {
    INFO(blank);
    CHECK(classify(blank).kind == input_kind::empty);
    CHECK(classify(blank + ":history" + blank).kind == input_kind::command);
    CHECK(classify(blank + ":history" + blank).text == "history");
    CHECK(classify(blank + "// why" + blank).kind == input_kind::chat);
    CHECK(classify(blank + "//" + blank + "why").text == "why");
    CHECK(classify(blank + "(+ 1 2)" + blank).text == "(+ 1 2)");
    CHECK(classify(":undo" + blank + "2").kind == input_kind::command);
  }
}

TEST_CASE("a line that is not UTF-8 is known whatever it would have been") {
  struct row {
    const char* line;
    const char* text;
    std::size_t at;  // bytes before the first bad one
  };
  for (auto& r : {
           row{"(words \"caf\xe9\")", "(words \"caf\ufffd\")", 11},
           row{":branch b\xe9la", ":branch b\ufffdla", 9},
           row{"// na\xefve \xff", "// na\ufffdve \ufffd", 5},
           row{"; \xc3", "; \ufffd", 2},                        // cut off
           row{"\xed\xa0\x80", "\ufffd\ufffd\ufffd", 0},        // half a surrogate pair
           row{"\xc3\xa9 \xc0\xaf", "\u00e9 \ufffd\ufffd", 3},  // an overlong slash
       }) {
    INFO(r.text);
    auto found = find_undecodable(r.line);
    REQUIRE(found);
    CHECK(found->text == r.text);
    CHECK(found->why.first().code == errc::invalid_utf8);
    CHECK(found->why.first().span == source_span{r.at, r.at + 3});
  }
  for (auto line : {"", "(note c4 :q)", "// caf\u00e9", ":branch \U0001d11e", "\ufffd"})
    CHECK_FALSE(find_undecodable(line));
}

}  // namespace fermata::classify_test
