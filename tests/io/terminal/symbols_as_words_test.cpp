#include "io/terminal/symbols_as_words.hpp"

#include "core/session/commands/command.hpp"
#include "core/session/commands/help_topic.hpp"
#include "io/terminal/entry_view.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace fermata::io::symbols_as_words_test {

TEST_CASE("signs of the prompt and of lists are said in words") {
  CHECK(with_symbols_as_words("[song \u27092 \u03941] In[5]: ") ==
        "[song, 2 messages, 1 proposal] In[5]: ");
  CHECK(with_symbols_as_words("a badge, [song \u27091]; then") ==
        "a badge, [song, 1 message]; then");
  CHECK(with_symbols_as_words("\u03942  claude (mcp)  open") == "proposal 2  claude (mcp)  open");
  CHECK(with_symbols_as_words("(accepted \u039412)") == "(accepted proposal 12)");
  CHECK(with_symbols_as_words("Out[1]: 7\n        \u0394 1 note") ==
        "Out[1]: 7\n        changes: 1 note");
  // What is somebody's own stays: a chord, a name, brackets.
  for (auto own :
       {"C\u03947", "\u0394t", "[x \u0394]", "[3] [you]: \u0394", "[a \u03941b]", "", "["})
    CHECK(with_symbols_as_words(own) == own);
}

TEST_CASE("no help of the accessible prompt has a sign that is not read out") {
  entry_look look;
  look.linear = true;
  auto check = [&](const std::string& line) {
    auto state = empty_session({});
    auto outcome = run_command(line, state, {}, {});
    history_entry e;
    e.index = 1;
    e.kind = command_entry{':' + line, outcome.output, outcome.ok, {}, 0, 0, {}};
    auto shown = entry_view(e, look);
    INFO(shown);
    CHECK(shown.find("\u0394") == shown.npos);
    CHECK(shown.find("\u2709") == shown.npos);
  };
  check("help");
  check("help topics");
  for (auto& topic : help_topics())
    check("help " + std::string{topic.name});
  for (auto& row : command_table())
    check("help " + std::string{row.name});
}

TEST_CASE(
    "an accepted proposal and one that comes are spoken of in words at the accessible prompt") {
  entry_look look;
  look.linear = true;
  look.echo_input = true;
  history_entry e;
  e.index = 3;
  eval_entry taken;
  taken.text = "(note c4 :q)";
  taken.output_text = "(note c4 :q)";
  taken.proposal = 2;
  e.kind = taken;
  CHECK(entry_view(e, look) == "In 3: (note c4 :q)   ; accepted proposal 2\nOut 3: (note c4 :q)\n");
  e.kind = system_entry{"proposal", "claude (mcp) proposes \u03942: (note c4 :q)"};
  CHECK(entry_view(e, look) == "System, 3: claude (mcp) proposes proposal 2: (note c4 :q)\n");
}

TEST_CASE("the accessible prompt leaves the user's own words as they are") {
  entry_look look;
  look.linear = true;
  history_entry e;
  e.index = 1;
  auto own = std::string{"\u03947 blues"};
  auto shown = [&](entry_kind kind) {
    e.kind = std::move(kind);
    return entry_view(e, look);
  };
  auto keeps = [&](const entry_kind& kind) {
    auto text = shown(kind);
    INFO(text);
    CHECK(text.find(own) != text.npos);
    CHECK(text.find("proposal 7") == text.npos);
  };
  for (auto line : {":session list", ":history", ":session rename x", ":info", ":proposals",
                    ":diff 1", ":reject 1", ":tag x", ":nonsense", ":help x"})
    for (bool ok : {true, false})
      if (ok ? std::string_view{line} != ":help x" : true)
        keeps(command_entry{line, "it is called " + own + "\n" + own, ok, {}, 0, 0, {}});
  keeps(user_message_entry{own});
  keeps(system_entry{"proposal", "claude (mcp) proposes \u03942: (list \"" + own + "\")\n" + own});
  CHECK(shown(system_entry{"proposal", "claude (mcp) proposes \u03942: " + own}) ==
        "System, 1: claude (mcp) proposes proposal 2: " + own + "\n");
}

}  // namespace fermata::io::symbols_as_words_test
