#include "core/lang/value/form_spec.hpp"
#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

// The functions behind these forms are tested against whole published tables in tests/core/theory;
// here it is seen that the language reaches them: spellings of arguments, options, results, faults.

namespace fermata::theory_forms_test {

namespace {

struct row {
  const char* text;
  const char* result;
};

}  // namespace

TEST_CASE("scales and chords are spelled from their root") {
  // The language reference names the first two; the others follow from key signatures.
  for (auto& r :
       {row{"(scale c :major)", "(c4 d4 e4 f4 g4 a4 b4 c5)"},
        row{"(chord-voicing c4 :dom7)", "(c4 e4 g4 bb4)"},
        row{"(scale a4 :minor)", "(a4 b4 c5 d5 e5 f5 g5 a5)"},
        row{"(scale d4 :dorian)", "(d4 e4 f4 g4 a4 b4 c5 d5)"},
        row{"(scale f# :major :octaves 0)", "(f#4 g#4 a#4 b4 c#5 d#5 e#5)"},
        row{"(deg eb 7)", "d5"}, row{"(deg c 0)", "b3"},
        row{"(chord-voicing c :major)", "(c4 e4 g4)"},
        row{"(chord-voicing c :major7)", "(c4 e4 g4 b4)"},
        row{"(chord-voicing g3 :minor :inversion 1)", "(bb3 d4 g4)"},
        row{"(chord-pitches \"Dm7b5\" :octave 3)", "(d3 f3 ab3 c4)"},
        row{"(chord-name (c4 e4 g4 bb4))", "\"C7\""}, row{"(chord-name e4 g4 c5)", "\"C/E\""}}) {
    CAPTURE(r.text);
    CHECK(evaluated(r.text) == r.result);
  }
}

TEST_CASE("chords of applied numerals and rare symbols are spelled from their root") {
  // Worked out by hand from the key signatures and the intervals of the chords.
  for (auto& r : {row{"(rn \"Ger65\" :key bb-major)", "((gb4 bb4 db5 e5))"},
                  row{"(rn \"Ger65/IV\" :key f-major)", "((gb4 bb4 db5 e5))"},
                  row{"(rn \"It6/V Fr43/ii\" :key d-major)", "((f4 a4 d#5) (c4 e4 f#4 a#4))"},
                  row{"(chord-pitches \"F-7b5\")", "(f4 ab4 cb5 eb5)"},
                  row{"(chord-pitches \"D-^7\")", "(d4 f4 a4 c#5)"},
                  row{"(chord-pitches \"G69\")", "(g4 b4 d5 e5 a5)"},
                  row{"(chord-pitches \"Gb9sus\")", "(gb4 cb5 db5 fb5 ab5)"},
                  row{"(scale c :melodic-minor)", "(c4 d4 eb4 f4 g4 a4 b4 c5)"},
                  row{"(deg c 7 :melodic-minor)", "b4"},
                  row{"(scale b# :major)", "(b#4 c##5 d##5 e#5 f##5 g##5 a##5 b#5)"}}) {
    CAPTURE(r.text);
    CHECK(evaluated(r.text) == r.result);
  }
}

TEST_CASE("numerals keep their accidentals in minor") {
  // Design of the language, section 7: in c minor VI is Ab C Eb and #VI is A C# E; vii/ii in C is
  // C# E G.
  for (auto& r : {row{"(rn \"I V6/5 I\" :key d-major)", "((d4 f#4 a4) (c#4 e4 g4 a4) (d4 f#4 a4))"},
                  row{"(rn \"VI\" :key c-minor)", "((ab3 c4 eb4))"},
                  row{"(rn \"#VI\" :key c-minor)", "((a3 c#4 e4))"},
                  row{"(rn vii/ii :key c-major)", "((c#4 e4 g4))"},
                  row{"(numeral (b3 d4 f4) :key c-major)", "\"viio\""},
                  row{"(numeral (rn viio64 :key c-major) :key c-major)", "\"viio64\""},
                  row{"(realize c3 \"64\" :key c-major)", "(c3 f3 a3)"},
                  // Double signs: b in C major lowered twice, f raised twice.
                  row{"(realize c3 \"bb7\" :key c-major)", "(c3 e3 g3 bbb3)"},
                  row{"(realize c3 \"##4\" :key c-major)", "(c3 f##3 g3)"},
                  row{"(realize c3 \"x4\" :key c-major)", "(c3 f##3 g3)"}}) {
    CAPTURE(r.text);
    CHECK(evaluated(r.text) == r.result);
  }
}

TEST_CASE("a progression is music without forbidden parallels") {
  CHECK(evaluated("(voice-leading-faults (progression c-major I IV V I))") == "()");
  CHECK(evaluated("(voice-leading-faults (cadence :authentic :key c-major))") == "()");
  CHECK(evaluated("(count (progression c-major I IV V I))") == "4");
  CHECK(evaluated("(cadences-in (cadence :authentic :key c-major :duration :h) :key c-major)") ==
        "((2 :authentic c-major))");
}

TEST_CASE("two fifths in a row are found where they arrive") {
  CHECK(evaluated("(voice-leading-faults (seq (chord (c3 g3) :h) (chord (d3 a3) :h)))") ==
        "((2 :parallel-fifths 1 2))");
}

TEST_CASE("a D major arpeggio is in D major") {
  CHECK(evaluated("(find-key (seq (note d4) (note f#4) (note a4) (note c#5) (note d5)))") ==
        "d-major");
  CHECK(
      evaluated(
          "(roman-numerals (seq (chord (c4 e4 g4) :h) (chord (b3 d4 g4) :h) (chord (c4 e4 g4) :w)) "
          ":key c-major)") == "((0 c-major \"I\") (2 c-major \"V6\") (4 c-major \"I\"))");
}

TEST_CASE("sets are named after Forte") {
  // Forte 1973, appendix 1; the Rahn form of 6-31 from Rahn 1980.
  for (auto& r :
       {row{"(prime-form 0 4 7)", "(0 3 7)"}, row{"(forte-name 0 1 4 6)", "4-Z15"},
        row{"(normal-form 7 11 2 3)", "(11 2 3 7)"}, row{"(prime-form c4 e4 g4)", "(0 3 7)"},
        row{"(prime-form (chord (c4 eb4 g4) :q))", "(0 3 7)"}, row{"(z-partner 0 1 4 6)", "4-Z29"},
        row{"(z-partner 0 4 7)", "nil"}, row{"(interval-vector 0 1 4 6)", "(1 1 1 1 1 1)"},
        row{"(set-class 6-31)", "(0 1 3 5 8 9)"}, row{"(set-class 6-31 :rahn)", "(0 1 4 5 7 9)"},
        row{"(pc-transpose 3 0 4 7)", "(3 7 10)"}, row{"(pc-invert 0 0 4 7)", "(0 5 8)"},
        row{"(pc-multiply 5 0 1 2)", "(0 5 10)"},
        row{"(complement 0 2 4 5 7 9 11)", "(1 3 6 8 10)"},
        row{"(similarity (list 0 1 4 6) (list 0 1 3 7) :measure :sim)", "0"}}) {
    CAPTURE(r.text);
    CHECK(evaluated(r.text) == r.result);
  }
}

TEST_CASE("rows and triads move as their theories say") {
  // Webern op. 24: RI of the row begins at the end of its inversion.
  CHECK(evaluated("(forte-name 0 4 7)") == "3-11");
  CHECK(evaluated("(set-class (forte-name 0 4 7))") == "(0 3 7)");
  CHECK(evaluated("(row-form :P11 11 10 2 3 7 6 8 4 5 0 1 9)") == "(11 10 2 3 7 6 8 4 5 0 1 9)");
  CHECK(evaluated("(row-form :I11 11 10 2 3 7 6 8 4 5 0 1 9)") == "(11 0 8 7 3 4 2 6 5 10 9 1)");
  CHECK(evaluated("(nth 0 (matrix 11 10 2 3 7 6 8 4 5 0 1 9))") == "(11 10 2 3 7 6 8 4 5 0 1 9)");
  // Cohn 2012: P C major is c minor, L of it A flat major; C major and a flat minor are hexatonic
  // poles.
  CHECK(evaluated("(neo :P (c4 e4 g4))") == "(c4 eb4 g4)");
  CHECK(evaluated("(neo :PL (c4 e4 g4))") == "(c4 eb4 ab4)");
  CHECK(evaluated("(tonnetz-distance (c4 e4 g4) (ab4 cb5 eb5))") == "3");
}

TEST_CASE("what theory cannot name is refused at the argument") {
  for (auto& r :
       {row{"(scale h :major)", "invalid-pitch"}, row{"(scale c :majr)", "out-of-range"},
        row{"(chord-voicing c :dom77x)", "invalid-chord"},
        row{"(rn \"IIII\" :key c-major)", "invalid-chord"},
        row{"(cadence :perfectly :key c-major)", "out-of-range"},
        row{"(row 1 2 3)", "wrong-argument-count"}, row{"(neo :PX (c4 e4 g4))", "invalid-chord"},
        row{"(neo :P (c4 d4 e4))", "invalid-chord"}, row{"(prime-form \"c\")", "wrong-type"},
        row{"(prime-form 1/2)", "wrong-type"}, row{"(set-class 9-99)", "out-of-range"},
        row{"(scale c :major :octaves 11)", "out-of-range"}}) {
    CAPTURE(r.text);
    CHECK(fault_code(r.text) == r.result);
  }
}

TEST_CASE("what is neither pitch nor music has no harmony") {
  for (std::string wrong :
       {"\"C\"", "5", ":q", "M3", "nil", "true", "inc", "(list c4 5)", "c4 e4 (list g4 \"x\")"})
    for (std::string before : {"(numeral ", "(chord-name ", "(chord-name :all "}) {
      auto text = before + wrong + (before == "(numeral " ? " :key c-major)" : ")");
      CAPTURE(text);
      auto e = evaluate(request_for(text));
      REQUIRE_FALSE(e);
      CHECK(e.error().first().code == errc::wrong_type);
      // The fault is at the argument.
      REQUIRE(e.error().first().span);
      CHECK(e.error().first().span->begin > 0);
    }
  for (auto text : {"(numeral)", "(numeral :key c-major)", "(chord-name)"})
    CHECK(fault_code(text) == "wrong-argument-count");
  // Music without a name has none still.
  CHECK(evaluated("(chord-name c4 c#4 d4 d#4)") == "nil");
}

TEST_CASE("every theory form refuses every kind of value that it cannot use") {
  // Nothing but an error, a value of the kind that the form gives, or nil for a pitch that stands
  // for a whole: never an answer about what was ignored.
  for (auto& form : form_table()) {
    if (form.category != "theory" && form.category != "set" && form.category != "row" &&
        form.category != "neo")
      continue;
    for (std::string wrong : {"true", "inc", "(try (/ 1 0))", "(list true)", "(list inc 5/2)"}) {
      auto text = "(" + form.name + " " + wrong + ")";
      CAPTURE(text);
      CHECK(fault_code(text) != "none");
    }
  }
}

TEST_CASE("a chord has as many inversions as tones above its root") {
  CHECK(evaluated("(chord-voicing c4 :major :inversion 2)") == "(g4 c5 e5)");
  CHECK(evaluated("(chord-voicing c4 :dom7 :inversion 3)") == "(bb4 c5 e5 g5)");
  for (auto& r : {row{"(chord-voicing c4 :major :inversion 3)", "0 to 2"},
                  row{"(chord-voicing c4 :major :inversion -1)", "0 to 2"},
                  row{"(chord-voicing c4 :dom7 :inversion 4)", "0 to 3"},
                  row{"(chord-voicing c4 \"9\" :inversion 5)", "0 to 4"},
                  row{"(chord-voicing c4 :power :inversion 2)", "0 to 1"}}) {
    CAPTURE(r.text);
    CHECK(fault_code(r.text) == "out-of-range");
    CHECK(evaluated(r.text).find(r.result) != std::string::npos);
  }
}

TEST_CASE("who misspells a scale or chord is told the nearest and where all are") {
  struct {
    const char *text, *near, *topic;
  } rows[] = {{"(scale c :mixolidian)", "did you mean :mixolydian?", "`:help scales`"},
              {"(scale c :harmonic-mnor)", "did you mean :harmonic-minor?", "`:help scales`"},
              {"(scale c :ionain)", "did you mean :ionian?", "`:help scales`"},
              {"(scale c :foo)", "", "`fermata show scales`"},
              {"(deg c 5 :foo)", "", "`:help scales`"},
              {"(chord-voicing c4 :dominat7)", "did you mean :dominant7?", "`:help chords`"},
              {"(chord-voicing c4 :foo)", "", "`fermata show chords`"}};
  for (auto& r : rows) {
    CAPTURE(r.text);
    auto e = evaluate(request_for(r.text));
    REQUIRE_FALSE(e);
    CHECK(e.error().first().hint.find(r.near) != std::string::npos);
    CHECK(e.error().first().hint.find(r.topic) != std::string::npos);
  }
}

TEST_CASE(
    "music is looked at as one value, as a list of values, as pitches, or as chords of numerals") {
  // D major: its scale, and a perfect cadence.
  for (auto music :
       {"(seq (note d4) (note f#4) (note a4) (note c#5) (note d5))",
        "(list (note d4) (note f#4) (note a4) (note c#5) (note d5))",
        "(list (seq (note d4) (note f#4)) (seq (note a4) (note c#5) (note d5)))",
        "(list (measure (note d4 :h) (note f#4 :h)) (measure (note a4 :h) (note c#5 :h)))",
        "(d4 f#4 a4 c#5 d5)", "(rn \"I IV V I\" :key d-major)"}) {
    INFO(music);
    CHECK(evaluated("(find-key " + std::string{music} + ")") == "d-major");
  }
  // A list of pitches in a list is a chord: one I, one V, one I in C.
  CHECK(evaluated("(map (fn [row] (nth 2 row)) (roman-numerals (rn \"I V I\" :key c-major) :key "
                  "c-major))") == "(\"I\" \"V\" \"I\")");
  CHECK(evaluated("(count (chords-in (list (c4 e4 g4) (b3 d4 g4))))") == "2");
  CHECK(evaluated("(cadences-in (rn \"I IV V I\" :key c-major) :key c-major)").find(":authentic") !=
        std::string::npos);
}

TEST_CASE("numerals are no music, and the error says how they become some") {
  evaluation_request r = request_for("(find-key (list \"I\" \"V\" \"I\"))");
  auto e = evaluate(r);
  REQUIRE_FALSE(e);
  CHECK(e.error().first().code == errc::wrong_type);
  CHECK(e.error().first().hint.find("(rn ") != std::string::npos);
  CHECK(evaluated("(find-key (list 1 2))").starts_with("error wrong-type: "));
}

TEST_CASE("an instrument has its own range, and four voices that are sung that of a choir") {
  auto faults = [](const std::string& parts) {
    return evaluated("(voice-leading-faults (score " + parts + "))");
  };
  auto part = [](const char* instrument, const char* pitch) {
    return "(part :" + std::string{instrument} + " (measure (note " + pitch + " :w)))";
  };
  // Choir (Aldwell & Schachter): bass e2..d4, tenor c3..a4, alto f3..d5, soprano c4..a5.
  const auto choir = part("alto", "d5") + part("tenor", "e4") + part("bass-voice", "c4");
  CHECK(faults(part("soprano", "a5") + choir) == "()");
  CHECK(faults(part("soprano", "b5") + choir) == "((0 :out-of-range 4 4))");
  CHECK(evaluated("(voice-leading-faults (chord (c2 g3 e4 c5) :w))") == "((0 :out-of-range 1 1))");
  CHECK(evaluated("(voice-leading-faults (chord (c2 g3 e4 c5) :w) :any-range)") == "()");
  // Strings are none: a violin reaches from its g string, g3, a cello down to c2.
  CHECK(faults(part("violin", "e6") + part("violin", "g5") + part("viola", "d4") +
               part("cello", "c2")) == "()");
  CHECK(faults(part("violin", "e6") + part("violin", "f3") + part("viola", "d3") +
               part("cello", "c2")) == "((0 :out-of-range 3 3))");
  CHECK(faults(part("violin", "g3")) == "()");
  CHECK(faults(part("violin", "f3")) == "((0 :out-of-range 1 1))");
  // A clarinet reads e3 at the lowest, which sounds d3.
  CHECK(faults(part("clarinet", "e3")) == "()");
  CHECK(faults(part("clarinet", "eb3")) == "((0 :out-of-range 1 1))");
  CHECK(faults(part("triangle", "c4")).find("out-of-range") == std::string::npos);
}

}  // namespace fermata::theory_forms_test
