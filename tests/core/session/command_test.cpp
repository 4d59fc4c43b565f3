#include "core/session/commands/command.hpp"

#include "core/lang/reference/reference.hpp"
#include "core/lang/value/form_spec.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "core/session/timeline/slug.hpp"
#include "tests/core/session/musician.hpp"
#include "tests/support/doc_page.hpp"

#include <catch2/catch.hpp>

#include <iterator>
#include <set>

namespace fermata::command_test {

namespace {

command_outcome run(const session_by_hand& s, std::string_view text) {
  return run_command(text, s.state, {}, s.clock);
}

/// What a command lists, as the prompt shows it.
std::string listed(const session_by_hand& s, std::string_view text) {
  auto outcome = run(s, text);
  REQUIRE(outcome.listing);
  std::string shown;
  for (std::size_t i = 0; i < outcome.listing->size(); ++i)
    shown += (i > 0 ? "\n" : "") + to_text(*outcome.listing->at(i));
  return shown;
}

/// A session in which the example of every command works: music, something to take back and to make
/// again, an open proposal, and a branch with a measure of its own.
session_by_hand with_everything() {
  musician s;
  s.type("(part :piano (measure (note c4 :w)) (measure (note d4 :w)))");
  s.type("(def x 1)");
  auto e = s.run("(note c5 :q)");
  REQUIRE(e);
  s.happen(proposed(s.state, 1, "(note c5 :q)", {"claude", "mcp"}, 1, *e, s.now()));
  s.must("undo");
  s.must("branch sketch");
  s.must("switch-branch sketch");
  s.type("(replace (measures 1) (measure (note e5 :w)))");
  s.must("switch-branch main");
  return s;
}

}  // namespace

TEST_CASE("every command is documented, found by all its names, and its example works") {
  auto s = with_everything();
  std::set<std::string_view> names;
  for (auto& row : command_table()) {
    INFO(row.name);
    CHECK_FALSE(row.help.empty());
    CHECK_FALSE(row.topic.empty());
    CHECK(row.run);
    CHECK(names.insert(row.name).second);
    CHECK(find_command(row.name) == &row);
    for (auto alias : row.aliases) {
      CHECK(names.insert(alias).second);
      CHECK(find_command(alias) == &row);
    }
    REQUIRE(row.example.substr(0, 1) == ":");
    auto parsed = parse_command(row.example.substr(1));
    REQUIRE(parsed);
    CHECK(parsed->spec == &row);
    auto outcome = run(s, row.example.substr(1));
    INFO(outcome.output);
    // Nothing plays music yet, and it says so.
    CHECK(outcome.ok);
    CHECK(run(s, "help " + std::string{row.name}).ok);
  }
}

TEST_CASE("the page on commands says what the table says") {
  fermata::test::check_page("commands.md", command_reference());
}

TEST_CASE("a name that is too long for a session is refused, one that just fits is not") {
  for (std::string head :
       {"session new ", "session rename ", "session clone ", "session import sketch.fermata "}) {
    musician m;
    INFO(head);
    m.must(head + std::string(longest_name, 'x'));
    m.refuses(head + std::string(longest_name + 1, 'x'), "at most 200 bytes; this one has 201");
    // Bytes, as files and clients count.
    m.refuses(head + std::string(199, 'x') + "\u00e9", "this one has 201");
    m.refuses(head + '"' + std::string(300, 'x') + '"', "Shorten it");
  }
}

TEST_CASE("a misspelt command, option or argument is refused with what was meant") {
  session_by_hand s;
  struct row {
    const char* typed;
    const char* says;
  };
  for (auto& r : {
           row{"histroy", ":history"},
           row{"history --gerp x", "--grep"},
           row{"history --grep", "--grep needs WORD"},
           row{"history 1:2 3:4", "unexpected argument `3:4`"},
           row{"history x", "42, 10:20"},
           row{"history --since yesterday", "10m"},
           row{"history --json=yes", "takes no value"},
           row{"undo 0", "Use 1 or more"},
           row{"undo", "nothing to undo"},
           row{"session swtich", ":session switch"},
           row{"ai maybe", "off, ask, preview, allow"},
           row{"set dsplay summary", "display"},
           row{"set foo bar", "key-inference"},
           row{"display loud", "musicxml"},
           row{"accept 9", "no such proposal: 9"},
           row{"score \"Violin", "closing \"."},
           row{"explain overful-measure", "overfull-measure"},
           row{"help histroy", "history"},
           row{"help instrumnets", "instruments"},
           row{"history 0", "start at 1"},
           row{"history 7:5", "`7:5` is an empty range"},
           row{"history -2:-5", "`-2:-5` is an empty range"},
       }) {
    INFO(r.typed);
    auto outcome = run(s, r.typed);
    INFO(outcome.output);
    CHECK_FALSE(outcome.ok);
    CHECK(outcome.output.find(r.says) != std::string::npos);
    CHECK(outcome.events.empty());
  }
}

TEST_CASE("ranges of entries are written as in the reference") {
  struct row {
    const char* text;
    std::optional<std::int64_t> from, to;
  };
  for (auto& r : {row{"42", 42, 42}, row{"10:20", 10, 20}, row{"5:", 5, {}}, row{":15", {}, 15},
                  row{"-5:", -5, {}}, row{":-3", {}, -3}, row{"-5:-2", -5, -2}, row{"3:-2", 3, -2},
                  row{"-1", -1, -1}, row{"In[3]:Out[7]", 3, 7}}) {
    INFO(r.text);
    auto range = parse_index_range(r.text);
    REQUIRE(range);
    CHECK(range->from == r.from);
    CHECK(range->to == r.to);
  }
  for (auto text : {"", ":", "a", "1:b", "1.5"})
    CHECK_FALSE(parse_index_range(text));
}

TEST_CASE("ranges of measures are open where ranges of entries are, and count from the end") {
  session_by_hand s;
  s.type("(part :piano " + [] {
    std::string bars;
    for (int i = 0; i < 8; ++i)
      bars += "(measure (note c4 :w))";
    return bars;
  }() + ")");
  auto& eight = *s.state.score;
  using range = std::pair<int, int>;
  for (auto& [text, wanted] : std::vector<std::pair<std::string, range>>{{"5", {5, 5}},
                                                                         {"5-8", {5, 8}},
                                                                         {"5:8", {5, 8}},
                                                                         {"6-", {6, to_the_end}},
                                                                         {"6:", {6, to_the_end}},
                                                                         {"-4", {1, 4}},
                                                                         {":4", {1, 4}},
                                                                         {"-2:", {7, to_the_end}},
                                                                         {"-3:-2", {6, 7}},
                                                                         {"5:-1", {5, 8}},
                                                                         {":-3", {1, 6}},
                                                                         {"9-12", {9, 12}}}) {
    INFO(text);
    auto got = parse_measures(text, eight);
    REQUIRE(got);
    CHECK(*got == wanted);
  }
  for (auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"-", "is not a range of measures"},
           {":", "is not a range of measures"},
           {"", "is not a range of measures"},
           {"0", "there is no measure 0; Piano has 1 to 8"},
           {"0-", "there is no measure 0; Piano has 1 to 8"},
           {"1-0", "there is no measure 0; Piano has 1 to 8"},
           {"x-", "is not a range of measures"},
           {"5-x", "is not a range of measures"},
           {"1.5", "is not a range of measures"},
           {"--4", "is not a range of measures"},
           {"99999999999", "is not a range of measures"},
           {"8-5", "`8-5` is an empty range"},
           {"-2:-3", "`-2:-3` is an empty range"},
           {":-9", "`:-9` reaches back further than the 8 measures there are"},
           {"-9:", "`-9:` reaches back further than the 8 measures there are"}}) {
    INFO(text);
    auto got = parse_measures(text, eight);
    REQUIRE_FALSE(got);
    CHECK(got.error().first().message.find(said) != std::string::npos);
  }
}

