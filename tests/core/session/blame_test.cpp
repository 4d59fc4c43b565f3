#include "core/session/commands/blame.hpp"

#include "core/session/commands/command.hpp"
#include "core/session/timeline/step_report.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>

namespace fermata::blame_test {

namespace {

/// The writer of the only note of each measure of a part.
std::vector<std::int64_t> writers(const musician& s, std::size_t part = 0) {
  std::vector<std::int64_t> all;
  auto& p = *s.state.score->parts[part];
  for (std::size_t m = 0; m < p.measures.size(); ++m) {
    auto origin = origin_of(s.state, p, m);
    all.push_back(origin.notes.empty() ? -1 : origin.notes[0].entry);
  }
  return all;
}

musician with_three_measures() {
  musician s;
  s.type("(part :violin (measure (note c5 :w)) (measure (note d5 :w)) (measure (note e5 :w)))");
  return s;
}

using entries = std::vector<std::int64_t>;

}  // namespace

// By hand: entry 1 wrote c5, d5, e5, entry 2 the new measure.
TEST_CASE("who wrote the measures behind one that came or went is still known") {
  for (auto m : {1, 2, 3}) {
    INFO(m);
    auto s = with_three_measures();
    s.type("(insert-measure (measures " + std::to_string(m) + ") (measure (note b5 :w)))");
    entries expected{1, 1, 1};
    expected.insert(expected.begin() + m - 1, 2);
    CHECK(writers(s) == expected);
    s.must("undo");
    CHECK(writers(s) == entries{1, 1, 1});
    s.must("redo");
    CHECK(writers(s) == expected);
  }
  for (auto m : {1, 2, 3}) {
    INFO(m);
    auto s = with_three_measures();
    s.type("(delete (measures " + std::to_string(m) + "))");
    CHECK(writers(s) == entries{1, 1});
    s.must("undo");
    CHECK(writers(s) == entries{1, 1, 1});
  }
}

TEST_CASE("which steps were moved is read from what undo and redo say, and from nothing else") {
  using steps = std::vector<std::int64_t>;
  for (auto way : {step_way::back, step_way::forth})
    for (auto& entries :
         {steps{5}, steps{12, 7}, steps{2, 3, 1'000'000}, steps{1, 2, 3}, steps{3, 2, 1},
          steps{9, 8, 7, 5, 4, 2, 1}, steps{1, 2, 4, 5, 6, 7, 9}, steps{4, 4, 4}})
      for (auto accessible : {false, true}) {
        moved_steps moved{way, entries};
        CHECK(read_moved_steps(to_text(moved, accessible) + ": 1 note added") == moved);
        CHECK(read_moved_steps(to_text(moved, accessible) + ": In[3]: no change") == moved);
      }
  // As earlier versions wrote it.
  CHECK(read_moved_steps("took back In[7]: x forgotten") == moved_steps{step_way::back, {7}});
  CHECK(read_moved_steps("made again In[7]: x defined") == moved_steps{step_way::forth, {7}});
  for (auto text :
       {"", "Undid", "Undid :", "Undid In[5]", "Undid In[5: x", "Undid In[5],: x", "Redid 5: x",
        "nothing to undo", "Undid In[99999999999999999999]: x", "Undid In[0]: x",
        "Undid In[2] to In[9]: x", "Redid In[9] to In[2]: x", "Undid In[9] to : x",
        "Undid In[9] to In[7] to In[5]: x", "Undid In[9000000000000000000] to In[1]: x"}) {
    INFO(text);
    CHECK_FALSE(read_moved_steps(text));
  }
  // What the commands themselves say.
  for (auto accessible : {false, true}) {
    auto s = with_three_measures();
    s.type("(note f5 :w)");
    s.type("(note g5 :w)");
    auto say = [&](const char* line) {
      return run_command(line, s.state, {}, s.now(), {{}, accessible}).output;
    };
    CHECK(read_moved_steps(say("undo 2")) == moved_steps{step_way::back, {3, 2}});
    CHECK(read_moved_steps(say("u 9")) == moved_steps{step_way::back, {3, 2, 1}});
    s.must("undo 2");
    CHECK(read_moved_steps(say("redo 2")) == moved_steps{step_way::forth, {2, 3}});
    CHECK_FALSE(read_moved_steps(say("redo 0")));
  }
}

TEST_CASE("steps that follow each other are told as a range") {
  using steps = std::vector<std::int64_t>;
  struct row {
    step_way way;
    steps entries;
    const char *signs, *words;
  };
  for (auto& r :
       {row{step_way::back, {9, 8, 7}, "Undid In[9] to In[7]", "Undid In 9 to In 7"},
        row{step_way::forth, {7, 8, 9}, "Redid In[7] to In[9]", "Redid In 7 to In 9"},
        row{step_way::back, {9, 8}, "Undid In[9], In[8]", "Undid In 9, In 8"},
        row{step_way::back,
            {12, 9, 8, 7, 5, 4},
            "Undid In[12], In[9] to In[7], In[5], In[4]",
            "Undid In 12, In 9 to In 7, In 5, In 4"},
        row{step_way::back, {7, 8, 9}, "Undid In[7], In[8], In[9]", "Undid In 7, In 8, In 9"}}) {
    CHECK(to_text({r.way, r.entries}, false) == r.signs);
    CHECK(to_text({r.way, r.entries}, true) == r.words);
  }
}

TEST_CASE("who wrote a measure is known behind many steps that were undone and redone") {
  musician s;
  for (auto note : {"c4", "d4", "e4", "f4", "g4"})
    s.type("(note " + std::string{note} + " :w)");
  CHECK(s.command("undo 4").output.find("Undid In[5] to In[2]: ") == 0);
  CHECK(s.command("redo 4").output.find("Redid In[2] to In[5]: ") == 0);
  CHECK(s.command("blame 4").output.find("In[4]  ") != std::string::npos);
}

// By hand: 30 entries change the measure after the first; the list names the newest ten.
TEST_CASE("what blame tells does not grow with the entries that it tells of") {
  auto s = with_three_measures();
  for (int i = 0; i < 30; ++i)
    s.type("(replace (measures 1) (measure (note " + std::string{i % 2 == 0 ? "a" : "b"} +
           "5 :w))) ; " + std::string(500, 'x'));
  auto said = s.command("blame 1").output;
  INFO(said);
  CHECK(said.find("In[31]") != std::string::npos);
  CHECK(said.find("In[22]: (replace (measures 1)") != std::string::npos);
  CHECK(said.find("In[21]") == std::string::npos);
  CHECK(said.find("... 21 more; `:history --measures 1` shows them all") != std::string::npos);
  CHECK(said.find(std::string(100, 'x')) == std::string::npos);
  CHECK(said.size() < 2'000);
  // Not within a character.
  auto words = with_three_measures();
  words.type("(replace (measures 1) (measure (note a5 :w)))   ; " + std::string(9, 'x') +
             "\u00fc\u00fc\u00fc");
  CHECK(words.command("blame 1").output.find("xxxxxxxxx") != std::string::npos);
}

TEST_CASE("a part is blamed by its name in capitals or small letters, as it is shown by it") {
  auto s = with_three_measures();
  for (auto name : {"violin", "VIOLIN", "Violin", "P1", "p1"})
    CHECK(s.command("blame 1 " + std::string{name}).ok);
  CHECK_FALSE(s.command("blame 1 viola").ok);
}

TEST_CASE("a part that was not edited keeps its writers when a measure is inserted in all") {
  auto s = with_three_measures();
  s.type("(part :flute (measure (note c6 :w)) (measure (note d6 :w)) (measure (note e6 :w)))");
  s.type("(insert-measure (measures 1) (measure (note b5 :w)))");
  CHECK(writers(s, 0) == entries{3, 1, 1, 1});
  CHECK(writers(s, 1) == entries{-1, 2, 2, 2});
}

// An oracle that knows notes by their pitch, which each writer uses once.
TEST_CASE("after any edits, undone and redone, each note is the one's who wrote it") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    std::mt19937 dice{seed};
    auto s = with_three_measures();
    int fresh = 0;
    auto note = [&] {
      // c, c#, ... with the octave: no two alike.
      static const char* steps[] = {"c",  "c#", "d",  "eb", "e",  "f",
                                    "f#", "g",  "g#", "a",  "bb", "b"};
      auto n = fresh++;
      return std::string{steps[n % 12]} + std::to_string(n / 12 < 4 ? 1 + n / 12 : 2 + n / 12);
    };
    std::map<std::string, std::int64_t> writer;
    auto learn = [&] {
      for (auto& m : s.state.score->parts[0]->measures)
        for (auto& item : std::as_const(m->items))
          if (auto x = std::get_if<chord_rest>(&item.content))
            for (auto& n : x->notes)
              if (auto p = std::get_if<pitch>(&n.tone))
                writer.emplace(to_string(*p), s.state.history.size());
    };
    learn();
    for (int step = 0; step < 18; ++step) {
      auto count = s.state.score->parts[0]->measures.size();
      auto at = std::to_string(1 + dice() % std::max<std::size_t>(count, 1));
      switch (dice() % 6) {
        case 0:
          s.type("(insert-measure (measures " + at + ") (measure (note " + note() + " :w)))");
          break;
        case 1:
          if (count > 2) s.type("(delete (measures " + at + "))");
          break;
        case 2:
          s.type("(replace (measures " + at + ") (measure (note " + note() + " :h) (note " +
                 note() + " :h)))");
          break;
        case 3: s.type("(measure (note " + note() + " :w))"); break;
        case 4:
          if (s.state.undo.size() > 3) s.must("undo " + std::to_string(1 + dice() % 2));
          break;
        default: s.command("redo"); break;
      }
      learn();
      auto& p = *s.state.score->parts[0];
      for (std::size_t m = 0; m < p.measures.size(); ++m)
        for (auto& n : origin_of(s.state, p, m).notes) {
          INFO("step " << step << ", measure " << m + 1 << ", " << n.text);
          CHECK(n.entry == writer[n.text.substr(0, n.text.find(' '))]);
        }
    }
  }
}

