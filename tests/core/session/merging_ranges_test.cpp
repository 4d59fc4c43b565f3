#include "core/score/merge/alignment.hpp"
#include "core/score/merge/merge.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/score/model/walk.hpp"
#include "core/session/timeline/branches.hpp"
#include "tests/core/session/two_branches.hpp"

#include <catch2/catch.hpp>

#include <random>

// Some measures of another branch. By hand: what stands there takes the place of what stands here,
// and of no music there is more than on either branch.

namespace fermata::merging_ranges_test {

namespace {

std::string piece(const std::string& notes, bool upbeat = false) {
  std::string text = "(part :violin";
  if (upbeat) text += " (measure :pickup (key g :major) (time 4 4) (note g4 :q))";
  for (std::size_t at = 0; at < notes.size();) {
    auto end = std::min(notes.find(' ', at), notes.size());
    text += " (measure (note " + notes.substr(at, end - at) + " :w))";
    at = end + 1;
  }
  return text + ")";
}
const std::string with_upbeat = piece("d5 e5 f5", true);
const std::string scale = piece("c5 d5 e5 f5");
std::string up(const std::string& measures) {
  return "(edit (measures " + measures + ") (fn [m] (transpose M2 m)))";
}
std::string down(const std::string& measures) {
  return "(edit (measures " + measures + ") (fn [m] (transpose -M2 m)))";
}

struct row {
  std::string piece;
  std::vector<std::string> alt, main;
  std::string range, line;
};

void check(const std::vector<row>& rows) {
  for (auto& r : rows) {
    auto s = parted(r.alt, r.main, r.piece);
    INFO(r.piece << "\nalt: " << r.alt.front() << "  :merge alt " << r.range << "\nalt has "
                 << line_of(*find_branch(s.state, "alt")->score));
    auto outcome = s.command("merge alt " + r.range);
    INFO(outcome.output);
    CHECK(outcome.ok);
    CHECK(line_of(*s.state.score) == r.line);
  }
}

}  // namespace

TEST_CASE("measures that were given what their neighbours had are taken in their places") {
  check({
      {with_upbeat, {up("1 2")}, {}, "1-2", "g4 | e5 | f#5 | f5"},
      {with_upbeat, {up("1 2")}, {}, "1", "g4 | e5 | e5 | f5"},
      {with_upbeat, {up("1 2")}, {}, "2", "g4 | d5 | f#5 | f5"},
      {with_upbeat, {up("1 2")}, {}, "0-1", "g4 | e5 | e5 | f5"},
      {with_upbeat, {up("1 2")}, {}, "2-", "g4 | d5 | f#5 | f5"},
      {with_upbeat, {up("1 2")}, {put("3", "g5")}, "1-2", "g4 | e5 | f#5 | g5"},
      {with_upbeat, {down("2 3")}, {}, "2-3", "g4 | d5 | d5 | eb5"},
      {with_upbeat, {down("2 3")}, {}, "2", "g4 | d5 | d5 | f5"},
      {with_upbeat, {down("2 3")}, {}, "3", "g4 | d5 | e5 | eb5"},
      {scale, {up("1 3")}, {}, "1-3", "d5 | e5 | f#5 | f5"},
      {scale, {up("1 3")}, {}, "2", "c5 | e5 | e5 | f5"},
      {scale, {up("1 3")}, {}, "3", "c5 | d5 | f#5 | f5"},
      {scale, {up("1 4")}, {}, "1-2", "d5 | e5 | e5 | f5"},
      {scale, {up("1 4")}, {}, "3-4", "c5 | d5 | f#5 | g5"},
      {scale, {up("2 3")}, {insert("1", "b5")}, "2-3", "b5 | c5 | e5 | f#5 | f5"},
      // A new measure beside them.
      {scale, {up("2 3"), insert("4", "b5")}, {}, "2-3", "c5 | e5 | f#5 | f5"},
      {scale, {up("2 3"), insert("4", "b5")}, {}, "2-4", "c5 | e5 | f#5 | b5 | f5"},
      {scale, {up("2 3"), insert("4", "b5")}, {}, "4", "c5 | d5 | e5 | b5 | f5"},
      // Measures that are alike.
      {piece("c5 c5 c5 d5"), {put("2", "d5")}, {}, "2", "c5 | d5 | c5 | d5"},
      {piece("c5 c5 d5 d5"), {put("1", "d5")}, {}, "1", "d5 | c5 | d5 | d5"},
      {piece("c5 c5 d5 d5"), {put("3", "c5")}, {}, "3-4", "c5 | c5 | c5 | d5"},
      {piece("c5 d5 c5 d5"), {put("1", "d5"), put("2", "c5")}, {}, "2", "c5 | c5 | c5 | d5"},
  });
}

TEST_CASE("what one did to measures that went up a step is in conflict with another's change") {
  auto s = parted({up("1 2")}, {put("2", "b5")}, with_upbeat);
  for (auto line : {"merge alt", "merge alt 1-2", "merge alt 2"})
    s.refuses(line, "measure 2 changed on both branches");
  s.must("merge alt 1");
  CHECK(line_of(*s.state.score) == "g4 | e5 | b5 | f5");
  s.must("merge alt 2 --theirs");
  CHECK(line_of(*s.state.score) == "g4 | e5 | f#5 | f5");
}

TEST_CASE("measures that came and went are taken where they are asked for") {
  auto long_piece = piece("c4 d4 e4 f4 g4 a4 b4 c5 d5 e5 f5 g5");
  std::vector<std::string> moved{without("2"), insert("11", "b5")};
  check({
      {scale, {without("2")}, {}, "1-2", "c5 | e5 | f5"},
      {scale, {without("2")}, {}, "1-3", "c5 | e5 | f5"},
      {scale, {without("1")}, {}, "1", "d5 | e5 | f5"},
      {scale, {without("2"), put("3", "a5")}, {}, "3", "c5 | d5 | e5 | a5"},
      {scale, {insert("2", "b5")}, {}, "2", "c5 | b5 | d5 | e5 | f5"},
      {scale, {insert("2", "b5")}, {}, "1-2", "c5 | b5 | d5 | e5 | f5"},
      {scale, {insert("2", "b5"), put("5", "a5")}, {}, "5", "c5 | d5 | e5 | a5"},
      {long_piece,
       moved,
       {},
       "11",
       "c4 | d4 | e4 | f4 | g4 | a4 | b4 | c5 | d5 | e5 | f5 | b5 | g5"},
      {long_piece, moved, {}, "2-11", "c4 | e4 | f4 | g4 | a4 | b4 | c5 | d5 | e5 | f5 | b5 | g5"},
      {long_piece, moved, {}, "2-", "c4 | e4 | f4 | g4 | a4 | b4 | c5 | d5 | e5 | f5 | b5 | g5"},
      {long_piece, moved, {}, "1-3", "c4 | e4 | f4 | g4 | a4 | b4 | c5 | d5 | e5 | f5 | g5"},
  });
  auto s = parted(moved, {}, long_piece);
  s.refuses("merge alt 5-6", "these measures are the same on both branches");
  s.refuses("merge alt 2",
            "Deleted in alt: measure 2, as numbered here; include the measures around it");
}

TEST_CASE("where measures may have moved or have been changed they come together") {
  auto six = piece("c5 d5 e5 f5 g5 a5");
  std::vector<std::string> alt{without("2"), insert("5", "b4")};
  auto s = parted(alt, {}, six);
  for (auto range : {"2", "3-4", "1-3", "5", "5-6"})
    s.refuses("merge alt " + std::string{range},
              "of measures 2 to 5 there may be new, deleted or changed");
  s.refuses("merge alt 6", "nothing to merge");
  for (auto range : {"", "2-5", "1-5", "2-", "1-6"})
    check({{six, alt, {}, range, "c5 | e5 | f5 | g5 | b4 | a5"}});
  // So does what a refusal names.
  auto t = parted({without("2"), insert("6", "b4"), put("3", "c6")}, {put("4", "d6")},
                  piece("c5 d5 e5 f5 g5 a5 b5"));
  auto said = t.command("merge alt").output;
  INFO(said);
  auto at = said.find("`:merge alt ");
  REQUIRE(at != said.npos);
  t.must(said.substr(at + 2, said.find('`', at + 1) - at - 2));
  CHECK(line_of(*t.state.score) == "c5 | e5 | c6 | g5 | a5 | b4 | b5");
}

TEST_CASE("what went on the other branch is asked for by the number that it has here") {
  check({
      {with_upbeat, {without("0")}, {}, "0", "d5 | e5 | f5"},
      {with_upbeat, {without("0")}, {}, "0-1", "d5 | e5 | f5"},
      {with_upbeat, {without("0"), put("1", "a5"), put("2", "b5")}, {}, "0-1", "a5 | e5 | f5"},
      {with_upbeat, {without("0"), put("1", "a5"), put("2", "b5")}, {}, "1", "g4 | a5 | e5 | f5"},
      {with_upbeat, {without("0"), put("1", "a5")}, {put("2", "b5")}, "0", "d5 | b5 | f5"},
      {with_upbeat, {without("0"), put("1", "a5")}, {}, "1-", "a5 | e5 | f5"},
      {with_upbeat, {without("0 1")}, {}, "0", "d5 | e5 | f5"},
      {scale, {without("4")}, {}, "4", "c5 | d5 | e5"},
      {scale, {without("3 4")}, {}, "3-4", "c5 | d5"},
      {scale, {without("3 4")}, {}, "3", "c5 | d5 | f5"},
      {scale, {without("4"), put("3", "a5")}, {}, "3-4", "c5 | d5 | a5"},
      {scale, {without("4"), put("3", "a5")}, {}, "3", "c5 | d5 | a5 | f5"},
  });
  auto s = parted({without("0"), put("1", "a5")}, {}, with_upbeat);
  s.must("merge alt 0");
  CHECK(numbers_of(*s.state.score) == std::vector<std::string>{"1", "2", "3"});
  // What the upbeat said of key, metre and clef the new first measure says.
  auto state = state_at(*s.state.score->parts[0], 0, {});
  CHECK(state.staff(1).key->fifths == 1);
  CHECK(state.staff(1).time);
  CHECK(state.staff(1).clef);
  s.refuses("merge alt 0", "there is no measure 0; Violin has 1 to 3");
  s.must("merge alt");
  CHECK(line_of(*s.state.score) == "a5 | e5 | f5");
  s.must("undo");
  s.must("undo");
  CHECK(line_of(*s.state.score) == "g4 | d5 | e5 | f5");
  s.must("merge alt");
  CHECK(line_of(*s.state.score) == "a5 | e5 | f5");
  // It was changed here meanwhile.
  auto t = parted({without("0")}, {"(replace (measures 0) (measure (note a4 :q)))"}, with_upbeat);
  t.refuses("merge alt 0", "measure 0 changed here, deleted in alt");
  t.must("merge alt 0 --theirs");
  CHECK(line_of(*t.state.score) == "d5 | e5 | f5");
}

TEST_CASE("measures that neither branch has are refused with those that there are") {
  auto s = parted({without("4")}, {}, scale);
  s.refuses("merge alt 5", "measure 5 does not exist; alt has the measures 1 to 3");
  s.refuses("merge alt 0", "there is no measure 0; Violin has 1 to 3");
  s.refuses("merge alt X1", "there is no measure X1; Violin has 1 to 3");
  s.refuses("merge alt X1", "0, a later uncounted measure X1");
  s.refuses("merge alt one", "0 (a pickup), or X1 (a later uncounted measure)");
  // Here it is new, and was never there.
  s.type("(note g5 :w)");
  s.refuses("merge alt 5", "measure 5 here is new");
}

TEST_CASE("all measures asked for are the whole branch") {
  static const char* steps[] = {"c5", "d5", "e5", "f5", "g5"};
  for (unsigned seed = 1; seed <= 120; ++seed) {
    std::mt19937 dice{seed};
    auto note = [&] { return std::string{steps[dice() % 5]}; };
    std::string notes = note();
    for (auto n = 2 + dice() % 6; n > 0; --n)
      notes += ' ' + note();
    session_by_hand base;
    base.type(piece(notes, dice() % 2 == 0));
    auto edited = [&] {
      auto s = base;
      for (auto n = 1 + dice() % 3; n > 0; --n) {
        auto& p = *s.state.score->parts[0];
        auto m = printed_number(p, dice() % p.measures.size());
        switch (dice() % 4) {
          case 0: s.type(insert(m, note())); break;
          case 1:
            if (p.measures.size() > 2) s.type(without(m));
            break;
          case 2:
            if (m != "0") s.type(put(m, note()));
            break;
          default: s.type(up(m));
        }
      }
      return s.state.score;
    };
    auto ours = edited(), theirs = edited();
    merge_request all;
    all.measures = std::pair<std::size_t, std::size_t>{0, columns_of(*theirs)};
    for (auto& here : {ours, base.state.score}) {
      auto whole = merge_scores(base.state.score, here, theirs);
      auto ranged = merge_scores(base.state.score, here, theirs, all);
      INFO("seed " << seed << "\nbase:   " << line_of(*base.state.score)
                   << "\nours:   " << line_of(*here) << "\ntheirs: " << line_of(*theirs));
      REQUIRE(whole);
      REQUIRE(ranged);
      CHECK(whole->conflicts == ranged->conflicts);
      CHECK(line_of(*whole->score) == line_of(*ranged->score));
      CHECK(numbers_of(*whole->score) == numbers_of(*ranged->score));
    }
  }
}

TEST_CASE("ranges of measures that were changed in place are taken one after the other") {
  static const char* steps[] = {"c5", "d5", "e5", "f5"};
  std::size_t taken = 0, refused = 0;
  for (unsigned seed = 1; seed <= 80; ++seed) {
    std::mt19937 dice{seed};
    std::vector<std::string> here, there;
    std::string notes;
    for (auto n = 4 + dice() % 4; n > 0; --n) {
      here.push_back(steps[dice() % 4]);
      notes += (notes.empty() ? "" : " ") + here.back();
    }
    there = here;
    std::vector<std::string> edits;
    for (auto n = 1 + dice() % 4; n > 0; --n) {
      auto m = dice() % here.size();
      there[m] = steps[dice() % 4];
      edits.push_back(put(std::to_string(m + 1), there[m]));
    }
    auto s = parted(edits, {}, piece(notes));
    auto joined = [](const std::vector<std::string>& all) {
      std::string line;
      for (auto& note : all)
        line += (line.empty() ? "" : " | ") + note;
      return line;
    };
    auto cut = 1 + dice() % (here.size() - 1);
    std::vector<std::pair<std::size_t, std::size_t>> ranges{{0, cut}, {cut, here.size()}};
    if (dice() % 2 == 0) std::swap(ranges[0], ranges[1]);
    auto now = here;
    for (auto [from, to] : ranges) {
      INFO("seed " << seed << ", " << from + 1 << '-' << to << "\nhere:  " << joined(now)
                   << "\nthere: " << joined(there));
      auto outcome = s.command("merge alt " + std::to_string(from + 1) + '-' + std::to_string(to));
      INFO(outcome.output);
      if (outcome.ok) {
        ++taken;
        for (auto m = from; m < to; ++m)
          now[m] = there[m];
      } else if (outcome.output.find("nothing to merge") == outcome.output.npos) {
        ++refused;
      } else {
        CHECK(std::equal(now.begin() + static_cast<std::ptrdiff_t>(from),
                         now.begin() + static_cast<std::ptrdiff_t>(to),
                         there.begin() + static_cast<std::ptrdiff_t>(from)));
      }
      CHECK(line_of(*s.state.score) == joined(now));
    }
  }
  CHECK(taken > 10 * refused);
}

}  // namespace fermata::merging_ranges_test
