#include "places.hpp"

namespace fermata::named_staves_test {

using namespace fermata::test;

// Decision 20: a clef names the staff that has it, a staff or voice that comes again goes on.
// Counted by hand.

namespace {

using strings = std::vector<std::string>;

/// What `typed` writes, line by line, into an empty score.
void check(const std::vector<const char*>& typed, const strings& expected,
           const strings& expected_clefs) {
  session s;
  for (auto text : typed)
    s.type(text);
  INFO(typed.front() << " ... " << typed.back());
  CHECK(sorted(places(s)) == sorted(expected));
  CHECK(sorted(clefs(s)) == sorted(expected_clefs));
}

const char* const hands = "(part :piano (measure (staff 1 (note c5 :w)) (staff 2 (note c3 :w))))";
const strings grand{"1:0 1 treble", "1:0 2 bass"};

/// Sides of measure `index` that have a repeat sign.
strings repeats(const session& s, std::size_t index) {
  strings out;
  for (const auto& item : s.score->parts.at(0)->measures.at(index)->items)
    if (auto b = std::get_if<barline>(&item.content); b && !b->repeat.empty())
      out.push_back(b->location + " " + b->repeat);
  return out;
}

}  // namespace

TEST_CASE("a clef names the staff that has it, wherever it stands") {
  const strings behind{"1:0 1 c5", "1:0 2 c3", "2:0 2 e3"};
  for (auto text :
       {"(measure (staff :bass (note e3 :w)))", "(repeat (measure (staff :bass (note e3 :w))))",
        "(seq (measure (staff :bass (note e3 :w))))", "(staff :bass (measure (note e3 :w)))",
        "(repeat (staff :bass (measure (note e3 :w))))", "(seq (staff :bass (note e3 :w)))",
        "(repeat (ending (1 2) (measure (staff :bass (note e3 :w)))))"})
    check({hands, text}, behind, grand);
  check({hands, "(insert-measure 1 (measure (staff :bass (note e3 :w))))"},
        {"1:0 2 e3", "2:0 1 c5", "2:0 2 c3"}, grand);
  // What takes the place of one hand leaves the other.
  check({hands, "(replace (measures 1) (measure (staff :bass (note e3 :w))))"},
        {"1:0 1 c5", "1:0 2 e3"}, grand);
  check({hands, "(edit (measures 1) (fn (m) (measure (staff :bass (note e3 :w)))))"},
        {"1:0 1 c5", "1:0 2 e3"}, grand);
  // Both hands, the left one first.
  check({hands, "(measure (staff :bass (note e3 :w)) (staff :treble (note e5 :w)))"},
        {"1:0 1 c5", "1:0 2 c3", "2:0 1 e5", "2:0 2 e3"}, grand);
  // In a part it is the staff that the instrument has.
  check({"(part :piano (measure (staff :bass (note e3 :w))))"}, {"1:0 2 e3"}, grand);
  check(
      {"(part :piano (staff :bass (measure (note e3 :w))) (staff :treble (measure (note e5 :w))))"},
      {"1:0 1 e5", "1:0 2 e3"}, grand);
  check({"(part :piano (repeat (staff :treble (measure (note c5 :w))) (staff :bass (measure (note "
         "c3 :w)))) (repeat (staff :treble (measure (note d5 :w))) (staff :bass (measure (note d3 "
         ":w)))))"},
        {"1:0 1 c5", "1:0 2 c3", "2:0 1 d5", "2:0 2 d3"}, grand);
}

TEST_CASE("staves whose clefs name none are those of the part in their order") {
  // Both hands low.
  check({"(part :piano (staff :bass (note c3 :w)) (staff :bass (note c2 :w)))"},
        {"1:0 1 c3", "1:0 2 c2"}, {"1:0 1 bass", "1:0 2 bass"});
  check({hands, "(measure (staff :bass (note e3 :w)) (staff :bass (note e2 :w)))"},
        {"1:0 1 c5", "1:0 2 c3", "2:0 1 e3", "2:0 2 e2"},
        {"1:0 1 treble", "1:0 2 bass", "2:0 1 bass"});
  // A new clef on the only staff.
  check({"(part :cello (measure (note c3 :w)))", "(measure (staff :tenor (note g4 :w)))"},
        {"1:0 1 c3", "2:0 1 g4"}, {"1:0 1 bass", "2:0 1 tenor"});
  // The third staff of an organ has the same clef as the second.
  check(
      {"(part (staff :treble (note c5 :w)) (staff :bass (note c3 :w)) (staff :bass (note c2 :w)))"},
      {"1:0 1 c5", "1:0 2 c3", "1:0 3 c2"}, {"1:0 1 treble", "1:0 2 bass", "1:0 3 bass"});
}

TEST_CASE("a clef that names a staff is written once") {
  check({"(part :piano (measure (staff :treble (note c5 :w)) (staff :bass (note c3 :w)))"
         " (measure (staff :treble (note d5 :w)) (staff :bass (note d3 :w))))",
         "(measure (staff :treble (note e5 :w)) (staff :bass (note e3 :w)))"},
        {"1:0 1 c5", "1:0 2 c3", "2:0 1 d5", "2:0 2 d3", "3:0 1 e5", "3:0 2 e3"}, grand);
  // And again where the staff has had another one.
  check(
      {"(part :piano (measure (staff :treble (note c5 :w)) (staff :bass (note c3 :h) (clef :alto) "
       "(note c4 :h))) (measure (staff :treble (note d5 :w)) (staff :bass (note d3 :w))))"},
      {"1:0 1 c5", "1:0 2 c3", "1:2 2 c4", "2:0 1 d5", "2:0 2 d3"},
      {"1:0 1 treble", "1:0 2 bass", "1:2 2 alto", "2:0 2 bass"});
}

TEST_CASE("a staff or voice that comes again goes on where it ended") {
  const char* right = "(part :piano (staff 1 (measure (note c5 :w)) (measure (note d5 :w))))";
  const strings both{"1:0 1 c5", "2:0 1 d5", "1:0 2 e3", "2:0 2 e3"};
  for (auto text : {"(times 2 (staff :bass (measure (note e3 :w))))",
                    "(times 2 (staff 2 (measure (note e3 :w))))",
                    "(times 2 (staff :bass (note e3 :w)))", "(times 2 (staff 2 (note e3 :w)))",
                    "(seq (staff 2 (measure (note e3 :w))) (staff 2 (measure (note e3 :w))))",
                    "(seq (staff :bass (note e3 :w)) (staff :bass (note e3 :w)))"})
    check({right, text}, both, grand);
  for (auto text :
       {"(times 2 (staff 2 (measure (note e3 :w))))", "(times 2 (staff 2 (note e3 :w)))",
        "(staff 2 (note e3 :w)) (staff 2 (note e3 :w))",
        "(staff 2 (measure (note e3 :w))) (staff 2 (measure (note e3 :w)))",
        "(staff 2 (voice 5 (note e3 :w))) (staff 2 (voice 5 (note e3 :w)))"}) {
    auto whole = "(part :piano (staff 1 (measure (note c5 :w)) (measure (note d5 :w))) " +
                 std::string{text} + ")";
    check({whole.c_str()}, both, grand);
  }
  // Also within a measure.
  for (auto text :
       {"(measure (staff 1 (note c5 :w)) (staff 2 (note e3 :h)) (staff 2 (note f3 :h)))",
        "(measure (staff 1 (note c5 :w)) (staff 2 (note e3 :h) (note f3 :h)))",
        "(staff 1 (note c5 :w)) (staff 2 (note e3 :h)) (staff 2 (note f3 :h))"}) {
    auto whole = "(part :piano " + std::string{text} + ")";
    check({whole.c_str()}, {"1:0 1 c5", "1:0 2 e3", "1:2 2 f3"}, grand);
  }
  check({"(part :violin (measure (voice 1 (note c5 :h)) (voice 2 (note e4 :h)) (voice 1 (note d5 "
         ":h))))"},
        {"1:0 1 c5", "1:2 1 d5", "1:0 1 e4"}, {"1:0 1 treble"});
  // The hands by turns.
  check({"(part :piano)", "(times 2 (seq (staff :treble (measure (note c5 :w))) (staff :bass "
                          "(measure (note c3 :w)))))"},
        {"1:0 1 c5", "1:0 2 c3", "2:0 1 c5", "2:0 2 c3"}, grand);
  // What says its place has it.
  check({"(part :violin (measure (voice 1 (note c5 :h)) (voice 1 :at 2 (note e5 :h))))"},
        {"1:0 1 c5", "1:2 1 e5"}, {"1:0 1 treble"});
  // Signs alone stand beside the notes.
  session s;
  s.type("(part :piano (staff 1 (measure (note c5 :w)) (measure (note d5 :w))) (staff 1 (p)))");
  CHECK(std::holds_alternative<direction>(
      s.score->parts.at(0)->measures.at(0)->items.back().content));
}

TEST_CASE("layers begin where the repeat does that they stand in") {
  check({"(part :piano (measure (staff 1 (note c5 :w)) (staff 2 (note c3 :w))) (repeat (staff 1 "
         "(measure (note d5 :w))) (staff 2 (measure (note d3 :w)))))"},
        {"1:0 1 c5", "1:0 2 c3", "2:0 1 d5", "2:0 2 d3"}, grand);
  check({"(part :piano (staff 1 (measure (note c5 :w))) (repeat (staff 1 (measure (note d5 :w))) "
         "(staff 2 (measure (note d3 :w))) (ending 1 (staff 1 (measure (note e5 :w))) (staff 2 "
         "(measure (note e3 :w)))) (ending 2 (staff 1 (measure (note f5 :w))) (staff 2 (measure "
         "(note f3 :w))))))"},
        {"1:0 1 c5", "2:0 1 d5", "2:0 2 d3", "3:0 1 e5", "3:0 2 e3", "4:0 1 f5", "4:0 2 f3"},
        grand);
}

TEST_CASE("a repeat of one staff is laid over the others") {
  const char* right = "(part :piano (staff 1 (measure (note c5 :w)) (measure (note d5 :w))))";
  for (auto text :
       {"(repeat (staff 2 (measure (note c3 :w))))", "(staff 2 (repeat (measure (note c3 :w))))",
        "(repeat (staff :bass (measure (note c3 :w))))"}) {
    INFO(text);
    session s;
    s.type(right);
    s.type(text);
    CHECK(sorted(places(s)) == strings{"1:0 1 c5", "1:0 2 c3", "2:0 1 d5"});
    CHECK(sorted(repeats(s, 0)) == strings{"left forward", "right backward"});
    CHECK(repeats(s, 1).empty());
  }
  session s;
  s.type("(part :piano (staff 1 (measure (note c5 :w)) (measure (note d5 :w))) (repeat (staff 2 "
         "(measure (note c3 :w)))))");
  CHECK(sorted(places(s)) == strings{"1:0 1 c5", "1:0 2 c3", "2:0 1 d5"});
  CHECK(sorted(repeats(s, 0)) == strings{"left forward", "right backward"});
}

TEST_CASE("a voice that comes again turns with the others") {
  auto turned = [](const std::string& measure) {
    session s;
    s.type(("(part :violin (retrograde (retrograde " + measure + ")))").c_str());
    return sorted(places(s));
  };
  const strings as_written{"1:0 1 c5", "1:0 1 e4", "1:2 1 d5"};
  CHECK(turned("(measure (voice 1 (note c5 :h)) (voice 2 (note e4 :h)) (voice 1 (note d5 :h)))") ==
        as_written);
  session s;
  s.type(
      "(part :violin (retrograde (measure (voice 1 (note c5 :h)) (voice 2 (note e4 :h)) (voice 1 "
      "(note d5 :q) (note f5 :q)))))");
  CHECK(sorted(places(s)) == strings{"1:0 1 f5", "1:1 1 d5", "1:2 1 c5", "1:2 1 e4"});
}

TEST_CASE("staves named in a measure stay themselves through transformations") {
  const std::string left = "(measure (staff :bass (note e3 :h) (note f3 :h)))";
  for (const std::string function : {"(rotate 0 ", "(augment 1 ", "(transpose 0 "})
    check({hands, (function + left + ")").c_str()},
          {"1:0 1 c5", "1:0 2 c3", "2:0 2 e3", "2:2 2 f3"}, grand);
  // Turned with the part that they are for.
  check(
      {("(retrograde (part :piano (measure (staff :treble (note c5 :w))) " + left + "))").c_str()},
      {"1:0 2 f3", "1:2 2 e3", "2:0 1 c5"}, grand);
  session s;
  s.type(hands);
  CHECK(s.fault(("(retrograde " + left + ")").c_str()) == errc::misplaced);
}

TEST_CASE("what follows simultaneous music at the prompt comes when it ends") {
  const strings treble{"1:0 1 treble"};
  check({"(seq (note c4 :q) (par (note e4 :q) (note a3 :q)) (note d4 :q))"},
        {"1:0 1 c4", "1:1 1 e4", "1:1 1 a3", "1:2 1 d4"}, treble);
  check({"(seq (par (note e4 :h) (note a3 :h)) (par (note f4 :h) (note b3 :h)))"},
        {"1:0 1 e4", "1:0 1 a3", "1:2 1 f4", "1:2 1 b3"}, treble);
  check({"(seq (note c4 :q) (voice 2 (note a3 :q)) (note d4 :q))"},
        {"1:0 1 c4", "1:0 1 a3", "1:1 1 d4"}, treble);
  check({"(seq (staff 1 (note c4 :h)) (staff 2 (note a3 :h)) (staff 1 (note d4 :h)))"},
        {"1:0 1 c4", "1:0 2 a3", "1:2 1 d4"}, grand);
  check(
      {"(seq (par (note e4 :h) (note a3 :h)) (note d4 :h) (par (note e4 :h) (note a3 :h)) (note d4 "
       ":h))"},
      {"1:0 1 e4", "1:0 1 a3", "1:2 1 d4", "2:0 1 e4", "2:0 1 a3", "2:2 1 d4"}, treble);
  // Also where the line does not begin a measure.
  check({"(note g4 :h)", "(seq (par (note e4 :q) (note a3 :q)) (note d4 :q) (note c4 :q))"},
        {"1:0 1 g4", "1:2 1 e4", "1:2 1 a3", "1:3 1 d4", "2:0 1 c4"}, treble);
  check({"(part :piano (rest :measure))",
         "(at 1 (seq (staff 1 (note c4 :h)) (staff 2 (note a3 :h)) (staff 1 (note d4 :h))))"},
        {"1:0 1 c4", "1:0 2 a3", "1:2 1 d4"}, grand);
}

TEST_CASE("two hands in one clef stay the hands that they are") {
  check({"(part :piano (measure (staff :bass (note c3 :w)) (staff :bass (note c2 :w))) (measure "
         "(staff :bass (note d3 :w)) (staff :bass (note d2 :w))))"},
        {"1:0 1 c3", "1:0 2 c2", "2:0 1 d3", "2:0 2 d2"}, {"1:0 1 bass", "1:0 2 bass"});
}

TEST_CASE("a staff may be called by its number and by its clef") {
  check({"(part :piano (staff 2 (note e3 :h)) (staff :bass (note f3 :h)) (staff 1 (note c5 :w)))"},
        {"1:0 1 c5", "1:0 2 e3", "1:2 2 f3"}, grand);
  check({hands, "(measure (staff 1 (note d5 :w)) (staff :bass (note d3 :w)))"},
        {"1:0 1 c5", "1:0 2 c3", "2:0 1 d5", "2:0 2 d3"}, grand);
}

TEST_CASE("loose notes are of the first voice, which goes on behind them") {
  const strings treble{"1:0 1 treble"};
  for (auto text : {"(measure (note c5 :h) (voice 1 (note c4 :h)))",
                    "(measure (note c5 :h) (voice 2 (note e4 :h)) (voice 1 (note c4 :h)))"}) {
    strings expected{"1:0 1 c5", "1:2 1 c4"};
    if (std::string{text}.find("voice 2") != std::string::npos) expected.push_back("1:0 1 e4");
    check({text}, expected, treble);
    check({("(part :violin " + std::string{text} + ")").c_str()}, expected, treble);
  }
  check({"(part :violin (measure (seq (voice 2 (note e4 :w))) (voice 1 (note c5 :w))))"},
        {"1:0 1 c5", "1:0 1 e4"}, treble);
}

TEST_CASE("layers that come again turn and rotate as one") {
  const std::string turns =
      "(staff 1 (note c5 :w)) (staff 2 (note c3 :w)) (staff 1 (note d5 :w)) (staff 2 (note d3 :w))";
  for (const std::string function : {"retrograde", "rotate 1"}) {
    check({("(" + function + " (part :piano " + turns + "))").c_str()},
          {"1:0 1 d5", "1:0 2 d3", "2:0 1 c5", "2:0 2 c3"}, grand);
    check({("(part :violin (" + function +
            " (seq (voice 1 (note c5 :w)) (voice 2 (note e4 :w))) (seq (voice 1 (note d5 :w)) "
            "(voice 2 "
            "(note f4 :w)))))")
               .c_str()},
          {"1:0 1 d5", "1:0 1 f4", "2:0 1 c5", "2:0 1 e4"}, {"1:0 1 treble"});
  }
  check({"(part :piano)",
         "(retrograde (seq (staff 1 (note c4 :h)) (staff 2 (note a3 :h)) (staff 1 (note d4 :h))))"},
        {"1:0 1 d4", "1:2 1 c4", "1:2 2 a3"}, grand);
}

TEST_CASE("a layer goes on behind the repeat that it was in") {
  check(
      {"(part :violin (repeat (voice 1 (note c5 :w) (note c5 :w)) (voice 2 (note c4 :w))) (voice 1 "
       "(note d5 :w)) (voice 2 (note d4 :w)))"},
      {"1:0 1 c5", "1:0 1 c4", "2:0 1 c5", "3:0 1 d5", "3:0 1 d4"}, {"1:0 1 treble"});
}

TEST_CASE("a first measure that is typed says key, metre and clefs before its notes") {
  for (auto text : {"(measure (staff :treble (note c5 :w)) (staff :bass (note c3 :w)))",
                    "(repeat (staff :treble (measure (note c5 :w))) (staff :bass (measure (note c3 "
                    ":w))))",
                    "(measure (staff 1 (note c5 :w)) (staff 2 (key d :major) (note c3 :w)))"}) {
    INFO(text);
    session s;
    s.type(text);
    auto notes = false;
    auto said = 0;
    for (const auto& item : s.score->parts.at(0)->measures.at(0)->items) {
      notes |= std::holds_alternative<chord_rest>(item.content);
      if (!std::holds_alternative<attributes>(item.content)) continue;
      ++said;
      CHECK_FALSE(notes);
    }
    CHECK(said == 1);
    CHECK(sorted(clefs(s)) == grand);
  }
}

}  // namespace fermata::named_staves_test
