#include "core/session/classify.hpp"

#include <catch2/catch.hpp>

namespace fermata {

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

}  // namespace fermata
