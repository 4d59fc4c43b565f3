#include "io/terminal/input_assembler.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::input_assembler_test {

namespace {

std::vector<std::pair<std::string, std::size_t>> assembled(std::string_view script,
                                                           input_assembler& a) {
  std::vector<std::pair<std::string, std::size_t>> inputs;
  while (!script.empty()) {
    auto end = std::min(script.find('\n'), script.size());
    if (auto i = a.push(script.substr(0, end))) inputs.emplace_back(i->text, i->first_line);
    script.remove_prefix(std::min(end + 1, script.size()));
  }
  return inputs;
}

}  // namespace

TEST_CASE("a script gives one input per complete expression, with the line where it begins") {
  input_assembler a;
  auto inputs =
      assembled("(note c4 :q)\n\n(seq\n  (note d4 :q)\n\n  (note e4 :q))\n:score\n// why?\n", a);
  CHECK(inputs == decltype(inputs){{"(note c4 :q)", 1},
                                   {"(seq\n  (note d4 :q)\n\n  (note e4 :q))", 3},
                                   {":score", 7},
                                   {"// why?", 8}});
  CHECK_FALSE(a.is_open());
}

TEST_CASE("what looks like a command inside an expression belongs to it") {
  input_assembler a;
  auto inputs = assembled("(note c4\n:staccato\n)\n", a);
  CHECK(inputs == decltype(inputs){{"(note c4\n:staccato\n)", 1}});
}

TEST_CASE("a script that ends in the middle of an expression has a rest") {
  input_assembler a;
  CHECK(assembled("(+ 1 2)\n(note c4\n", a).size() == 1);
  REQUIRE(a.is_open());
  auto rest = a.rest();
  CHECK(rest.text == "(note c4");
  CHECK(rest.first_line == 2);
  CHECK_FALSE(a.is_open());
}

