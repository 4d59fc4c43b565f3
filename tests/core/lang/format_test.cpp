#include "core/lang/reference/format.hpp"

#include "core/lang/syntax/reader.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/lang/value/form_spec.hpp"

#include <catch2/catch.hpp>

namespace fermata::format_test {

namespace {

/// Checks what must hold for every text, and gives the formatted one.
std::string formatted(std::string_view text) {
  auto once = format(text);
  INFO(once);
  CHECK(format(once) == once);
  auto before = read(text), after = read(once);
  REQUIRE(before.complete());
  REQUIRE(after.complete());
  REQUIRE(before.forms.size() == after.forms.size());
  for (std::size_t i = 0; i < before.forms.size(); ++i)
    CHECK(before.forms[i].datum == after.forms[i].datum);
  return once;
}

}  // namespace

TEST_CASE("measures stand on lines of their own") {
  CHECK(formatted(
            "(score :title \"A\" (part :piano (measure (note c4 :w)) (measure (note d4 :w))))") ==
        "(score :title \"A\"\n"
        "  (part :piano\n"
        "    (measure (note c4 :w))\n"
        "    (measure (note d4 :w))))\n");
}

TEST_CASE("a score of one measure may stay on its line") {
  CHECK(formatted("( score (part   (measure (note c4 :q)) ) )") ==
        "(score (part (measure (note c4 :q))))\n");
}

TEST_CASE("a form too long for a line breaks before its body") {
  CHECK(formatted("(defn transpose-all-of-these [interval notes] (map (fn [n] (transpose interval "
                  "n)) (filter pitched-note? notes)))") ==
        "(defn transpose-all-of-these [interval notes]\n"
        "  (map (fn [n] (transpose interval n)) (filter pitched-note? notes)))\n");
  CHECK(formatted("(concat (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbb) "
                  "(ccccccccccccccccccccccccccccccccccccc ddddddd) (eeeeeeeeeeeeee))") ==
        "(concat (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbb)\n"
        "        (ccccccccccccccccccccccccccccccccccccc ddddddd)\n"
        "        (eeeeeeeeeeeeee))\n");
}

TEST_CASE("line breaks and blank lines of the author stay") {
  CHECK(formatted("(let [x 1\n  y 2]\n(+ x\n\n\n y))\n\n\n\n(f)") ==
        "(let [x 1\n      y 2]\n  (+ x\n\n     y))\n\n(f)\n");
}

TEST_CASE("comments stay where they are") {
  CHECK(formatted("; top\n(a ; one\n b ; two\n ; three\n )   ; end\n#| block |# (c) #;(d)\n") ==
        "; top\n"
        "(a  ; one\n"
        "  b  ; two\n"
        "  ; three\n"
        "  )  ; end\n"
        "#| block |#\n"
        "(c)\n"
        "#;(d)\n");
}

TEST_CASE("pitches and lists are packed into lines") {
  std::string pitches = "(def scale (c4 d4";
  for (int i = 0; i < 40; ++i)
    pitches += " e4";
  auto text = formatted(pitches + "))");
  for (std::size_t at = 0; at < text.size();) {
    auto end = text.find('\n', at);
    CHECK(end - at <= 100);
    at = end + 1;
  }
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
}

TEST_CASE("an option keeps its value beside it") {
  auto text = formatted("(some-function :a-long-option-name \"a value of some length\" "
                        ":another-option \"another value\" :third \"val\")");
  CHECK(text == "(some-function :a-long-option-name \"a value of some length\"\n"
                "  :another-option \"another value\"\n"
                "  :third \"val\")\n");
}

TEST_CASE("strings over several lines and glyphs keep their characters") {
  CHECK(formatted("(words \"a\n  b\")") == "(words \"a\n  b\")\n");
  CHECK(formatted("(f♯4 'x `(a ,b ,@c) #p\"c4:q\")") == "(f♯4 'x `(a ,b ,@c) #p\"c4:q\")\n");
  CHECK(formatted("(f '(a\n b) #;c)") == "(f '(a\n      b) #;c)\n");
}

TEST_CASE("whatever ended the lines, LF ends them afterwards, in strings and comments too") {
  for (std::string end : {"\n", "\r\n", "\r"}) {
    auto text =
        "; one" + end + "(words \"a" + end + "b\") ; two" + end + "#| x" + end + "y |#" + end;
    CHECK(formatted(text) == "; one\n(words \"a\nb\")  ; two\n#| x\ny |#\n");
  }
}

TEST_CASE("text that does not read is left alone") {
  CHECK(format("(a (b  c") == "(a (b  c");
  CHECK(format("a)  b") == "a)  b");
}

TEST_CASE("empty text stays empty") {
  CHECK(format("").empty());
  CHECK(format("\n\n  \n").empty());
  CHECK(format("; only\n") == "; only\n");
}

TEST_CASE("every example stays what it is when it is laid out, with a comment at every gap too") {
  for (auto& row : form_table()) {
    INFO(row.example);
    formatted(row.example);
    // `(note c4)` becomes `(;1\n note ;2\n c4 ;3\n)`.
    std::string text;
    auto comments = 0;
    for (std::size_t at = 0; at < row.example.size();) {
      auto t = next_token(row.example, at);
      if (t.kind == token_kind::end) break;
      text += row.example.substr(at, t.span.end - at);
      at = t.span.end;
      // A quote and what it quotes stay together.
      if (t.kind == token_kind::open || t.kind == token_kind::close)
        text += " ;" + std::to_string(++comments) + "\n";
    }
    auto laid_out = formatted(text);
    for (int i = 1; i <= comments; ++i)
      CHECK((laid_out + "\n").find(";" + std::to_string(i) + "\n") != std::string::npos);
  }
}

TEST_CASE("every example stays what it is however narrow the lines are") {
  for (auto& row : form_table())
    for (std::size_t columns : {1, 2, 3, 5, 8, 13, 21, 34, 55}) {
      auto once = format_line(row.example, columns);
      INFO(columns << " columns: " << once);
      CHECK(format_line(once, columns) == once);
    }
}

TEST_CASE("a form whose first argument begins a line has its arguments below its name") {
  CHECK(format_line("(and 'c :q ,x)", 8) == "(and\n  'c\n  :q\n  ,x)");
}

// By the reader's rules (design of the language, section 2): `,@x` splices, `, @x` does not.
TEST_CASE("an unquoted name that begins with an at sign does not become a splice") {
  CHECK(formatted("`(a ,   @b)") == "`(a , @b)\n");
  CHECK(formatted("`(a ,@b)") == "`(a ,@b)\n");
}

}  // namespace fermata::format_test
