#include "core/session/timeline/branches.hpp"

#include "core/score/model/content_hash.hpp"
#include "core/score/model/walk.hpp"
#include "core/session/commands/blame.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/timeline/score_text.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

namespace fermata::branches_test {

namespace {

/// Entries 1: four measures c d e f.
musician with_four_measures() {
  musician s;
  s.type("(part :piano (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w)) "
         "(measure (note f4 :w)))");
  REQUIRE(s.state.score->parts.front()->measures.size() == 4);
  return s;
}

/// Puts a measure there, as an edit of the score would.
void write_measure(musician& s, std::size_t index, const std::string& pitch,
                   entry_source source = {}) {
  auto e = s.run("(part :piano (measure (note " + pitch + " :w)))");
  REQUIRE(e);
  auto changed = std::make_shared<score>(*s.state.score);
  auto p = std::make_shared<part>(*changed->parts[0]);
  auto m = std::make_shared<measure>(*p->measures[index]);
  for (auto& item : m->items)
    if (auto x = std::get_if<chord_rest>(&item.content))
      x->notes.front().tone = *parse_pitch(pitch);
  p->measures.set(index, m);
  changed->parts[0] = p;
  eval_entry entry;
  entry.text = "(write " + pitch + ")";
  entry.delta = diff_snapshots(s.state.score, changed);
  entry.revision_before = s.state.revision;
  entry.revision_after = s.state.revision + 1;
  s.happen(committed(s.state, entry, source, s.now()));
}

std::int64_t writer_of(const musician& s, std::size_t index) {
  auto origin = origin_of(s.state, *s.state.score->parts[0], index);
  REQUIRE(origin.notes.size() == 1);
  return origin.notes.front().entry;
}

}  // namespace

TEST_CASE("what I try on a branch leaves the other one as it was, and both are there again") {
  auto s = with_four_measures();
  auto before = s.hash();
  s.must("branch brighter");
  CHECK(s.hash() == before);
  s.must("switch-branch brighter");
  write_measure(s, 1, "d5");
  s.type("(def mood :bright)");
  auto brighter = s.hash();
  CHECK(brighter != before);
  s.must("switch-branch main");
  CHECK(s.hash() == before);
  CHECK_FALSE(s.state.env->bindings.contains("mood"));
  s.must("switch-branch brighter");
  CHECK(s.hash() == brighter);
  CHECK(s.state.env->bindings.contains("mood"));
  // One timeline without a gap.
  for (std::int64_t i = 1; i <= s.state.history.size(); ++i)
    CHECK(s.state.history.at(i)->index == i);
}

TEST_CASE("undo on a branch reverts only its own changes") {
  auto s = with_four_measures();
  auto before = s.hash();
  s.must("branch b");
  s.must("switch-branch b");
  s.refuses("undo", "nothing to undo");
  write_measure(s, 0, "c5");
  s.must("undo");
  CHECK(s.hash() == before);
  s.must("redo");
  s.must("switch-branch main");
  s.must("undo");
  CHECK(s.state.score->parts.empty());
  s.must("switch-branch b");
  CHECK(s.state.score->parts.size() == 1);
  s.must("undo");
  CHECK(s.hash() == before);
}

TEST_CASE("a branch can begin where things stood after an earlier entry, also of another branch") {
  auto s = with_four_measures();
  std::vector<std::uint64_t> hashes{0, s.hash()};  // by entry
  auto remember = [&] {
    hashes.resize(static_cast<std::size_t>(s.state.history.size()) + 1, s.hash());
  };
  write_measure(s, 0, "a4");
  remember();
  s.must("branch x from 1");
  remember();
  s.must("switch-branch x");
  CHECK(s.hash() == hashes[1]);
  remember();
  write_measure(s, 2, "b4");
  remember();
  s.must("undo");
  remember();
  s.must("switch-branch main");
  remember();
  CHECK(s.hash() == hashes[2]);
  for (std::int64_t i = 1; i <= s.state.history.size(); ++i) {
    auto past = state_after(s.state, i);
    REQUIRE(past);
    if (static_cast<std::size_t>(i) < hashes.size())
      CHECK(content_hash(*past->score) == hashes[static_cast<std::size_t>(i)]);
  }
  // Entry 5 was written on x.
  s.must("branch y from In[5]");
  CHECK(find_branch(s.state, "y")->parent == "x");
  s.must("switch-branch y");
  CHECK(s.measure(3).find("b4") != std::string::npos);
  s.must("branch before-all from 0");
  s.must("switch-branch before-all");
  CHECK(s.state.score->parts.empty());
}

TEST_CASE("a measure that only the other branch changed is taken, as one step to take back") {
  auto s = with_four_measures();
  s.must("branch b");
  s.must("switch-branch b");
  write_measure(s, 1, "d5");
  write_measure(s, 2, "e5");
  s.must("switch-branch main");
  write_measure(s, 3, "f5");
  auto before = s.hash();
  s.must("merge b 2");
  CHECK(s.measure(2).find("d5") != std::string::npos);
  CHECK(s.measure(3).find("e4") != std::string::npos);
  CHECK(s.measure(4).find("f5") != std::string::npos);
  s.must("undo");
  CHECK(s.hash() == before);
  s.must("redo");
  s.must("merge b");
  CHECK(s.measure(3).find("e5") != std::string::npos);
  CHECK(s.measure(4).find("f5") != std::string::npos);
  s.refuses("merge b", "nothing to merge");
}

TEST_CASE("a measure that changed on both sides is a conflict, unless theirs is asked for") {
  auto s = with_four_measures();
  s.must("branch b");
  s.must("switch-branch b");
  write_measure(s, 1, "d5");
  s.must("switch-branch main");
  write_measure(s, 1, "d3");
  s.refuses("merge b 1-4", "measure 2 changed on both branches");
  s.must("merge b 2 --theirs");
  CHECK(s.measure(2).find("d5") != std::string::npos);
  // Now they have it in common: what the other one does next is no conflict.
  s.must("switch-branch b");
  write_measure(s, 1, "a5");
  s.must("switch-branch main");
  s.must("merge b 2");
  CHECK(s.measure(2).find("a5") != std::string::npos);
}

TEST_CASE("each command that is advised for measures in conflict can be typed") {
  auto s = with_four_measures();
  s.must("branch b");
  s.must("switch-branch b");
  for (std::size_t m : {0, 2, 3})
    write_measure(s, m, "d5");
  s.must("switch-branch main");
  for (std::size_t m : {0, 2, 3})
    write_measure(s, m, "d3");
  s.refuses("merge b", "measures 1, 3-4 changed on both branches");
  s.refuses("merge b", "`:merge b 1 --theirs` and `:merge b 3-4 --theirs` take them");
  s.must("merge b 1 --theirs");
  s.must("merge b 3-4 --theirs");
  for (std::size_t m : {1, 3, 4})
    CHECK(s.measure(m).find("d5") != std::string::npos);
}

// The marks stand at measures 1 and 3, so that A is 1-2 and B is 3-4.
TEST_CASE("a rehearsal mark says which measures of a branch are taken") {
  musician s;
  s.type("(part :piano (measure (rehearsal \"A\") (note c4 :w)) (measure (note d4 :w)) "
         "(measure (rehearsal \"B\") (note e4 :w)) (measure (note f4 :w)))");
  s.must("branch b");
  s.must("switch-branch b");
  write_measure(s, 1, "d5");
  write_measure(s, 2, "e5");
  write_measure(s, 3, "f5");
  s.type("(measure (rehearsal \"Coda\") (note g5 :w))");
  s.must("switch-branch main");
  s.refuses("merge b C", "rehearsal mark");
  s.must("merge b B");
  CHECK(s.measure(2).find("d4") != std::string::npos);
  CHECK(s.measure(3).find("e5") != std::string::npos);
  CHECK(s.measure(4).find("f5") != std::string::npos);
  CHECK(s.state.score->parts.front()->measures.size() == 4);
  s.must("merge b a");  // in small letters too
  CHECK(s.measure(2).find("d5") != std::string::npos);
  // A mark that only the other branch has.
  s.must("merge b Coda");
  REQUIRE(s.state.score->parts.front()->measures.size() == 5);
  CHECK(s.measure(5).find("g5") != std::string::npos);
}

TEST_CASE("measures merged from a branch fit between those that stay") {
  musician s;
  auto bars = [](const std::string& second, const std::string& third) {
    return "(score (part :piano (measure (key c major) (note c4 :w)) (measure " + second +
           ") (measure " + third + ") (measure (note f4 :w))))";
  };
  s.type(bars("(note d4 :w)", "(note e4 :w)"));
  s.must("branch b");
  s.must("switch-branch b");
  s.type(bars("(key d major) (note d5 :w :slur start)", "(note e5 :w :slur stop)"));
  s.must("switch-branch main");
  auto in_force = [&](std::size_t m) {
    return state_at(*s.state.score->parts[0], m, {}).key_or_default().fifths;
  };
  auto half = s.command("merge b 3");
  REQUIRE(half.ok);
  CHECK(half.output ==
        "merged 1 measure from b\ndropped at the edges: a slur into measure 3\nmeasure 3 begins "
        "with the new key\nmeasure 4 restores the former key");
  CHECK(s.measure(3).find("e5") != std::string::npos);
  CHECK(s.measure(3).find("slur") == std::string::npos);
  CHECK((in_force(1) == 0 && in_force(2) == 2 && in_force(3) == 0));
  // All of it together: the slur is whole, and the key goes on to the end as it does there.
  s.must("undo");
  auto all = s.command("merge b");
  REQUIRE(all.ok);
  CHECK(all.output == "merged 2 measures from b");
  CHECK(content_hash(*s.state.score) == content_hash(*find_branch(s.state, "b")->score));
}

TEST_CASE("a key that was changed here stays when notes come from a branch that has the old one") {
  musician s;
  s.type(
      "(score (part :piano (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w))))");
  s.must("branch b");
  s.must("switch-branch b");
  write_measure(s, 1, "d5");
  s.must("switch-branch main");
  s.type("(score (part :piano (measure (key d major) (note c4 :w)) (measure (note d4 :w)) (measure "
         "(note e4 :w))))");
  auto outcome = s.command("merge b 2");
  REQUIRE(outcome.ok);
  CHECK(outcome.output == "merged 1 measure from b");
  for (std::size_t m : {0, 1, 2})
    CHECK(state_at(*s.state.score->parts[0], m, {}).key_or_default().fifths == 2);
}

TEST_CASE("a part that only the other branch has is taken as a whole, and that is said") {
  auto s = with_four_measures();
  s.must("branch b");
  s.must("switch-branch b");
  s.type("(part :violin (measure (note a5 :w)))");
  s.must("switch-branch main");
  auto outcome = s.command("merge b");
  REQUIRE(outcome.ok);
  CHECK(outcome.output == "merged part Violin from b");
  CHECK(s.state.score->parts.size() == 2);
}

TEST_CASE("two branches of the same one are compared with what they have in common") {
  auto s = with_four_measures();
  s.must("branch left");
  s.must("branch right");
  s.must("switch-branch left");
  write_measure(s, 0, "c5");
  s.must("switch-branch right");
  write_measure(s, 1, "d5");
  s.must("merge left 1-4");
  CHECK(s.measure(1).find("c5") != std::string::npos);
  CHECK(s.measure(2).find("d5") != std::string::npos);
}

TEST_CASE("what is wrong with a branch is said, and nothing changes") {
  auto s = with_four_measures();
  s.must("branch sketch");
  s.refuses("branch sketch", "already");
  s.refuses("branch main", "already");
  s.refuses("branch 12", "not a valid branch name");
  s.refuses("branch a/b", "not a valid branch name");
  s.refuses("branch \"two words\"", "not a valid branch name");
  s.refuses("branch x from", "For example");
  s.refuses("branch x form 1", "For example");
  s.refuses("branch x from one", "invalid entry");
  s.refuses("branch x from 999", "no such entry: 999");
  s.refuses("branch x from -999", "no such entry");
  s.refuses("switch-branch sketsch", "`sketch`");
  s.refuses("switch-branch main", "already");
  s.refuses("merge main 1", "the current branch");
  s.refuses("merge nowhere 1", "unknown branch");
  s.refuses("merge sketch 9", "sketch has the measures 1 to 4");
  s.refuses("merge sketch x", "Write 5, 5-8, 6-, -4");
  s.refuses("merge sketch 1", "nothing to merge");
  s.refuses("diff sketch nowhere", "unknown branch");
  CHECK_FALSE(find_branch(s.state, "x"));
}

TEST_CASE("branches and entries are compared") {
  auto s = with_four_measures();
  s.must("branch b");
  s.must("switch-branch b");
  write_measure(s, 1, "d5");
  s.type("(def x 1)");
  auto shown = s.command("diff main b").output;
  CHECK(shown.find("measure 2") != std::string::npos);
  CHECK(shown.find("- (measure") != std::string::npos);
  CHECK(shown.find("d5") != std::string::npos);
  CHECK(shown.find("(def x 1)") != std::string::npos);
  CHECK(s.command("diff main").ok);
  CHECK(s.command("diff 1 main").output.find("no change") != std::string::npos);
  auto list = s.command("branches").output;
  CHECK(list.find("* b  from main after entry 1") != std::string::npos);
}

TEST_CASE("blame names the writer of each note, whatever was undone or on which branch it was") {
  auto s = with_four_measures();  // 1
  CHECK(writer_of(s, 1) == 1);
  write_measure(s, 1, "d5", {"claude", "mcp"});  // 2
  CHECK(writer_of(s, 1) == 2);
  CHECK(writer_of(s, 0) == 1);
  s.must("undo");  // 3
  CHECK(writer_of(s, 1) == 1);
  s.must("redo");  // 4
  CHECK(writer_of(s, 1) == 2);
  write_measure(s, 1, "d4");  // 5: the same note as at the beginning, written anew
  CHECK(writer_of(s, 1) == 5);
  s.must("undo 2");  // 6
  CHECK(writer_of(s, 1) == 1);
  s.must("branch b");         // 7
  s.must("switch-branch b");  // 8
  write_measure(s, 3, "f5");  // 9
  CHECK(writer_of(s, 3) == 9);
  CHECK(writer_of(s, 1) == 1);
  s.must("switch-branch main");  // 10
  CHECK(writer_of(s, 3) == 1);
  s.must("switch-branch b");  // 11
  CHECK(writer_of(s, 3) == 9);
  auto shown = s.command("blame 4").output;
  CHECK(shown.find("beat 1      f5 :w       staff 1, voice 1  In[9]  you") != std::string::npos);
}

TEST_CASE("a chord is blamed note by note") {
  musician s;
  s.type("(part :piano (measure (note c4 :q) (note e4 :q) (note g4 :h)))");
  auto changed = std::make_shared<score>(*s.state.score);
  auto p = std::make_shared<part>(*changed->parts[0]);
  auto m = std::make_shared<measure>(*p->measures[0]);
  for (auto& item : m->items)
    if (auto x = std::get_if<chord_rest>(&item.content); x && item.at.value == rational{1}) {
      auto third = x->notes.front();
      third.tone = *parse_pitch("g#4");
      x->notes.push_back(third);
      // A mark makes no note another's.
      x->notes.front().stem = "up";
    }
  p->measures.set(0, m);
  changed->parts[0] = p;
  eval_entry entry;
  entry.text = "(thicken)";
  entry.delta = diff_snapshots(s.state.score, changed);
  entry.revision_after = s.state.revision + 1;
  s.happen(committed(s.state, entry, {"claude", "mcp"}, s.now()));
  auto origin = origin_of(s.state, *s.state.score->parts[0], 0);
  REQUIRE(origin.notes.size() == 4);
  std::vector<std::pair<std::string, std::int64_t>> writers;
  for (auto& n : origin.notes)
    writers.emplace_back(n.text, n.entry);
  CHECK(writers == std::vector<std::pair<std::string, std::int64_t>>{
                       {"c4 :q", 1}, {"e4 :q", 1}, {"g#4 :q", 2}, {"g4 :h", 1}});
  auto shown = s.command("blame 1").output;
  CHECK(shown.find("beat 2      g#4 :q      staff 1, voice 1  In[2]  claude (mcp)") !=
        std::string::npos);
}

TEST_CASE("the last ten thousand steps at least can be undone") {
  session_by_hand s;
  for (int i = 0; i < 25'000; ++i) {
    eval_entry entry;
    entry.env_change.key_inference = before_after<bool>{i % 2 == 1, i % 2 == 0};
    s.happen(committed(s.state, entry, {}, s.clock));
    s.journal.clear();
  }
  CHECK(s.state.undo.size() >= 10'000);
  CHECK(s.state.undo.size() < 20'000);
  CHECK(s.state.undo.back() == 25'000);
}

TEST_CASE("what music starts with is set for each session") {
  musician s;
  s.must("session set key d minor");
  s.must("session set time 3/4");
  s.must("session set clef bass");
  s.must("session set part cello");
  s.must("session set tempo 96");
  auto& d = s.state.env->defaults;
  CHECK(d.key.fifths == -1);
  CHECK(to_string(d.time) == "3/4");
  CHECK(name_of(d.clef) == "bass");
  CHECK(d.instrument == "cello");
  CHECK(d.tempo == 96);
  s.type("(note d3 :q)");
  CHECK(s.command("score").output.find("cello") != std::string::npos);
  s.must("session set time common");
  auto shown = s.command("session set").output;
  CHECK(shown.find("key = d-minor") != std::string::npos);
  CHECK(shown.find("tempo = 96") != std::string::npos);
  for (auto wrong : {"key h major", "time 4/0", "time x", "clef violinish", "part kazooo",
                     "tempo 0", "tempo fast", "kye c major"}) {
    INFO(wrong);
    auto before = s.state.env->defaults;
    CHECK_FALSE(s.command(std::string{"session set "} + wrong).ok);
    CHECK(s.state.env->defaults == before);
  }
}

// By hand: nobody but entry 1 ever wrote the note.
TEST_CASE("a part that was undone and redone keeps the writers of its notes") {
  musician s;
  s.type("(note c4 :q)");  // 1
  for (int round = 0; round < 3; ++round) {
    s.must("undo");
    CHECK(s.state.score->parts.empty());
    s.must("redo");
    CHECK(writer_of(s, 0) == 1);
  }
  s.must("branch b");
  auto second = s.type("(note d4 :q)")->index;
  s.must("switch-branch b");
  CHECK(writer_of(s, 0) == 1);
  s.must("switch-branch main");
  // The part goes altogether, by another's hand, and comes back.
  eval_entry entry;
  entry.text = "(score)";
  entry.delta = diff_snapshots(s.state.score, empty_score());
  entry.revision_before = s.state.revision;
  entry.revision_after = s.state.revision + 1;
  auto t = committed(s.state, entry, {"claude", "mcp"}, s.now());
  t.events.push_back(step_made{});
  s.happen(t);
  CHECK(s.state.score->parts.empty());
  s.must("undo");
  auto origin = origin_of(s.state, *s.state.score->parts[0], 0);
  REQUIRE(origin.notes.size() == 2);
  CHECK(origin.notes[0].entry == 1);
  CHECK(origin.notes[1].entry == second);
}

TEST_CASE("after a part was undone, notes in a new one are those of the new entry") {
  musician s;
  s.type("(note c4 :q)");  // 1
  s.must("undo");          // 2
  auto again = s.type("(note c4 :q)");
  CHECK(writer_of(s, 0) == again->index);
}

TEST_CASE("who hears the list of branches, and what differs, hears words for the signs") {
  musician s;
  s.type("(part :flute (measure (note c4 :w)))");
  s.type("(def x 1)");
  s.must("branch b");
  s.must("switch-branch b");
  s.type("(replace (measures 1) (measure (note d4 :w)))");
  s.type("(def x 2)");
  auto heard = [&](const char* line) {
    return run_command(line, s.state, {}, s.now(), {{}, true}).output;
  };
  auto list = heard("branches");
  CHECK(list.find("main  ") == 0);
  CHECK(list.find("\ncurrent: b  from main") != std::string::npos);
  CHECK(s.command("branches").output.find("\n* b  from main") != std::string::npos);
  auto diff = heard("diff main b");
  CHECK(diff.find("\nremoved: (measure ") < diff.find("(note c4 :w)"));
  CHECK(diff.find("\nadded: (measure ") < diff.find("(note d4 :w)"));
  CHECK(diff.find("\nremoved: (def x 1)\nadded: (def x 2)") != std::string::npos);
  auto seen = s.command("diff main b").output;
  CHECK(seen.find("\n- (measure ") < seen.find("(note c4 :w)"));
  CHECK(seen.find("\n+ (measure ") < seen.find("(note d4 :w)"));
  CHECK(seen.find("\n- (def x 1)\n+ (def x 2)") != std::string::npos);
}

}  // namespace fermata::branches_test
