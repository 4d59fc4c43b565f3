#include "core/session/commands/classify.hpp"
#include "core/session/commands/suppressed_output.hpp"
#include "tests/core/session/musician.hpp"

#include <string>
#include <vector>

// What is asked at the prompt: `?note`, `:whos`; and what is not shown: a line that ends in `;`.

namespace fermata::help_query_test {

TEST_CASE("a question mark before or behind a name asks for help, as in IPython") {
  struct row {
    std::string typed;
    input_kind kind;
    std::string text;
  };
  for (auto& [typed, kind, text] : std::vector<row>{
           {"?note", input_kind::command, "help note"},
           {"? note", input_kind::command, "help note"},
           {"??note", input_kind::command, "help note"},
           {"?", input_kind::command, "help"},
           {"note?", input_kind::command, "help note?"},
           {"  motif?  ", input_kind::command, "help motif?"},
           {"?:history", input_kind::command, "help :history"},
           {"->?", input_kind::command, "help ->?"},
           {"(note? x)", input_kind::expression, "(note? x)"},
           {"(even? 2)", input_kind::expression, "(even? 2)"},
           {"x ?", input_kind::expression, "x ?"},
           {"\"why?\"", input_kind::expression, "\"why?\""},
           {"// why?", input_kind::chat, "why?"},
       }) {
    INFO(typed);
    auto found = classify(typed);
    CHECK(found.kind == kind);
    CHECK(found.text == text);
  }
}

TEST_CASE("help tells of a form, a command, a topic and a definition of mine with its source") {
  musician s;
  s.type("(defn third-up [x] (transpose M3 x))");
  s.type("(def motif (seq (note c4 :q)))");
  auto help = [&](const std::string& line) {
    auto outcome = s.command(classify(line).text);
    INFO(outcome.output);
    CHECK(outcome.ok);
    return outcome.output;
  };
  CHECK(help("?note").find("(note PITCH") != std::string::npos);
  CHECK(help("note?").find("(note PITCH") != std::string::npos);
  CHECK(help("?history").find(":history") != std::string::npos);
  CHECK(help("?:history").find(":history") != std::string::npos);
  CHECK(help("?proposals").find(":accept") != std::string::npos);
  CHECK(help("third-up?").find("(defn third-up [x] (transpose M3 x))") != std::string::npos);
  CHECK(help("?motif").find("(def motif (seq (note c4 :q)))") != std::string::npos);
  // A name that itself ends so.
  CHECK(help("even?").find("(even? ") != std::string::npos);
  CHECK(help("?even?").find("(even? ") != std::string::npos);
  s.refuses(classify("motiff?").text, "Did you mean `motif`?");
}

TEST_CASE("a name that ends in a question mark is a value in a program, a question is a fault") {
  CHECK(prompt_lines_in("(def x? 3)\nx?\n").diagnostics.empty());
  CHECK(prompt_lines_in("?note\n").diagnostics.size() == 1);
}

TEST_CASE("only a `;` with nothing behind it silences the output") {
  for (auto text :
       {"(note c4 :q);", "(note c4 :q) ;", "x;", "(+ 1\n 2) ; \t", "\"a\" ;", "1 ; one\n2;"})
    CHECK(suppresses_output(text));
  for (auto text : {"(note c4 :q)", "(note c4 :q) ; a comment", "(note c4 :q) ;;", "\";\"",
                    "\"a;\"", "; (note c4 :q) ;", "1;\n2", "#| ; |#", "", "x ; y;"}) {
    INFO(text);
    CHECK_FALSE(suppresses_output(text));
  }
}

TEST_CASE("my definitions are listed with their kind, size and the entry that made them") {
  musician s;
  CHECK(s.command("whos").output.find("no definitions") == 0);
  s.type("(def motif (seq (note c4 :q) (note d4 :h)))");               // 2
  s.type("(defn third-up [x] (transpose M3 x))");                      // 3
  s.type("(def tempo-of-mine 72)");                                    // 4
  s.type("(def all (range 100))");                                     // 5
  s.type("(def motif (seq (note c4 :q) (note d4 :h) (note e4 :q)))");  // 6
  auto lines = s.command("whos").output;
  INFO(lines);
  CHECK(lines == "all            list      100 items            In[5]\n"
                 "motif          seq       3 items, 4 quarters  In[6]\n"
                 "tempo-of-mine  number    72                   In[4]\n"
                 "third-up       function                       In[3]");
  CHECK(s.command("whos mot").output == "motif  seq  3 items, 4 quarters  In[6]");
  s.refuses("whos xyz", "no definition has `xyz` in its name");
  // What is forgotten by `:undo` is as it was before.
  s.must("undo");
  CHECK(s.command("whos motif").output.find("2 items") != std::string::npos);
  auto accessible = run_command("whos motif", s.state, {}, s.clock, {{}, true}).output;
  CHECK(accessible.find("motif: seq, 2 items, 3 quarters, ") == 0);
}

}  // namespace fermata::help_query_test