TEST_CASE("every command that takes measures takes open ranges") {
  auto s = with_everything();
  s.type("(score (part :piano (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w)) "
         "(measure (note f4 :w))))");
  auto output = [&](const std::string& line) {
    auto done = run(s, line);
    INFO(line << "\n" << done.output);
    CHECK(done.ok);
    return done.output;
  };
  CHECK(output("score 3-").find("d4") == std::string::npos);
  CHECK(output("score 3-").find("f4") != std::string::npos);
  CHECK(output("score -2").find("d4") != std::string::npos);
  CHECK(output("score -2").find("e4") == std::string::npos);
  CHECK(output("score -1:").find("f4") != std::string::npos);
  CHECK(output("blame 3-").find("measure 4\nbeat 1      f4 :w") != std::string::npos);
  CHECK(output("blame -2").find("measure 3") == std::string::npos);
  CHECK(listed(s, "history --measures 4-").find("f4") != std::string::npos);
  CHECK(listed(s, "history --measures -1").find("d4") != std::string::npos);
}

TEST_CASE("times are given as spans or moments") {
  timestamp now{std::chrono::sys_days{std::chrono::year{2026} / 2 / 1} + std::chrono::hours{12}};
  CHECK(*parse_time("10m", now) == now - std::chrono::minutes{10});
  CHECK(*parse_time("2 hours", now) == now - std::chrono::hours{2});
  CHECK(*parse_time("3d", now) == now - std::chrono::hours{72});
  CHECK(*parse_time("90s", now) == now - std::chrono::seconds{90});
  CHECK(*parse_time("2026-02-01", now) == now - std::chrono::hours{12});
  CHECK(*parse_time("2026-02-01T14:03", now) ==
        now + std::chrono::hours{2} + std::chrono::minutes{3});
  for (auto text : {"", "10", "m", "2026-02-30", "2026-02-01T25:00", "10 fortnights"})
    CHECK_FALSE(parse_time(text, now));
}

