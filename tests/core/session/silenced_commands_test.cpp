#include "core/session/commands/classify.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/suppressed_output.hpp"

#include <catch2/catch.hpp>

#include <string>

// A `;` behind a command, which prints nothing then.

namespace fermata::silenced_commands_test {

TEST_CASE("a `;` behind a command is no part of its last argument") {
  auto argument = [](std::string_view line) { return parse_command(line)->args.at(0); };
  for (auto line : {"export x.ly;", "export x.ly ;", "export \"x.ly\";", "export x.ly; \t",
                    "import x.ly;", "run x.ly;", "session export x.ly;", "session import x.ly;"}) {
    INFO(line);
    CHECK(argument(line) == "x.ly");
    CHECK(suppresses_command_output(line));
  }
  CHECK(argument("export \"x.ly;\"") == "x.ly;");
  CHECK(argument("export \"a \\\" ;\"") == "a \" ;");
  CHECK_FALSE(suppresses_command_output("export \"x.ly;\""));
  CHECK_FALSE(suppresses_command_output("export x.ly"));
  CHECK_FALSE(suppresses_command_output("session rename \"Bach;\""));
  // Free text.
  CHECK(argument("session new Bach chorale;") == "Bach chorale");
  CHECK(argument("session clone \"Bach;\" ;") == "\"Bach;\"");
  CHECK(argument("reject 1 too high;") == "1");
  CHECK(parse_command("reject 1 too high;")->rest == "1 too high");
  CHECK(parse_command("history --grep fis;")->option("grep") == "fis");
  CHECK(argument("time (note c4 :q);") == "(note c4 :q);");  // of the expression
  CHECK_FALSE(suppresses_command_output("time (note c4 :q);"));
}

TEST_CASE("every command is found with a `;` behind it") {
  for (auto& row : command_table()) {
    auto line = ':' + std::string{row.name};
    INFO(line);
    CHECK(classify(line + ';').kind == input_kind::command);
    CHECK(command_of(line + ';') == &row);
    CHECK(command_of(line + " ;") == &row);
  }
  CHECK(classify(":8;").kind == input_kind::expression);
  CHECK(classify("note?;").text == "help note?");
}

}  // namespace fermata::silenced_commands_test
