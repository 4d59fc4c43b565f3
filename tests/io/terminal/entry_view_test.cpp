#include "io/terminal/entry_view.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::entry_view_test {

namespace {

history_entry entry(std::int64_t index, entry_kind kind, entry_source source = {}) {
  return {index, {}, std::move(source), std::move(kind)};
}

eval_entry evaluated(std::string text, std::string output) {
  eval_entry e;
  e.text = std::move(text);
  e.output_text = std::move(output);
  return e;
}

}  // namespace

TEST_CASE("a value stands behind its number, its further lines below its beginning") {
  CHECK(entry_view(entry(12, evaluated("x", "(seq\n  (note c4 :q))")), {}) ==
        "Out[12]: (seq\n           (note c4 :q))\n");
}

// decisions/0012: what a session that is only read answers has no number.
TEST_CASE("what is in no timeline is shown without a number") {
  eval_entry failed;
  failed.text = "x";
  failed.failure = error{errc::unknown_name, "x is nothing"};
  for (auto [linear, echo] :
       {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
    entry_look look;
    look.linear = linear;
    look.echo_input = echo;
    CHECK(entry_view(entry(0, evaluated("(+ 1 2)", "3")), look) ==
          (echo ? std::string{"In: (+ 1 2)\n"} : "") + "Out: 3\n");
    auto shown = entry_view(entry(0, failed), look);
    CHECK(shown.find(linear ? "Error: unknown-name" : "Err: unknown-name") != std::string::npos);
    command_entry command;
    command.text = ":version";
    command.output = "1";
    for (auto& kind : {entry_kind{failed}, entry_kind{command}, entry_kind{system_entry{"x", "y"}}})
      CHECK(entry_view(entry(0, kind), look).find('0') == std::string::npos);
  }
}

TEST_CASE("a definition shows nothing") {
  CHECK(entry_view(entry(3, evaluated("(def x 1)", "")), {}).empty());
}

TEST_CASE("an error shows its code, its words and the place") {
  eval_entry e;
  e.text = "(nte c4 :q)";
  e.failure = error{errc::unknown_form, "there is no form `nte`", source_span{1, 4},
                    "did you mean `note`?"};
  CHECK(entry_view(entry(2, e), {}) ==
        "Err[2]: unknown-form: there is no form `nte`\n  (nte c4 :q)\n   ^^^\n"
        "  did you mean `note`?\n");
}

TEST_CASE("what another client evaluated says what and who") {
  CHECK(entry_view(entry(5, evaluated("(+ 1 2)", "3"), {"Claude", "mcp"}), {false, 0, true}) ==
        "In[5]: (+ 1 2)   ; Claude (mcp)\nOut[5]: 3\n");
}

TEST_CASE("a message names its sender and is broken at the edge") {
  CHECK(entry_view(entry(7, ai_message_entry{"the alto moves in parallel fifths with the bass"},
                         {"Claude", "mcp"}),
                   {false, 40}) == "[7] [Claude (mcp)]: the alto moves in\n"
                                   "                    parallel fifths with\n"
                                   "                    the bass\n");
}

TEST_CASE("neither a message nor the name of its sender steers the terminal") {
  auto shown =
      entry_view(entry(7, ai_message_entry{"\x1b[2Jhello\x1b]0;x\x07"}, {"Cl\x1b[31maude", "mcp"}),
                 {true, 80});
  CHECK(shown == "\x1b[32m[7] [Claude (mcp)]: hello\x1b[0m\n");
  auto quoted = entry_view(entry(8, evaluated("\"\x1b[31m\"", "\"\x1b[31m\"")), {false, 0, true});
  CHECK(quoted == "In[8]: \"\"\nOut[8]: \"\"\n");
}

TEST_CASE("a command from elsewhere is labelled as in the history, and says who") {
  command_entry undo;
  undo.text = ":undo 1";
  undo.output = "Undid In[2]: no change";
  auto e = entry(3, undo, {"claude", "ipc"});
  CHECK(entry_view(e, {false, 0, true}) ==
        "[3]     :undo 1   ; claude (ipc)\nUndid In[2]: no change\n");
}

}  // namespace fermata::io::entry_view_test