TEST_CASE("the default history is the last twenty entries") {
  session_by_hand s;
  for (int i = 0; i < 30; ++i)
    s.happen(committed(s.state, user_message_entry{"m" + std::to_string(i + 1)}, {}, s.now()));
  auto shown = listed(s, "history");
  CHECK(shown.find("[11] [you]: m11") == 0);
  CHECK(listed(s, "history 1:").find("[1] [you]: m1") == 0);
  CHECK(listed(s, "history --grep m30") == "[30] [you]: m30");
}

TEST_CASE("an author is found by name and as the timeline signs") {
  session_by_hand s;
  s.type("(def a 1)");
  s.type("(def b 1)", {"claude", "ipc"});
  s.type("(def c 1)", {"Bob B", "mcp"});
  s.happen(committed(s.state, user_message_entry{"hm"}, {"user", "script"}, s.now()));
  auto found = [&](const std::string& author) {
    auto shown = listed(s, "history --author \"" + author + '"');
    return shown.empty() ? "no matching entries" : shown;
  };
  CHECK(found("you") == "In[1]: (def a 1)\nOut[1]: a\n[4] [you]: hm");
  CHECK(found("user") == found("you"));
  for (auto name : {"claude", "Claude", "claude (ipc)"})
    CHECK(found(name) == "In[2]: (def b 1)   ; claude (ipc)\nOut[2]: b");
  CHECK(found("Bob B (mcp)").find("In[3]") == 0);
  CHECK(found("claude (mcp)") == "no matching entries");
  CHECK(listed(s, "history [2]") == found("claude"));
}

TEST_CASE("who entered a command stands behind it, as behind an evaluation") {
  session_by_hand s;
  command_entry undo;
  undo.text = ":undo 1";
  undo.output = "Undid In[1]: x forgotten\nsecond line";
  s.happen(committed(s.state, undo, {"claude", "ipc"}, s.now()));
  undo.output.clear();
  s.happen(committed(s.state, undo, {"user", "terminal"}, s.now()));
  CHECK(listed(s, "history") ==
        "[1]     :undo 1   ; claude (ipc)\n        Undid In[1]: x forgotten\n        second "
        "line\n[2]     :undo 1");
  CHECK(listed(s, "history --author claude").find("; claude (ipc)") != std::string::npos);
  CHECK(to_text(*s.state.history.at(1), true).find("Command 1: :undo 1   ; claude (ipc)\n") == 0);
}

TEST_CASE("every kind is every kind, whatever else is chosen") {
  session_by_hand s;
  s.type("(def a 1)");
  s.happen(committed(s.state, user_message_entry{"hm"}, {}, s.now()));
  CHECK(listed(s, "history --code") == "In[1]: (def a 1)\nOut[1]: a");
  for (auto line : {"history --all", "history --all --code", "history --code --all --ai"})
    CHECK(listed(s, line) == "In[1]: (def a 1)\nOut[1]: a\n[2] [you]: hm");
  // What is no kind narrows down as it does by itself.
  CHECK(listed(s, "history --all --grep hm") == "[2] [you]: hm");
}

