#include "core/score/analysis/validate.hpp"
#include "core/score/merge/merge.hpp"
#include "core/score/model/delta.hpp"
#include "core/session/timeline/branch_merging.hpp"
#include "core/session/timeline/branches.hpp"
#include "tests/core/session/two_branches.hpp"

#include <catch2/catch.hpp>

#include <random>

namespace fermata::merging_test {

namespace {

/// Nothing that another program would refuse, the part list among it.
void is_whole(const score& s) {
  for (auto& f : validate(s)) {
    INFO(f.message);
    CHECK(f.level() != severity::error);
    CHECK(f.kind != finding_kind::broken_part_list);
  }
}

}  // namespace

// By hand: each side's edits, one after the other, on paper.
TEST_CASE("measures that came, went or changed on either branch are all there after a merge") {
  struct row {
    std::vector<std::string> alt, main;
    std::string line;
  };
  std::vector<row> rows{
      {{without("1")}, {put("4", "c6")}, "d5 | e5 | c6"},
      {{insert("1", "b5")}, {put("3", "c6")}, "b5 | c5 | d5 | c6 | f5"},
      {{insert("1", "b5")}, {put("1", "c6")}, "b5 | c6 | d5 | e5 | f5"},
      {{put("3", "c6")}, {insert("1", "b5")}, "b5 | c5 | d5 | c6 | f5"},
      {{put("4", "c6")}, {without("1")}, "d5 | e5 | c6"},
      {{put("2", "c6")}, {without("1")}, "c6 | e5 | f5"},
      {{insert("1", "a5")}, {insert("4", "b5")}, "a5 | c5 | d5 | e5 | b5 | f5"},
      {{without("1")}, {without("4")}, "d5 | e5"},
      {{without("1 2")}, {without("2 3")}, "f5"},
      {{insert("3", "g5")}, {put("2", "d6"), put("3", "e6")}, "c5 | d6 | g5 | e6 | f5"},
      {{"(note g5 :w)"}, {put("4", "f6")}, "c5 | d5 | e5 | f6 | g5"},
      {{without("4"), insert("1", "b5")}, {put("2", "d6")}, "b5 | c5 | d6 | e5"},
      {{put("2", "d6")}, {put("2", "d6"), put("1", "c6")}, "c6 | d6 | e5 | f5"},
  };
  for (auto& r : rows) {
    INFO(r.line << "   alt: " << r.alt.front() << "   main: " << r.main.front());
    auto s = parted(r.alt, r.main);
    auto outcome = s.command("merge alt");
    INFO(outcome.output);
    if (r.alt.front() == put("2", "d6") && r.main.size() == 2)
      CHECK_FALSE(outcome.ok);  // nothing that is not here already
    else
      REQUIRE(outcome.ok);
    CHECK(line_of(*s.state.score) == r.line);
    std::vector<std::string> counted;
    for (std::size_t m = 1; m <= s.state.score->parts[0]->measures.size(); ++m)
      counted.push_back(std::to_string(m));
    CHECK(numbers_of(*s.state.score) == counted);
    is_whole(*s.state.score);
    CHECK(s.state.score->parts[0]->measures.front()->items.size() >= 1);
  }
}

TEST_CASE(
    "parts that grew on different branches grow beside each other, like measures before them") {
  for (auto [range, flute] : {std::pair{"", "e4 | f4 | e4 | g4 | a4 | b4"},
                              {" 2-6", "e4 | f4 | e4 | g4 | a4 | b4"},
                              {" 4-6", "e4 | e4 | e4 | g4 | a4 | b4"}}) {
    INFO(range);
    musician s;
    s.type("(score (part :violin (measure (note c4 :w)) (measure (note c4 :w)) (measure (note c4 "
           ":w))) (part :flute (measure (note e4 :w)) (measure (note e4 :w)) (measure (note e4 "
           ":w))))");
    s.must("branch alt");
    s.type("(cursor :part 2 :end)");
    s.type("(note g4 :w) (note a4 :w) (note b4 :w)");
    s.must("switch-branch alt");
    s.type("(cursor :part 1 :end)");
    s.type("(note d4 :w) (note d4 :w) (note d4 :w)");
    s.type("(replace (select :part 2 :measures 2) (measure (note f4 :w)))");
    s.must("switch-branch main");
    s.must("merge alt" + std::string{range});
    CHECK(line_of(*s.state.score, 0) == "c4 | c4 | c4 | d4 | d4 | d4");
    CHECK(line_of(*s.state.score, 1) == flute);
  }
}

TEST_CASE("what both branches changed in different ways is refused, with its numbers on both") {
  struct row {
    std::vector<std::string> alt, main;
    std::string says, line_with_theirs;
  };
  std::vector<row> rows{
      {{put("3", "e6")}, {put("3", "e4")}, "measure 3 changed on both", "c5 | d5 | e6 | f5"},
      {{put("3", "e6")},
       {put("3", "e4"), insert("1", "b5")},
       "measure 4 here and measure 3 of alt",
       "b5 | c5 | d5 | e6 | f5"},
      {{without("3")}, {put("3", "e4")}, "measure 3 changed here, deleted in alt", "c5 | d5 | f5"},
      {{put("3", "e6")}, {without("3")}, "measure 3 of alt changed there", "c5 | d5 | e6 | f5"},
      {{insert("3", "a5")},
       {insert("3", "b5")},
       "measure 3 changed on both",
       "c5 | d5 | a5 | e5 | f5"},
      // The last measure of main stays: nothing is in conflict there.
      {{put("2", "d6")}, {put("2", "d4"), put("4", "f4")}, "measure 2", "c5 | d6 | e5 | f4"},
      {{"(note g5 :w)"}, {"(note a5 :w)"}, "measure 5 changed on both", "c5 | d5 | e5 | f5 | g5"},
  };
  for (auto& r : rows) {
    INFO(r.says);
    auto s = parted(r.alt, r.main);
    s.refuses("merge alt", r.says);
    s.must("merge alt --theirs");
    CHECK(line_of(*s.state.score) == r.line_with_theirs);
    std::vector<std::string> counted;
    for (std::size_t m = 1; m <= s.state.score->parts[0]->measures.size(); ++m)
      counted.push_back(std::to_string(m));
    CHECK(numbers_of(*s.state.score) == counted);
    is_whole(*s.state.score);
  }
}

TEST_CASE("a number names a measure of the other branch, new ones too") {
  auto s = parted({insert("1", "b5"), put("3", "d6")}, {put("4", "f6")});
  s.must("merge alt 1");
  CHECK(line_of(*s.state.score) == "b5 | c5 | d5 | e5 | f6");
  CHECK(numbers_of(*s.state.score) == std::vector<std::string>{"1", "2", "3", "4", "5"});
  s.refuses("merge alt 2", "nothing to merge");
  s.must("merge alt 3");
  CHECK(line_of(*s.state.score) == "b5 | c5 | d6 | e5 | f6");
  s.refuses("merge alt", "measure 5 changed here only");
  // Measures that replaced a different number of them come together.
  auto t = parted({"(replace (measures 2) (measure (note g5 :w)) (measure (note a5 :w)))"}, {});
  t.refuses("merge alt 2", "replaced a different number");
  t.must("merge alt 2-3");
  CHECK(line_of(*t.state.score) == "c5 | g5 | a5 | e5 | f5");
}

TEST_CASE("a merge that was undone can be redone, and so on") {
  auto s = parted({put("2", "g5")}, {});
  for (int round = 0; round < 3; ++round) {
    s.must("merge alt");
    CHECK(line_of(*s.state.score) == "c5 | g5 | e5 | f5");
    s.must("undo");
    CHECK(line_of(*s.state.score) == "c5 | d5 | e5 | f5");
    s.must("redo");
    s.refuses("merge alt", "nothing to merge");
    s.must("undo");
  }
  s.must("merge alt 2");
  // What both have in common now is what came: going on there is no conflict.
  s.must("switch-branch alt");
  s.type(put("2", "a5"));
  s.must("switch-branch main");
  s.must("merge alt");
  CHECK(line_of(*s.state.score) == "c5 | a5 | e5 | f5");
  s.must("undo");
  s.must("merge alt");
  CHECK(line_of(*s.state.score) == "c5 | a5 | e5 | f5");
}

TEST_CASE("parts that came or went on either branch are in the score and in its part list") {
  musician s =
      parted({"(part :flute (measure (note c6 :w)))"}, {"(part :oboe (measure (note a5 :w)))"});
  s.must("merge alt");
  CHECK(s.state.score->parts.size() == 3);
  CHECK(s.state.score->part_list.size() == 3);
  is_whole(*s.state.score);
  auto shown = s.command("score").output;
  for (auto name : {"violin", "flute", "oboe"})
    CHECK(shown.find(name) != std::string::npos);
  s.refuses("merge alt", "nothing to merge");
  // A part that went there goes here; where notes were put into it here that is a conflict.
  auto t = parted({}, {"(part :flute (measure (note c6 :w)))"});
  t.must("branch less");
  t.must("switch-branch less");
  t.type("(delete (select :part \"Flute\"))");
  CHECK(t.state.score->parts.size() == 1);
  t.must("switch-branch main");
  auto went = t.command("merge less");
  CHECK(went.output == "merged the removal of part Flute from less");
  CHECK(t.state.score->parts.size() == 1);
  is_whole(*t.state.score);
  t.must("undo");
  t.type("(replace (select :part \"Flute\" :measures 1) (measure (note d6 :w)))");
  t.command("merge less");
  CHECK(t.state.score->parts.size() >= 1);
  is_whole(*t.state.score);
}

TEST_CASE("a measure that came on the other branch is a rest in parts that only this one has") {
  auto s =
      parted({insert("1", "b5")}, {"(part :flute (measure (note c6 :w)) (measure (note d6 :w)))"});
  s.must("merge alt");
  CHECK(line_of(*s.state.score, 0) == "b5 | c5 | d5 | e5 | f5");
  CHECK(line_of(*s.state.score, 1).starts_with("r | c6 | d6"));
  is_whole(*s.state.score);
}

TEST_CASE("a title that changed on one branch is taken, on both it is a conflict") {
  auto titled = [](musician& s, const std::string& title) {
    auto next = std::make_shared<score>(*s.state.score);
    next->header.movement_title = title;
    eval_entry entry;
    entry.text = "(title)";
    entry.delta = diff_snapshots(s.state.score, next);
    entry.revision_after = s.state.revision + 1;
    s.happen(committed(s.state, entry, {}, s.now()));
  };
  musician s;
  s.type("(part :violin (measure (note c5 :w)))");
  s.must("branch alt");
  s.must("switch-branch alt");
  titled(s, "Dawn");
  s.must("switch-branch main");
  CHECK(s.command("merge alt").output == "merged the title from alt");
  CHECK(s.state.score->header.movement_title == "Dawn");
  s.must("undo");
  titled(s, "Dusk");
  s.refuses("merge alt", "the title changed on both branches");
  s.must("merge alt --theirs");
  CHECK(s.state.score->header.movement_title == "Dawn");
}

// Both sides' edits, one after the other on one score, in either order, are what is right.
TEST_CASE("a merge of changes in different places is both of them, whichever came first") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937 dice{seed};
    session_by_hand base;
    std::string text = "(score (part :violin";
    static const char* steps[] = {"c", "d", "e", "f", "g", "a", "b"};
    constexpr int bars = 14;
    for (int m = 0; m < bars; ++m)
      text += " (measure (note " + std::string{steps[m % 7]} + std::to_string(4 + m / 7) + " :w))";
    base.type(text + ") (part :cello (measure (note c3 :w)) " + [] {
      std::string rests;
      for (int m = 1; m < bars; ++m)
        rests += " (measure (rest :w))";
      return rests;
    }() + "))");
    REQUIRE(base.state.score->parts.size() == 2);
    auto cut = 4 + dice() % 6;  // one side edits up to here, the other behind
    // Edits from the end, so that numbers before still hold.
    auto edits = [&](std::size_t first, std::size_t last, const std::string& octave) {
      std::vector<std::string> all;
      for (auto m = last; m >= first; --m) {
        auto note = std::string{steps[dice() % 7]} + (dice() % 2 ? "#" : "b") + octave;
        switch (dice() % 6) {
          case 0:
            all.push_back("(replace (measures " + std::to_string(m) + ") (measure (note " + note +
                          " :w)))");
            break;
          case 1: all.push_back(insert(std::to_string(m), note)); break;
          case 2: all.push_back(without(std::to_string(m))); break;
          default: break;
        }
      }
      return all;
    };
    auto front = edits(1, cut - 1, "2"), back = edits(cut + 1, bars, "7");
    auto after = [&](std::vector<std::vector<std::string>> lists) {
      auto s = base;
      for (auto& list : lists)
        for (auto& e : list) {
          INFO(e);
          CHECK_FALSE(is_failure(*s.type(e)));
        }
      return s.state.score;
    };
    auto ours = after({front}), theirs = after({back}), both = after({back, front});
    for (auto [x, y] : {std::pair{ours, theirs}, std::pair{theirs, ours}}) {
      auto merged = merge_scores(base.state.score, x, y);
      REQUIRE(merged);
      CHECK(merged->conflicts.empty());
      CHECK(merged->other_conflicts.empty());
      CHECK(line_of(*merged->score, 0) == line_of(*both, 0));
      CHECK(line_of(*merged->score, 1) == line_of(*both, 1));
      CHECK(numbers_of(*merged->score) == numbers_of(*both));
      CHECK(*merged->score == *both);
      is_whole(*merged->score);
    }
    // Nothing new there: nothing happens. Nothing new here: it is as it is there.
    CHECK(*merge_scores(base.state.score, ours, base.state.score)->score == *ours);
    CHECK(*merge_scores(base.state.score, base.state.score, theirs)->score == *theirs);
  }
}

}  // namespace fermata::merging_test
