#include "core/session/command.hpp"

#include "core/session/command_arguments.hpp"
#include "core/session/entry_text.hpp"
#include "tests/core/session/session_values.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

namespace fermata {

namespace {

command_outcome run(const session_by_hand& s, std::string_view text) {
  return run_command(text, s.state, {}, s.clock);
}

/// A session in which the example of every command works: music, something to take back and to make
/// again, an open proposal, and a branch with a measure of its own.
session_by_hand with_everything() {
  session_by_hand s;
  s.type("(part :piano (measure (note c4 :w)) (measure (note d4 :w)))");
  s.type("(def x 1)");
  auto e = s.run("(note c5 :q)");
  REQUIRE(e);
  s.happen(proposed(s.state, 1, "(note c5 :q)", {"claude", "mcp"}, 1, *e, s.now()));
  auto change = undo_change(s.state, 1);
  REQUIRE(change);
  command_entry undo_entry{":undo", "", true};
  undo_entry.env_change = change->env_change;
  auto t = committed(s.state, undo_entry, {}, s.now());
  t.events.insert(t.events.end(), change->steps.begin(), change->steps.end());
  s.happen(t);
  auto brighter = std::make_shared<score>(*s.state.score);
  auto p = std::make_shared<part>(*brighter->parts[0]);
  auto m = std::make_shared<measure>(*p->measures[0]);
  m->number = "1a";
  p->measures.set(0, m);
  brighter->parts[0] = p;
  s.happen({{branch_made{"sketch", 1, s.now(), diff_snapshots(s.state.score, brighter), {}}}});
  return s;
}

/// An assistant proposes, as number 1, that the score become this.
void propose(session_by_hand& s, const score_ptr& changed) {
  proposal made;
  made.number = 1;
  made.text = "(edit)";
  made.source = {"claude", "mcp"};
  made.delta = diff_snapshots(s.state.score, changed);
  s.happen({{proposal_made{made}}});
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
    CHECK(outcome.ok == (row.name != "hear"));
    CHECK(run(s, "help " + std::string{row.name}).ok);
  }
}

TEST_CASE("the page on commands says what the table says") {
  // With FERMATA_WRITE_DOCS set the page is written instead.
  auto path = std::string{FERMATA_TEST_DATA} + "/../../docs/commands.md";
  if (std::getenv("FERMATA_WRITE_DOCS")) std::ofstream{path} << command_reference();
  std::ifstream page{path};
  std::string text{std::istreambuf_iterator<char>{page}, {}};
  CHECK(text == command_reference());
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
           row{"history 1:2 3:4", "does not take `3:4`"},
           row{"history x", "42, 10:20"},
           row{"history --since yesterday", "10m"},
           row{"history --json=yes", "takes no value"},
           row{"undo 0", "starts at 1"},
           row{"undo", "nothing to take back"},
           row{"session swtich", ":session switch"},
           row{"ai maybe", "off, ask, preview, allow"},
           row{"set dsplay summary", "display"},
           row{"display loud", "musicxml"},
           row{"accept 9", "no proposal 9"},
           row{"score \"Violin", "quote"},
           row{"explain overful-measure", "overfull-measure"},
           row{"help histroy", "history"},
           row{"history 0", "counted from 1"},
           row{"history 7:5", "ends before it begins"},
           row{"history -2:-5", "ends before it begins"},
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
  auto shown = run(s, "history").output;
  CHECK(shown.find("[11] [you]: m11") == 0);
  CHECK(run(s, "history 1:").output.find("[1] [you]: m1") == 0);
  CHECK(run(s, "history --grep m30").output == "[30] [you]: m30");
}

TEST_CASE("`:ai off` stops everybody, whatever was said of single clients") {
  session_by_hand s;
  auto happen = [&](std::string_view text) { s.happen({run(s, text).events}); };
  happen("ai allow claude");
  CHECK(policy_for(s.state, "claude") == remote_policy::allow);
  CHECK(policy_for(s.state, "other") == remote_policy::ask);
  happen("ai off");
  CHECK(policy_for(s.state, "claude") == remote_policy::deny);
  CHECK(policy_for(s.state, "other") == remote_policy::deny);
}

TEST_CASE("a proposal can be taken in part") {
  session_by_hand s;
  s.type("(part :piano (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w)))");
  auto changed = std::make_shared<score>(*s.state.score);
  auto p = std::make_shared<part>(*changed->parts[0]);
  for (auto i : {std::size_t{0}, std::size_t{2}}) {
    auto m = std::make_shared<measure>(*p->measures[i]);
    m->number += "x";
    p->measures.set(i, m);
  }
  changed->parts[0] = p;
  propose(s, changed);
  auto outcome = run(s, "accept 1 3");
  REQUIRE(outcome.ok);
  REQUIRE(outcome.further);
  auto& entry = std::get<eval_entry>(outcome.further->kind);
  auto after = applied(entry.delta, s.state.score);
  REQUIRE(after);
  CHECK((*after)->parts[0]->measures[0]->number == "1");
  CHECK((*after)->parts[0]->measures[2]->number == "3x");
  CHECK(outcome.further->source.author == "claude");
  CHECK_FALSE(run(s, "accept 1 2").ok);
}

TEST_CASE("a proposal can be taken from one rehearsal mark to the next") {
  session_by_hand s;
  s.type("(part :piano (measure (rehearsal \"A\") (note c4 :w)) (measure (note d4 :w)) "
         "(measure (rehearsal \"B\") (note e4 :w)) (measure (note f4 :w)))");
  auto changed = std::make_shared<score>(*s.state.score);
  auto p = std::make_shared<part>(*changed->parts[0]);
  for (std::size_t i = 0; i < 4; ++i) {
    auto m = std::make_shared<measure>(*p->measures[i]);
    m->number += "x";
    p->measures.set(i, m);
  }
  changed->parts[0] = p;
  propose(s, changed);
  auto outcome = run(s, "accept 1 B");
  REQUIRE(outcome.ok);
  REQUIRE(outcome.further);
  auto after = applied(std::get<eval_entry>(outcome.further->kind).delta, s.state.score);
  REQUIRE(after);
  std::string numbers;
  for (auto& m : (*after)->parts[0]->measures)
    numbers += m->number + ' ';
  CHECK(numbers == "1 2 3x 4x ");
  auto refusal = run(s, "accept 1 C");
  CHECK_FALSE(refusal.ok);
  CHECK(refusal.output.find("rehearsal mark") != std::string::npos);
}

TEST_CASE("of measures that a proposal puts at the end one takes as many as one wants") {
  auto song = [](std::string_view measures) {
    return "(part :piano (measure (note c4 :w)) " + std::string{measures} + ")";
  };
  session_by_hand s, proposed;
  s.type(song("(measure (note d4 :h))"));
  proposed.type(song("(measure (note d4 :h) (note e4 :h)) (measure (note f4 :w)) (measure (note g4 "
                     ":w)) (measure (note a4 :w))"));
  propose(s, proposed.state.score);
  struct row {
    std::string_view line;
    std::size_t measures, notes, left_out;
  };
  for (auto& [line, measures, notes, left_out] :
       {row{"accept 1 2", 2, 3, 3}, row{"accept 1 2-3", 3, 4, 2}, row{"accept 1 1-4", 4, 5, 1},
        row{"accept 1 2-5", 5, 6, 0}, row{"accept 1 2-9", 5, 6, 0}}) {
    INFO(line);
    auto outcome = run(s, line);
    REQUIRE(outcome.ok);
    CHECK(outcome.output.find(std::to_string(left_out) + " left out") != std::string::npos);
    auto after = applied(std::get<eval_entry>(outcome.further->kind).delta, s.state.score);
    REQUIRE(after);
    auto& now = (*after)->parts[0]->measures;
    REQUIRE(now.size() == measures);
    std::size_t count = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      CHECK(*now[i] == *proposed.state.score->parts[0]->measures[i]);
      count += now[i]->items.size();
    }
    CHECK(count == notes + 1);  // and the time signature, which nobody wrote
  }
  for (std::string_view line : {"accept 1 4", "accept 1 4-9", "accept 1 5"}) {
    INFO(line);
    auto refusal = run(s, line);
    CHECK_FALSE(refusal.ok);
    CHECK(refusal.output.find("from 3 on") != std::string::npos);
  }
  CHECK(run(s, "accept 1 1").output.find("nothing is changed") != std::string::npos);
  CHECK(run(s, "accept 1 6-9").output.find("nothing is changed") != std::string::npos);
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
      auto output = outcome.output;
      // Here what the session makes of the entries is as long as what they hold.
      if (auto wish = std::get_if<json_wish>(&outcome.wish))
        for (auto& entry : wish->entries)
          for (auto text : texts_of(*entry))
            output += std::string{text} + '\n';
      longest = std::max(longest, output.size());
      command_entry entry;
      entry.text = ':' + std::string{list};
      entry.output = output;
      s.happen(committed(s.state, entry, {}, s.now()));
    }
    INFO(list);
    CHECK(longest < 41 * 200);
    auto last = std::get<command_entry>(s.state.history.at(41)->kind);
    CHECK(last.output.find("of the timeline)") != std::string::npos);
    // What is looked for in it is not lost: the entry has all that was shown.
    CHECK(std::get<command_entry>(s.state.history.at(2)->kind).output.find("(note c4 :q)") !=
          std::string::npos);
  }
}

TEST_CASE("a session is called what can be shown in one line") {
  session_by_hand s;
  auto outcome = run(s, "session rename a\x1b[2Jb\u202ec");
  CHECK(outcome.ok);
  CHECK(std::get<manager_wish>(outcome.wish).argument == "a [2Jb c");
  CHECK_FALSE(run(s, "session rename \x07\x07").ok);
}

}  // namespace fermata