TEST_CASE("a command whose second word is wrong is told which there are") {
  session_by_hand s;
  for (std::string word : {"session", "s"}) {
    auto frob = run(s, word + " frob").output;
    INFO(frob);
    CHECK(frob.find("unknown command `:" + word + " frob`") == 0);
    for (auto second : {"new", "list", "switch", "delete", "export", "reload"})
      CHECK(frob.find(second) != std::string::npos);
    CHECK(run(s, word + " sav").output.find("Did you mean `:" + word + " save`?") !=
          std::string::npos);
    CHECK(run(s, word + " cpoy").output.find("Did you mean `:" + word + " copy`?") !=
          std::string::npos);
    auto help = run(s, "help " + word).output;
    for (auto second : {"session new", "session list", "session delete", "session set"})
      CHECK(help.find(second) != std::string::npos);
  }
}

TEST_CASE("the help of a form is the same wherever it is asked for") {
  session_by_hand s;
  for (auto name : {"transpose", "chord-voicing", "sort", "note"}) {
    auto told = form_help(*find_form(name));
    CHECK(run(s, "help " + std::string{name}).output == told);
    CHECK(run(s, "doc " + std::string{name}).output == told);
  }
  CHECK(run(s, "help transpose").output.find("\n  :steps") != std::string::npos);
}

TEST_CASE("the names of scales and chords can be looked up") {
  session_by_hand s;
  CHECK(run(s, "help scales").output.find(":harmonic-minor") != std::string::npos);
  CHECK(run(s, "help chords").output.find(":dom7") != std::string::npos);
  auto topics = run(s, "help topics").output;
  for (auto topic : {" scales", " chords"})
    CHECK(topics.find(topic) != std::string::npos);
}

TEST_CASE("an option is not taken for a name") {
  session_by_hand s;
  for (auto line : {"session new --yes", "session new Foo --yes", "session rename --archived",
                    "session clone --yes", "session archive --yes", "session switch --archived"}) {
    INFO(line);
    auto outcome = run(s, line);
    CHECK_FALSE(outcome.ok);
    CHECK(outcome.output.find("has no option --") != std::string::npos);
    CHECK(outcome.output.find("quote it") != std::string::npos);
  }
  auto named = [&](const char* line) {
    return std::get<manager_effect>(run(s, line).requested_effect).argument;
  };
  CHECK(named("session new \"--yes\"") == "--yes");
  CHECK(named("session new Sonata -- a sketch") == "Sonata -- a sketch");
  CHECK(named("session new Opus 1--2") == "Opus 1--2");
}

TEST_CASE("a listing in words has no brackets and no signs in front") {
  session_by_hand s;
  s.type("(list 1\n 2)");
  s.type("(nte c4)");
  s.happen(committed(s.state, command_entry{":set", "a\nb"}, {}, s.now()));
  s.happen(committed(s.state, ai_message_entry{"try"}, {"claude", "mcp"}, s.now()));
  s.happen(committed(s.state, user_message_entry{"yes"}, {}, s.now()));
  s.happen(
      committed(s.state, system_entry{"restored", "restored"}, {"fermata", "system"}, s.now()));
  s.happen(committed(s.state, system_entry{"proposal", "claude proposes \u03941: \u03947"},
                     {"fermata", "system"}, s.now()));
  s.happen(committed(s.state, user_message_entry{"\u0394 7, \u03947"}, {}, s.now()));
  auto accessible = run_command("history", s.state, {}, s.clock, {{}, true}).listing;
  REQUIRE(accessible);
  CHECK(accessible->accessible);
  std::string shown;
  for (std::size_t i = 0; i < accessible->size(); ++i)
    shown += (i > 0 ? "\n" : "") + to_text(*accessible->at(i), true);
  CHECK(shown == "In 1: (list 1\n 2)\nOut 1: (1 2)\nIn 2: (nte c4)\nError 2: unknown-form: unknown "
                 "form or function `nte`\nCommand 3: :set\na\nb\nMessage 4 from claude (mcp): "
                 "try\nYou, 5: yes\nSystem, 6: restored\nSystem, 7: claude proposes proposal 1: "
                 "\u03947\nYou, 8: \u0394 7, \u03947");
  s.type("(part :piano (measure (note c4 :w)))");
  auto& last = *s.state.history.at(9);
  CHECK(to_text(last, true).find("\nchanges: ") != std::string::npos);
  CHECK(to_text(last, true).find("\u0394") == std::string::npos);
  CHECK(to_text(last, false).find("\u0394 ") != std::string::npos);
}