TEST_CASE("what was merged is still the writing of who wrote it on the other branch") {
  auto s = with_three_measures();  // 1
  s.must("branch alt");            // 2
  s.must("switch-branch alt");     // 3
  auto theirs = s.type("(replace (measures 2) (measure (note g5 :w)))", {"claude", "mcp"})->index;
  auto new_one = s.type("(insert-measure (measures 1) (measure (note b5 :w)))")->index;
  s.must("switch-branch main");
  s.must("merge alt");
  CHECK(writers(s) == entries{new_one, 1, theirs, 1});
  CHECK(s.command("blame 3").output.find("claude (mcp)") != std::string::npos);
  // Through a second merge too.
  s.must("branch third from 1");
  s.must("switch-branch third");
  s.must("merge main");
  CHECK(writers(s) == entries{new_one, 1, theirs, 1});
}

// By hand: g5 in measure 4 is the one of measure 2 there, whatever stands in measure 4 there.
TEST_CASE("of notes that are alike each is still its writer's when a merge moved them") {
  auto s = with_three_measures();           // 1
  auto f5 = s.type("(note f5 :w)")->index;  // 2
  s.must("branch alt");
  s.must("switch-branch alt");
  auto hers = s.type("(replace (measures 2) (measure (note g5 :w)))", {"claude", "mcp"})->index;
  auto mine = s.type("(replace (measures 4) (measure (note g5 :w)))")->index;
  s.must("switch-branch main");
  auto b5 = s.type("(insert-measure (measures 1) (measure (note b5 :w)))")->index;
  auto a5 = s.type("(insert-measure (measures 1) (measure (note a5 :w)))")->index;
  CHECK(writers(s) == entries{a5, b5, 1, 1, 1, f5});
  s.must("merge alt");
  CHECK(writers(s) == entries{a5, b5, 1, hers, 1, mine});
  s.must("undo");
  s.must("merge alt 2");
  CHECK(writers(s) == entries{a5, b5, 1, hers, 1, f5});
  s.must("merge alt 4");
  CHECK(writers(s) == entries{a5, b5, 1, hers, 1, mine});
}

// By hand: two voices on the upper staff of a piano, the left hand on the lower one.
TEST_CASE("blame names the staff and the voice of each note") {
  musician s;
  s.type("(part :piano (measure (staff 1 (voice 1 (note c5 :w)) (voice 2 (note e4 :w)))"
         " (staff 2 (voice 5 (note c3 :w)))))");
  auto said = s.command("blame 1").output;
  INFO(said);
  CHECK(said.find("c5 :w       staff 1, voice 1") != std::string::npos);
  CHECK(said.find("e4 :w       staff 1, voice 2") != std::string::npos);
  CHECK(said.find("c3 :w       staff 2, voice 5") != std::string::npos);
}

}  // namespace fermata::blame_test