TEST_CASE("a line in which something is wrong ends its input, whatever it leaves open") {
  using inputs = std::vector<std::pair<std::string, std::size_t>>;
  for (std::string wrong : {
           "(a ] (",               // closed by another kind
           ")) (",                 // nothing to close
           "(note c4 :q \"\\q\"",  // no such escape
           "(list 1/0",            // no such number
           "(list (') 1",          // a quote before nothing
           "(list \"caf\xe9\"",    // not UTF-8
           "(list \x01",           // a control character
       }) {
    INFO(wrong);
    input_assembler a;
    CHECK(assembled(wrong + "\n(+ 1 2)\n", a) == inputs{{wrong, 1}, {"(+ 1 2)", 2}});
    CHECK_FALSE(is_incomplete(wrong));
    // The same in a later line of what goes on.
    CHECK(assembled("(seq\n" + wrong + "\n(+ 1 2)\n", a) ==
          inputs{{"(seq\n" + wrong, 3}, {"(+ 1 2)", 5}});
    CHECK_FALSE(is_incomplete("(seq\n" + wrong));
    CHECK_FALSE(a.is_open());
  }
  std::string deep(1'200, '(');
  input_assembler a;
  CHECK(assembled(deep + "\n(+ 1 2)\n", a) == inputs{{deep, 1}, {"(+ 1 2)", 2}});
  // Over several lines as well: 1,000 are allowed.
  deep = std::string(600, '(') + '\n' + std::string(600, '[');
  CHECK(assembled(deep + "\n(+ 1 2)\n", a) == inputs{{deep, 3}, {"(+ 1 2)", 5}});
}

TEST_CASE("what an input has left open is remembered from line to line") {
  using inputs = std::vector<std::pair<std::string, std::size_t>>;
  input_assembler wrong;
  CHECK(assembled("(list '\n(1 2)\n#;\n(3 ]\n4)", wrong) ==
        inputs{{"(list '\n(1 2)\n#;\n(3 ]", 1}, {"4)", 5}});
  CHECK(assembled("(list '\n) (\n1", wrong) == inputs{{"(list '\n) (", 6}, {"1", 8}});
  CHECK(assembled("([1\n2 )\n3", wrong) == inputs{{"([1\n2 )", 9}, {"3", 11}});
  for (std::string text : {
           "(list '\n(1 2)\n#;\n(3)\n4)",
           "(str \"a ( ]\nb\\\"c\n\n; d\" [\n] #| (\n#| \" |#\n|#\n)",
           "(phrase #p\"c4:q\nd\")",
           "`(a ,\n@b ,@\nc)",
           "(def x ; (\n1)",
       }) {
    INFO(text);
    input_assembler a;
    CHECK(assembled(text + "\n:score\n", a).front() == inputs::value_type{text, 1});
    CHECK_FALSE(a.is_open());
  }
}

TEST_CASE("commands and chat never wait for a bracket") {
  CHECK_FALSE(is_incomplete("// is this (right"));
  CHECK_FALSE(is_incomplete(":history --grep (note"));
  CHECK(is_incomplete("(note c4"));
}

TEST_CASE("an expression that is wrong already does not wait for more") {
  CHECK_FALSE(is_incomplete("(note c4]"));
  CHECK_FALSE(is_incomplete(std::string(10'000, '(')));
}

TEST_CASE("an expression behind a command goes on until its parentheses close") {
  CHECK(is_incomplete(":time (list 1"));
  CHECK_FALSE(is_incomplete(":time (list 1)"));
  CHECK_FALSE(is_incomplete(":score ("));
  CHECK_FALSE(is_incomplete("// (list"));
  input_assembler lines;
  CHECK_FALSE(lines.push(":time (list 1"));
  CHECK(lines.push("2)")->text == ":time (list 1\n2)");
}

TEST_CASE("commands among pasted expressions are inputs of their own") {
  using inputs = std::vector<std::string>;
  // Expressions alone stay together, however many lines and forms they have.
  CHECK(inputs_in("(list 1\n2)\n(+ 1 2)") == inputs{"(list 1\n2)\n(+ 1 2)"});
  CHECK(inputs_in("(list 1\n2)\n:score\n\n// yes\n(+ 1 2)") ==
        inputs{"(list 1\n2)", ":score", "// yes", "(+ 1 2)"});
  // A line inside a list is part of the list.
  CHECK(inputs_in("(list\n:q\n)") == inputs{"(list\n:q\n)"});
  // A message may have several lines.
  CHECK(inputs_in("// one\n:two") == inputs{"// one\n:two"});
  CHECK(inputs_in("\n \n") == inputs{"\n \n"});
  CHECK(is_incomplete(":score\n(list 1"));
  CHECK_FALSE(is_incomplete(":score\n(list 1)"));
}

TEST_CASE("a command typed into an expression that is not closed is known for one") {
  CHECK(command_within("(seq\n:quit") == ":quit");
  CHECK(command_within("(seq\n  (note c4 :q)\n  :undo 2 ") == ":undo");
  // What belongs to the expression.
  for (auto text : {"(seq", ":quit", "(note c4\n:staccato", "(seq\n(note c4 :q)", "(seq\n:quit)",
                    "(seq\n:time (note c4 :q", "(seq\n:quit\n", "(seq\n:", ""})
    CHECK(command_within(text).empty());
}

TEST_CASE("pasted lines are the same inputs, whatever ends them") {
  for (std::string end : {"\n", "\r\n", "\r"}) {
    CHECK(inputs_in("(def x 1)" + end + ":undo" + end + "// why") ==
          std::vector<std::string>{"(def x 1)", ":undo", "// why"});
    CHECK(inputs_in("\ufeff(def x 1)" + end + "\u00a0:undo").size() == 2);
  }
}

TEST_CASE("an input that is not complete says where it began and how long it is") {
  input_assembler a;
  CHECK(a.line() == 1);
  a.push("(+ 1 2)");
  CHECK(a.line() == 2);
  a.push("(list \"a");
  a.push("b");
  CHECK(a.line() == 2);
  CHECK(a.size() == 10);  // with the line end between them
}

}  // namespace fermata::io::input_assembler_test