TEST_CASE("a range of measures that is wrong is no part that is missing") {
  session_by_hand s;
  s.type("(part :piano (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w)))");
  for (auto& [typed, says] : std::vector<std::pair<std::string, std::string>>{
           {"3-1", "`3-1` is an empty range"},
           {"3:1", "`3:1` is an empty range"},
           {"1,2", "`1,2` is not a range of measures"},
           {"0", "there is no measure 0; Piano has 1 to 3"},
           {"-", "`-` is not a range of measures"},
           {"1.5", "`1.5` is not a range of measures"},
           {"-9:", "`-9:` reaches back further than the 3 measures there are"},
           {"piano 3-1", "`3-1` is an empty range"},
           {"3-1 piano", "`3-1` is an empty range"},
           {"1 2", "unexpected argument `2`"}})
    for (auto how : {"", " --staff", " --summary"}) {
      INFO(typed << how);
      auto outcome = run(s, "score " + typed + how);
      INFO(outcome.output);
      CHECK_FALSE(outcome.ok);
      CHECK(outcome.output.find(says) != std::string::npos);
      CHECK(outcome.output.find("no part") == std::string::npos);
    }
  CHECK(run(s, "score -1").ok);
  // A part may be called by a number all the same.
  s.type("(part \"3-1\" (measure (note c5 :w)))");
  CHECK(run(s, "score 3-1").output.find("c5") != std::string::npos);
}

TEST_CASE("whoever names a part that is not there hears which there are") {
  session_by_hand s;
  for (auto command : {"score viola", "score viola --staff"})
    CHECK(run(s, command).output == "unknown part `viola`\nThe score is empty.");
  auto hears = [&](const std::string& hint) {
    for (auto command : {"score xyzzy", "score xyzzy 1", "score xyzzy --staff", "blame 1 xyzzy"}) {
      INFO(command);
      auto outcome = run(s, command);
      CHECK_FALSE(outcome.ok);
      CHECK(outcome.output == "unknown part `xyzzy`\n" + hint);
    }
  };
  s.type("(part :piano (measure (note c4 :w)))");
  hears("The only part is Piano.");
  s.type("(part :flute (measure (note c5 :w)))");
  s.type("(part :oboe (measure (note c5 :w)))");
  hears("The parts are Piano, Flute and Oboe.");
  auto crowd = std::make_shared<score>(*s.state.score);
  for (int i = 4; i <= 14; ++i) {
    auto p = std::make_shared<part>(*crowd->parts[0]);
    p->id = "P" + std::to_string(i);
    p->name = i == 4 ? "" : i == 5 ? "Flute" : "Voice " + std::to_string(i);
    crowd->parts.push_back(p);
    crowd->part_list.push_back(crowd->parts.size() - 1);
  }
  s.state.score = crowd;
  // Two are called Flute, one has no name: these go by their ids.
  hears("The parts are Piano, P2, Oboe, P4, P5, Voice 6, Voice 7, Voice 8, Voice 9, Voice 10, "
        "Voice 11, Voice 12 and 2 more.");
}

// By hand: were each list held within the next, the fortieth would have 2^40 lines of the first.
TEST_CASE("a list of the timeline does not hold the lists before it") {
  for (std::string_view list : {"history", "history --all", "hist 1:", "history --json"}) {
    session_by_hand s;
    s.type("(note c4 :q)");
    std::size_t longest = 0;
    for (int i = 0; i < 40; ++i) {
      auto outcome = run(s, list);
      REQUIRE(outcome.ok);
      REQUIRE(outcome.listing);
      auto shown = listed(s, list);
      longest = std::max(longest, shown.size());
      command_entry entry;
      entry.text = ':' + std::string{list};
      // As timelines written before have them, every other time.
      entry.output = i % 2 ? shown : outcome.output;
      s.happen(committed(s.state, entry, {}, s.now()));
    }
    INFO(list);
    CHECK(longest < 41 * 200);
    CHECK(run(s, list).output.size() < 80);
  }
}

