#include "typed_session.hpp"

namespace fermata::typed_places_test {

using namespace fermata::test;

// Expectations: language.md sections 5 and 6, the instrument table (clefs and transpositions are
// those of Adler, The Study of Orchestration), and counting by hand.

namespace {

const attributes& opening(const session& s, std::size_t p = 0) {
  static attributes none;
  none = first_in<attributes>(*s.score, p, 0);
  return none;
}

}  // namespace

TEST_CASE("music typed into an instrument's part gets its clef and transposition") {
  struct row {
    std::vector<const char*> typed;
    const char* clef;
    const char* chromatic;
  };
  for (const auto& x : std::vector<row>{
           {{"(part :horn)", "(note c4 :w)"}, "treble", "-7"},
           {{"(part :horn)", "(measure (note c4 :w))"}, "treble", "-7"},
           {{"(part :horn)", "(measure (clef :bass) (note c3 :w))"}, "bass", "-7"},
           {{"(part :cello)", "(note c3 :w)"}, "bass", ""},
           {{"(part :cello)", "(measure (note c3 :w))"}, "bass", ""},
           {{"(part :viola)", "(p)", "(note c4 :w)"}, "alto", ""},
           {{"(score (part :cello))", "(note c3 :w)"}, "bass", ""},
           {{"(part \"Solo\" :cello)", "(note c3 :w)"}, "bass", ""},
           {{"(defaults :instrument cello)", "(note c3 :w)"}, "bass", ""},
           {{"(defaults :instrument cello :clef tenor)", "(note c4 :w)"}, "tenor", ""},
           {{"(defaults :instrument cello)", "(measure (note c3 :w))"}, "bass", ""},
           {{"(part :cello (measure (note c3 :w)))", "(delete (measures 1))", "(note d3 :w)"},
            "bass",
            ""},
           {{"(part \"Solo\")", "(note c4 :w)"}, "treble", ""},
       }) {
    session s;
    for (auto text : x.typed)
      s.type(text);
    INFO(x.typed.front() << " " << x.typed.back());
    const auto& a = opening(s);
    REQUIRE(a.clefs.size() == 1);
    CHECK(name_of(a.clefs[0].value).value_or("") == std::string_view{x.clef});
    CHECK((a.transpositions.empty() ? "" : a.transpositions[0].value.chromatic) == x.chromatic);
  }
}

TEST_CASE("music typed into a piano part gets both staves") {
  for (const auto* text : {"(note c4 :w)", "(measure (note c4 :w))",
                           "(measure (staff 1 (note c4 :w)) (staff 2 (note c3 :w)))"}) {
    session s;
    s.type("(part :piano)");
    s.type(text);
    INFO(text);
    CHECK(opening(s).staves == 2);
    REQUIRE(opening(s).clefs.size() == 2);
    CHECK(opening(s).clefs[1].value.sign == "F");
  }
  // The piano that nobody asked for begins with one staff.
  session s;
  s.type("(note c4 :w)");
  CHECK(opening(s).clefs.size() == 1);
}

TEST_CASE("what is put at a beat that the measure does not have is refused") {
  session s;
  s.type("(score (part :flute (measure (note c4 :w)) (measure (note d4 :w))))");
  for (const auto* beats : {"0", "-3", "1/2", "9", "11/2"})
    for (const auto* what : {"(f)", "(note g4 :q)", "(barline :dashed)"})
      for (const auto* measure : {"1", "2"}) {
        auto text = std::string{"(at (select :measures "} + measure + " :beats " + beats + ") " +
                    what + ")";
        INFO(text);
        CHECK(s.fault(text) == errc::out_of_range);
      }
  CHECK(s.fault("(at (select :measures 1 :beats 5) (note g4 :q))") == errc::out_of_range);
  for (const auto* beat : {"0", "-1", "1/2", "9"})
    CHECK(s.fault(std::string{"(cursor :measure 1 :beat "} + beat + ")") == errc::out_of_range);
  // Behind the last beat stands what takes no time.
  s.type("(at (select :measures 2 :beats 5) (barline :final))");
  CHECK(first_in<barline>(*s.score, 0, 1).location == "right");
  s.type("(cursor :measure 1 :beat 5)");
}

TEST_CASE("measures, parts and scores are not put at a place of a measure") {
  session s;
  s.type("(score (part :flute (measure (note c4 :w))))");
  for (const auto* what :
       {"(score)", "(score (part :oboe))", "(part :oboe)", "(group (part :oboe))",
        "(measure (note g4 :w))", "(repeat (measure (note g4 :w)))",
        "(ending 1 (measure (note g4 :w)))", "(seq (measure (note g4 :w)))", "(seq (part :oboe))",
        "(voice 2 (measure (note g4 :w)))", "(staff 2 (measure (note g4 :w)))"})
    for (const auto* where : {"1", "(measures 1)", "(select :measures 1 :beats 1)"}) {
      INFO(what);
      CHECK(s.fault(std::string{"(at "} + where + " " + what + ")") == errc::misplaced);
    }
}

TEST_CASE("a second staff is written in its own voice") {
  const auto* piano = "(part :piano (measure (staff 1 (note c5 :w)) (staff 2 (rest :measure))))";
  for (const auto& typed : std::vector<std::vector<const char*>>{
           {"(at (select :staff 2 :measures 1) (note c3 :w))"},
           {"(cursor :staff 2 :measure 1 :beat 1)", "(note c3 :w)"},
           {"(cursor :staff 2 :measure 1)", "(note c3 :w)"}}) {
    session s;
    s.type(piano);
    for (auto text : typed)
      s.type(text);
    auto notes = rhythm_of(*s.score);
    REQUIRE(notes.size() == 2);
    CHECK(notes[0].second.voice == "1");
    CHECK(notes[1].second.voice == "5");
    CHECK(notes[1].second.staff == 2);
  }
  session s;
  s.type("(part :piano (measure))");
  s.type("(at (select :staff 2 :measures 1) (note c3 :w))");
  s.type("(cursor :staff 2)");
  s.type("(cursor :staff 1 :measure 1)");
  s.type("(note c5 :w)");
  CHECK(rhythm_of(*s.score).size() == 2);
  // A part that writes its second staff in voice 2 keeps to that.
  s.type("(score (part :piano (measure (voice 1 :staff 1 (note c5 :w)) (voice 2 :staff 2 (note c3 "
         ":h)))))");
  s.type("(cursor :staff 2)");
  s.type("(note d3 :h)");
  CHECK(rhythm_of(*s.score).back().second.voice == "2");
  CHECK(rhythm_of(*s.score).back().first == rational{2});
}

TEST_CASE("the cursor enters a part without measures, and such a part can be deleted") {
  session s;
  s.type("(part :violin)");
  s.type("(part :cello)");
  s.type("(cursor :part 1)");
  s.type("(note c5 :w)");
  CHECK(s.score->parts[0]->measures.size() == 1);
  CHECK(s.score->parts[1]->measures.empty());
  s.type("(cursor :part \"Violoncello\")");
  s.type("(note c3 :w)");
  CHECK(s.score->parts[1]->measures.size() == 1);
  s.type("(part :oboe)");
  s.type("(delete (select :part \"Oboe\"))");
  CHECK(s.score->parts.size() == 2);
  CHECK(s.fault("(cursor :part 3)") == errc::no_such_target);
}

TEST_CASE("music goes on after the last note, whatever an edit has made of the measures") {
  struct row {
    std::vector<const char*> typed;
    std::size_t measure;
    int position;
  };
  for (const auto& x : std::vector<row>{
           {{"(note c4 :w)", "(delete (measures 1))"}, 0, 0},
           {{"(note c4 :w)", "(note d4 :w)", "(delete (measures 2))"}, 1, 0},
           {{"(note c4 :w)", "(note d4 :q)", "(delete (measures 2))"}, 1, 0},
           {{"(note c4 :w)", "(note d4 :q)", "(delete (measures 1))"}, 0, 1},
           {{"(note c4 :w)", "(note d4 :q)", "(insert-measure 1)"}, 2, 1},
           {{"(note c4 :w)", "(note d4 :q)", "(insert-measure 2 :count 3)"}, 4, 1},
           {{"(note c4 :w)", "(note d4 :q)",
             "(replace (measures 1) (measure (note e4 :w)) (measure "
             "(note f4 :w)))"},
            2,
            1},
           {{"(note c4 :q)", "(replace (measures 1) (measure (note d4 :h)))"}, 0, 2},
           {{"(measure (note c4 :w))", "(delete (measures 1))"}, 0, 0},
           // Not at the end: in its measure.
           {{"(measure (note c4 :w))", "(measure (rest :measure))", "(measure (note e4 :w))",
             "(cursor :measure 2 :beat 3)", "(delete (measures 1))"},
            0,
            2},
           {{"(measure (note c4 :w))", "(measure (rest :measure))", "(measure (note e4 :w))",
             "(cursor :measure 2 :beat 3)", "(insert-measure 1)"},
            2,
            2},
       }) {
    session s;
    for (auto text : x.typed)
      s.type(text);
    INFO(x.typed.back());
    s.type("(note g5 :8)");
    auto place = std::pair{s.env->cursor.measure, s.env->cursor.position};
    CHECK(place == std::pair{x.measure, measure_position{rational{2 * x.position + 1, 2}}});
    CHECK(rhythm_of(*s.score, 0, x.measure).size() >= 1);
  }
  // Of several parts the cursor's stays its own.
  session s;
  s.type("(part :violin (measure (note c5 :w)))");
  s.type("(part :cello (measure (note c3 :w)))");
  s.type("(delete (select :part \"Violin\"))");
  s.type("(note d3 :w)");
  REQUIRE(s.score->parts.size() == 1);
  CHECK(s.score->parts[0]->measures.size() == 2);
}

}  // namespace fermata::typed_places_test
