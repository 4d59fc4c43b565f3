#include "core/session/commands/command_request.hpp"

#include <catch2/catch.hpp>

namespace fermata::command_request_test {

TEST_CASE("a requested command is what the user would have typed") {
  const std::vector<std::pair<command_request, std::string>> cases{
      {{"stop"}, "stop"},
      {{"undo", {"2"}}, "undo 2"},
      {{"play", {"5-8"}}, "play 5-8"},
      {{"play", {"Violin \"1\"", "2"}}, "play \"Violin \\\"1\\\"\" 2"},
      {{"play", {"a\\b", ""}}, "play \"a\\\\b\" \"\""},
      {{"play", {"-x"}}, "play \"-x\""},
      {{"play", {"\u03943"}}, "play \u03943"},
      {{"play", {"(left)"}, {}, {{"tempo", "80%"}}}, "play \"(left)\" --tempo 80%"},
      {{"play", {}, "(do c4 \"x\"\n)", {{"loop", ""}, {"tempo", "50%"}}},
       "play (do c4 \"x\"\n) --loop --tempo 50%"},
      {{"session rename", {"Chorale in D"}}, "session rename Chorale in D"}};
  for (auto& [request, text] : cases) {
    CAPTURE(text);
    auto line = command_line_of(request);
    CHECK(line.text == text);
    // The parser reads the same from that text.
    auto read = parse_command(text);
    REQUIRE(read);
    REQUIRE(line.parsed);
    CHECK(line.parsed->spec == read->spec);
    CHECK(line.parsed->text == read->text);
    CHECK(line.parsed->rest == read->rest);
    CHECK(line.parsed->options == read->options);
    if (request.expression.empty()) CHECK(line.parsed->args == read->args);
  }
}

}  // namespace fermata::command_request_test