TEST_CASE("a session and a file to export are told apart as the usage says") {
  struct row {
    std::string_view line, session, file;
    /// All of it may be a name that has a dot: whoever knows the sessions looks for that first.
    std::string_view perhaps;
    bool confirmed = false;
  };
  for (auto& r :
       {row{"session export", "", "", ""},
        row{"session export a.fermata", "", "a.fermata", "a.fermata"},
        row{"session export session-1", "session-1", "", ""},
        row{"s export session-1 a.fermata", "session-1", "a.fermata", "session-1 a.fermata"},
        row{"s export My Sketch usb/sketch", "My Sketch", "usb/sketch", "My Sketch usb/sketch"},
        row{"s export \"Sonata Op.5\"", "", "Sonata Op.5", "Sonata Op.5"},
        row{"s export Sonata Op.5", "Sonata", "Op.5", "Sonata Op.5"},
        row{"s export ~/sketch", "", "~/sketch", "~/sketch"},
        row{"s export -o sketch", "", "sketch", ""},
        row{"s export second -o x.y", "second", "x.y", ""},
        row{"s export a.fermata --yes", "", "a.fermata", "a.fermata", true}}) {
    INFO(r.line);
    session_by_hand s;
    auto outcome = run(s, r.line);
    REQUIRE(outcome.ok);
    auto& requested_effect = std::get<manager_effect>(outcome.requested_effect);
    CHECK(requested_effect.what == manager_effect::what_t::export_to);
    CHECK(requested_effect.perhaps == r.perhaps);
    CHECK(requested_effect.argument == r.session);
    CHECK(requested_effect.file == r.file);
    CHECK(requested_effect.confirmed == r.confirmed);
  }
  auto help = run(session_by_hand{}, "help session export").output;
  CHECK(help.find(" -o FILE") != std::string::npos);
  CHECK(help.find("--o ") == std::string::npos);
  CHECK(help.find("--yes") != std::string::npos);
}

TEST_CASE("a session is called what can be shown in one line") {
  session_by_hand s;
  auto outcome = run(s, "session rename a\x1b[2Jb\u202ec");
  CHECK(outcome.ok);
  CHECK(std::get<manager_effect>(outcome.requested_effect).argument == "a [2Jbc");
  CHECK_FALSE(run(s, "session rename \x07\x07").ok);
}

TEST_CASE("a mistyped command or option never suggests one that replaces or removes work") {
  session_by_hand s;
  // What takes the place of something, removes it, or decides on it for good.
  const std::set<std::string_view> known{
      "accept",          "reject",         "merge",          "import",
      "session archive", "session delete", "session reload", "run"};
  for (auto& row : command_table())
    CHECK(row.destructive == known.contains(row.name));
  CHECK(run(s, "record").output.find("reload") == std::string::npos);
  std::size_t tried = 0;
  for (auto& row : command_table()) {
    auto names = row.aliases;
    names.push_back(row.name);
    for (auto& given : names) {
      const std::string name{given};
      for (auto& mistyped : {name + "x", name.substr(0, name.size() - 1), 'x' + name}) {
        if (find_command(mistyped)) continue;
        auto said = run(s, mistyped).output;
        auto at = said.find("Did you mean `:");
        if (at == std::string::npos) continue;
        auto begin = at + std::string_view{"Did you mean `:"}.size();
        auto suggested = find_command(said.substr(begin, said.find('`', begin) - begin));
        INFO(mistyped << ": " << said);
        REQUIRE(suggested);
        CHECK_FALSE(suggested->destructive);
        ++tried;
      }
    }
    for (auto& option : row.options)
      if (option.destructive)
        CHECK(run(s, std::string{row.name} + " a --" + std::string{option.name} + "x")
                  .output.find("did you mean") == std::string::npos);
  }
  CHECK(tried > 50);
}

}  // namespace fermata::command_test
