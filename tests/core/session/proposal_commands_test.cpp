#include "core/session/commands/command.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

// What clients propose and may do, as the musician commands it.

namespace fermata::proposal_commands_test {

namespace {

command_outcome outcome_of(const session_by_hand& s, std::string_view text) {
  return run_command(text, s.state, {}, s.clock);
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

TEST_CASE("`:ai off` stops everybody, whatever was said of single clients") {
  session_by_hand s;
  auto happen = [&](std::string_view text) { s.happen({outcome_of(s, text).events}); };
  happen("ai allow claude");
  CHECK(policy_for(s.state, "claude") == remote_policy::allow);
  CHECK(policy_for(s.state, "other") == remote_policy::ask);
  happen("ai off");
  CHECK(policy_for(s.state, "claude") == remote_policy::deny);
  CHECK(policy_for(s.state, "other") == remote_policy::deny);
}

// By hand: a rule for one client is kept while all are stopped, but a permission does not return.
TEST_CASE("what was said of one client holds again once clients are no longer off") {
  using p = remote_policy;
  struct row {
    std::vector<std::string_view> lines;
    p claude;
  };
  for (auto& [lines, claude] : {
           row{{"ai off claude", "ai off", "ai allow"}, p::deny},
           row{{"ai off claude", "ai off", "ai ask"}, p::deny},
           row{{"ai off claude", "ai off", "ai off", "ai allow"}, p::deny},
           row{{"ai preview claude", "ai off", "ai allow"}, p::preview},
           row{{"ai ask claude", "ai off", "ai allow"}, p::ask},
           row{{"ai ask claude", "ai off"}, p::deny},
           row{{"ai allow claude", "ai off", "ai ask"}, p::ask},
           row{{"ai off claude", "ai allow"}, p::deny},
           row{{"ai off", "ai allow claude"}, p::allow},
           row{{"ai off claude", "ai off", "ai allow claude", "ai ask"}, p::allow},
           row{{"ai allow claude", "ai off claude", "ai off", "ai allow"}, p::deny},
           row{{"ai off claude", "ai off", "ai allow", "ai off", "ai allow"}, p::deny},
           // Taken back, it holds no more: neither now nor later.
           row{{"ai preview claude", "ai default claude"}, p::ask},
           row{{"ai allow", "ai preview claude", "ai default claude"}, p::allow},
           row{{"ai off claude", "ai off", "ai default claude"}, p::deny},
           row{{"ai off claude", "ai off", "ai default claude", "ai allow"}, p::allow},
           row{{"ai off", "ai allow claude", "ai default claude"}, p::deny},
           row{{"ai allow", "ai default other"}, p::allow},
           row{{"ai allow", "ai default"}, p::ask},
           row{{"ai off claude", "ai default"}, p::deny},
       }) {
    session_by_hand s;
    std::string typed;
    for (auto line : lines) {
      s.happen({outcome_of(s, line).events});
      typed += std::string{line} + "; ";
    }
    INFO(typed);
    CHECK(policy_for(s.state, "claude") == claude);
  }
}

TEST_CASE("the rules for clients are told in the words in which they are given") {
  session_by_hand s;
  s.type("(note c4 :q)", {"claude", "mcp"});
  auto happen = [&](std::string_view text) {
    auto outcome = outcome_of(s, text);
    s.happen({outcome.events});
    return outcome.output;
  };
  CHECK(happen("ai off claude") == "claude: evaluations are refused; previews still work");
  CHECK(happen("ai off \"claude (mcp)\"") ==
        "claude: evaluations are refused; previews still work");
  // Nobody of that name was here.
  CHECK(happen("ai off cluade")
            .find("no client named `cluade` has connected yet; did you mean `claude`?") !=
        std::string::npos);
  CHECK(happen("ai").find("\nclaude: off, evaluations are refused") != std::string::npos);
  CHECK(happen("ai off").find("claude: off, like all clients; off again") != std::string::npos);
  CHECK(outcome_of(s, "ai").output.find("clients: off, evaluations are refused") == 0);
  // Whoever lets all in is told who stays out.
  CHECK(happen("ai allow").find("\nclaude: off, evaluations are refused") != std::string::npos);
  CHECK(outcome_of(s, "ai").output.find("deny") == std::string::npos);
}

TEST_CASE("what was said of one client is undone alone, and I am told what holds now") {
  session_by_hand s;
  auto happen = [&](std::string_view text) {
    auto outcome = outcome_of(s, text);
    s.happen({outcome.events});
    CHECK(outcome.ok);
    return outcome.output;
  };
  happen("ai preview claude");
  happen("ai allow other");
  CHECK(happen("ai default claude") ==
        "claude: same rule as for all clients, evaluations become proposals for you to accept");
  CHECK(happen("ai").find("claude") == std::string::npos);
  CHECK(happen("ai").find("other: allow") != std::string::npos);
  CHECK(happen("ai default claude").find("claude has no rule of its own") == 0);
  CHECK(outcome_of(s, "ai sometimes").output.find("default") != std::string::npos);
}

TEST_CASE("who stops clients in one session is told in which others they go on") {
  session_by_hand here;
  auto other = [](std::string slug, const std::vector<std::string_view>& rules) {
    session_by_hand s;
    s.state.meta.slug = std::move(slug);
    for (auto rule : rules)
      s.happen({outcome_of(s, rule).events});
    return std::make_shared<const session_state>(s.state);
  };
  auto elsewhere = std::make_shared<session_state>(*other("elsewhere", {"ai allow"}));
  elsewhere->written_by = "process 12";
  auto stopped = other("stopped", {"ai off"});
  struct row {
    std::string_view line;
    std::vector<session_snapshot> others;
    std::string said;  // behind the meaning of the rule; empty: nothing
  };
  for (auto& [line, others, said] : {
           row{"ai off", {}, ""},
           row{"ai off", {stopped, elsewhere}, ""},
           row{"ai allow", {other("etude", {"ai allow"})}, ""},
           row{"ai off",
               {other("etude", {"ai allow"}), other("fugue", {}), stopped},
               "\nThis applies to this session only. In other open sessions clients may still act: "
               "etude (allow), fugue (ask)\n`:session switch etude`, then `:ai off` stops them "
               "there"},
           row{"ai off",
               {other("etude", {"ai off", "ai allow claude"})},
               "\nThis applies to this session only. In other open sessions clients may still act: "
               "etude (claude: allow)\n`:session switch etude`, then `:ai off` stops them there"},
           row{"ai off claude",
               {other("etude", {"ai allow", "ai off claude"}),
                other("fugue", {"ai preview claude"})},
               "\nThis applies to this session only. In other open sessions claude may still act: "
               "fugue (preview)\n`:session switch fugue`, then `:ai off claude` stops them there"},
       }) {
    auto outcome = run_command(line, here.state, {}, here.clock, {}, [&] { return others; });
    INFO(outcome.output);
    auto at = outcome.output.find("\nThis applies");
    CHECK((at == std::string::npos ? "" : outcome.output.substr(at)) == said);
  }
}

TEST_CASE("a list of proposals has a line for each, however many lines one has") {
  session_by_hand s;
  for (std::string text : {"(note c4 :q)", "\n; why\n(do\n  (note c4 :q)\n  (note d4 :q))\n",
                           "(note e4 :q)  \n", "(do\r\n(note c4 :q))"}) {
    proposal made;
    made.number = s.state.next_proposal;
    made.text = text;
    made.source = {"claude", "mcp"};
    s.happen({{proposal_made{made}}});
  }
  auto listed = outcome_of(s, "proposals").output;
  INFO(listed);
  CHECK(std::count(listed.begin(), listed.end(), '\n') == 3);
  for (auto shown :
       {"open  (note c4 :q)  ", "open  ; why ...  ", "open  (note e4 :q)  ", "open  (do ...  "})
    CHECK(listed.find(shown) != std::string::npos);
}

TEST_CASE("a proposal can be taken in part") {
  session_by_hand s;
  s.type("(part :piano (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w)))");
  auto changed = std::make_shared<score>(*s.state.score);
  auto p = std::make_shared<part>(*changed->parts[0]);
  for (auto i : {std::size_t{0}, std::size_t{2}}) {
    auto m = std::make_shared<measure>(*p->measures[i]);
    m->padded_to = measure_position{4};
    p->measures.set(i, m);
  }
  changed->parts[0] = p;
  propose(s, changed);
  auto outcome = outcome_of(s, "accept 1 3");
  REQUIRE(outcome.ok);
  REQUIRE(outcome.further);
  auto& entry = std::get<eval_entry>(outcome.further->kind);
  auto after = applied(entry.delta, s.state.score);
  REQUIRE(after);
  CHECK((*after)->parts[0]->measures[0]->padded_to == measure_position{});
  CHECK((*after)->parts[0]->measures[2]->padded_to == measure_position{4});
  CHECK(outcome.further->source.author == "claude");
  CHECK_FALSE(outcome_of(s, "accept 1 2").ok);
}

TEST_CASE("parts that a proposal adds or takes away come whole, and that is said") {
  session_by_hand s;
  s.type("(part :piano (measure (note c4 :w)) (measure (note d4 :w)))");
  auto proposes = [&](const std::string& text) {
    auto e = s.run(text);
    REQUIRE(e);
    auto number = s.state.next_proposal;
    s.happen(proposed(s.state, number, text, {"claude", "mcp"}, s.state.revision, *e, s.now()));
    return std::to_string(number);
  };
  auto one = proposes("(part :flute (measure (note c5 :w)))");
  auto refusal = outcome_of(s, "accept " + one + " 1");
  CHECK_FALSE(refusal.ok);
  CHECK(refusal.output == "\u0394" + one +
                              " adds part Flute; parts are added or removed as a whole\n`:accept " +
                              one + "` accepts all of it.");
  auto two = proposes("(replace (select :part \"Piano\" :measures 2) (measure (note e4 :w))) "
                      "(part :flute (measure (note c5 :w)))");
  CHECK(outcome_of(s, "accept " + two + " 1").output ==
        "nothing changes in these measures; \u0394" + two +
            " adds part Flute; parts are added or removed as a whole\n`:accept " + two +
            "` accepts all of it.");
  auto partly = outcome_of(s, "accept " + two + " 2");
  CHECK(partly.ok);
  CHECK(partly.output.find(
            "Not accepted, because parts are added or removed as a whole: adds part Flute") !=
        std::string::npos);
  s.type("(part :flute (measure (note c5 :w)))");
  auto three = proposes("(delete (select :part \"Flute\"))");
  CHECK(outcome_of(s, "accept " + three + " 1")
            .output.find("removes part Flute; parts are added or removed") != std::string::npos);
  CHECK(outcome_of(s, "accept " + three).ok);
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
  auto outcome = outcome_of(s, "accept 1 B");
  REQUIRE(outcome.ok);
  REQUIRE(outcome.further);
  auto after = applied(std::get<eval_entry>(outcome.further->kind).delta, s.state.score);
  REQUIRE(after);
  std::string numbers;
  for (auto& m : (*after)->parts[0]->measures)
    numbers += m->number + ' ';
  CHECK(numbers == "1 2 3x 4x ");
  auto refusal = outcome_of(s, "accept 1 C");
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
    auto outcome = outcome_of(s, line);
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
    auto refusal = outcome_of(s, line);
    CHECK_FALSE(refusal.ok);
    CHECK(refusal.output.find("from 3 on") != std::string::npos);
  }
  CHECK(outcome_of(s, "accept 1 1").output.find("nothing changes") != std::string::npos);
  CHECK(outcome_of(s, "accept 1 6-9").output.find("nothing changes") != std::string::npos);
}

namespace {

/// What a proposal may change that is in no measure.
using change_beside = void (*)(score&, part&, proposal&);

void define(score&, part&, proposal& made) {
  made.env_change.bindings.push_back({"motif", std::nullopt, binding{}});
}
void forget(score&, part&, proposal& made) {
  made.env_change.bindings.push_back({"tune", binding{}, std::nullopt});
}
void give_title(score& s, part&, proposal&) { s.header.work_title = "Song"; }
void name_part(score&, part& p, proposal&) { p.name = "Klavier"; }
void set_defaults(score&, part&, proposal& made) {
  made.env_change.defaults = before_after<score_defaults>{};
}
void leave_it(score&, part&, proposal&) {}

}  // namespace

TEST_CASE("what of a proposal is in no measure is not taken with some, and that is said") {
  session_by_hand s;
  s.type("(part :piano (measure (note c4 :w)) (measure (note d4 :w)))");
  s.type("(def tune 7)");
  struct row {
    change_beside change;
    std::string said;
  };
  std::vector<row> rows{{define, "the definition of motif"},
                        {forget, "the removal of tune"},
                        {give_title, "titles and credits"},
                        {name_part, "name, instruments or layout of part Klavier"},
                        {set_defaults, "the session's defaults"},
                        {leave_it, ""}};
  for (auto& r : rows) {
    INFO(r.said);
    auto changed = std::make_shared<score>(*s.state.score);
    auto p = std::make_shared<part>(*changed->parts[0]);
    auto m = std::make_shared<measure>(*p->measures[1]);
    m->padded_to = measure_position{4};
    p->measures.set(1, m);
    proposal made;
    r.change(*changed, *p, made);
    changed->parts[0] = p;
    for (auto& x : made.env_change.bindings)
      if (x.before) x.before = s.state.env->bindings.at(x.name);
    made.number = 1;
    made.text = "(edit)";
    made.delta = diff_snapshots(s.state.score, changed);
    auto with_proposal = s;
    with_proposal.happen({{proposal_made{made}}});
    auto outcome = outcome_of(with_proposal, "accept 1 2");
    INFO(outcome.output);
    REQUIRE(outcome.ok);
    CHECK(outcome.output.find("1 measure accepted, 0 left out") != std::string::npos);
    if (r.said.empty())
      CHECK(outcome.output.find("Not accepted, because") == std::string::npos);
    else
      CHECK(outcome.output.find("Not accepted, because it belongs to no measure: " + r.said) !=
            std::string::npos);
  }
}

}  // namespace fermata::proposal_commands_test
