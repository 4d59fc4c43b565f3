#include "io/protocol/client_name.hpp"

#include "io/text/code_point.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::protocol::client_name_test {

TEST_CASE("no client can be called what the timeline calls the user or the program") {
  use_utf8_locale();
  auto is_refused = [](std::string_view name) { return is_reserved_name(shown_client_name(name)); };
  // Characters that Unicode's confusables.txt (UTS #39) gives for these letters, or that cannot be
  // seen (Default_Ignorable_Code_Point).
  for (std::string_view name : {"you",
                                "YOU",
                                "user",
                                "System",
                                "fermata",
                                "y\u200Bou",
                                "yo\u00ADu",
                                "y\uFE0Fou",
                                "\u202Eyou",
                                "\u0443ou",
                                "y\u043Eu",
                                "you\u2060",
                                "\uFF59\uFF4F\uFF55",
                                "y\u00F3u",
                                "yo\u0301u",
                                "y0u",
                                "\U0001D432ou",
                                "us\u0435r",
                                "\u0455ystem",
                                "ferrnata",
                                "you]: x",
                                "you: x",
                                "[you]",
                                "you (mcp)",
                                "  you  ",
                                "\u3164you"}) {
    CAPTURE(name);
    CHECK(is_refused(name));
  }
  for (std::string_view name :
       {"claude", "Claude Desktop", "claude-ai", "fermata-vim", "system monitor", "user 2",
        "user (client)", "youth", "Visual Studio Code", "cursor-vscode (via mcp-remote 0.1.29)",
        "\u042F\u043D\u0434\u0435\u043A\u0441", "\u4F5C\u66F2\u5BB6", "Dvo\u0159\u00E1k",
        "io.github.someone/tool"}) {
    CAPTURE(name);
    CHECK_FALSE(is_refused(name));
  }
}

TEST_CASE("a client's name is shown in one line and cannot end the brackets around it") {
  CHECK(shown_client_name("bob]: [ann") == "bob): (ann");
  CHECK(shown_client_name("a\u200Bb\u2028c\u2029d\ne") == "ab c d e");
  CHECK(shown_client_name("\x1b[31mred\x1b[0m") == "red");
  CHECK(shown_client_name("\u200B\u2060").empty());
}

}  // namespace fermata::io::protocol::client_name_test
