#include "evaluated.hpp"

using namespace fermata;
using namespace fermata::test;

TEST_CASE("the transformations of the language page give what it says") {
  // language.md, section 7.
  CHECK(shown("(transpose +2 (note c4 :q))") == "(note d4 :q)");
  CHECK(shown("(invert c4 (note e4 :q))") == "(note ab3 :q)");
  CHECK(shown("(augment 2 (note c4 :q))") == "(note c4 :h)");
  CHECK(shown("(do (def n1 (note c4 :q)) (def n2 (note d4 :h)) (def n3 (note e4 :8)) (retrograde "
              "n1 n2 n3))") == "(seq (note e4 :8) (note d4 :h) (note c4 :q))");
  CHECK(shown("(transpose -12 (chord :q (c4 e4 g4)))") == "(chord (c3 e3 g3) :q)");
  CHECK(shown("(diminish 2 (note c4 :h))") == "(note c4 :q)");
  CHECK(rhythm_of(score_of("(do (def motif (note g4 :8) (note g4 :8) (note g4 :8) (note eb4 :h)) "
                           "(measure motif))"))
            .size() == 4);
}

TEST_CASE("semitones are spelt in the key, intervals keep the spelling") {
  CHECK(shown("(transpose +1 c4 :key c-major)") == "c#4");
  CHECK(shown("(transpose +1 c4 :key f-minor)") == "db4");
  CHECK(shown("(transpose m2 c4)") == "db4");
  CHECK(shown("(transpose aug1 c4)") == "c#4");
  CHECK(shown("(transpose -P5 g4)") == "c4");
  CHECK(shown("(transpose M2 (c4 e4 g#4))") == "(d4 f#4 a#4)");
  // Two steps up the scale of D major.
  CHECK(shown("(transpose :steps 2 d4 :key d-major)") == "f#4");
}

TEST_CASE("the letters A4 and d5 are intervals where one is wanted, pitches elsewhere") {
  CHECK(shown("(transpose A4 c4)") == "f#4");
  CHECK(shown("(transpose d5 c4)") == "gb4");
  CHECK(shown("(transpose +2 d5)") == "e5");
  CHECK(shown("(transpose +2 a4)") == "b4");
  CHECK(shown("(transpose M2 d5)") == "e5");
  CHECK(shown("(transpose :steps 1 a4 :key c-major)") == "b4");
}

TEST_CASE("a transposed measure takes its key with it and keeps its marks") {
  auto s = score_of("(transpose +2 (measure (key c :major) (time 4 4) (harmony \"Dm7\") (note f4 "
                    ":h :staccato :accidental natural) "
                    "(rest :h)))");
  CHECK(first_in<attributes>(s).keys.at(0).value.fifths == 2);
  auto notes = rhythm_of(s);
  CHECK(std::get<pitch>(notes[0].second.notes[0].tone) == pitch{step::g, 0, 4});
  CHECK(notes[0].second.notes[0].marks.size() == 1);
  CHECK_FALSE(notes[0].second.notes[0].accidental);
  CHECK(first_in<harmony>(s).root == pitch_name{step::e, 0});
}

TEST_CASE("a whole score is transposed") {
  auto s =
      score_of("(transpose -m3 (score (part (measure (key eb :major) (time 4 4) (note eb4 :w)))))");
  CHECK(first_in<attributes>(s).keys.at(0).value.fifths == 0);
  CHECK(std::get<pitch>(rhythm_of(s)[0].second.notes[0].tone) == pitch{step::c, 0, 4});
}

TEST_CASE("backwards, ties and slurs exchange their ends") {
  CHECK(shown("(retrograde (seq (note c4 :q :tie start) (note c4 :h :tie stop)))") ==
        "(seq (note c4 :h :tie :start) (note c4 :q :tie :stop))");
  CHECK(shown("(retrograde (note c4 :q :slur start) (note d4 :q) (note e4 :q :slur stop))") ==
        "(seq (note e4 :q :slur :start) (note d4 :q) (note c4 :q :slur :stop))");
  CHECK(shown("(retrograde (tuplet 3:2 (note c4 :8) (note d4 :q)))") ==
        "(tuplet 3:2 (note d4 :q) (note c4 :8))");
  CHECK(shown("(retrograde c4 d4 e4)") == "(e4 d4 c4)");
}

TEST_CASE("backwards, a crescendo is a diminuendo and dynamics stay with their notes") {
  CHECK(
      shown(
          "(retrograde (seq (p) (note c4 :q) (cresc) (note d4 :q) (hairpin-stop) (note e4 :q)))") ==
      "(seq (note e4 :q) (dim) (note d4 :q) (hairpin-stop) (p) (note c4 :q))");
}

TEST_CASE("backwards, lines cover the notes that they covered, and twice backwards is forwards") {
  // What sounds under the pedal or the octave line is the same set of notes, in mirrored time.
  CHECK(shown("(retrograde (seq (pedal :start) (note c4 :q) (note d4 :q) (pedal :stop)))") ==
        "(seq (pedal :start) (note d4 :q) (note c4 :q) (pedal :stop))");
  CHECK(shown("(retrograde (seq (note c4 :q) (octave-shift :8va) (note d4 :q) (note e4 :q) "
              "(octave-shift :stop) (note f4 :q)))") ==
        "(seq (note f4 :q) (octave-shift :down) (note e4 :q) (note d4 :q) (octave-shift :stop) "
        "(note c4 :q))");
  for (const auto* music :
       {"(seq (cresc) (note c4 :q) (note d4 :q) (hairpin-stop))",
        "(seq (note c4 :q) (cresc) (note d4 :q) (note e4 :q) (hairpin-stop) (note f4 :q))",
        "(seq (pedal :start) (note c4 :q) (pedal :change) (note d4 :q) (note e4 :q) (pedal :stop))",
        "(seq (cresc :number 1) (note c4 :q) (dim :number 2) (note d4 :q) (hairpin-stop :number 1) "
        "(note e4 :q) (hairpin-stop :number 2))",
        "(seq (dashes :start) (note c4 :q) (note d4 :q) (dashes :stop) (note e4 :q))"})
    CHECK(shown(std::string{"(retrograde (retrograde "} + music + "))") == shown(music));
}

TEST_CASE("backwards, lines run over barlines as they did") {
  // In mirrored time the same notes are covered: from e4 in the second measure back to d4.
  struct row {
    const char *start, *stop, *new_start;
  };
  for (auto [start, stop, new_start] :
       {row{"(cresc)", "(hairpin-stop)", "(dim)"}, row{"(dim)", "(hairpin-stop)", "(cresc)"},
        row{"(cresc :number 2)", "(hairpin-stop :number 2)", "(dim :number 2)"},
        row{"(pedal :start)", "(pedal :stop)", "(pedal :start)"},
        row{"(octave-shift :down)", "(octave-shift :stop)", "(octave-shift :down)"},
        row{"(dashes :start)", "(dashes :stop)", "(dashes :start)"}}) {
    auto music = std::string{"(part (measure (note c4 :h) "} + start +
                 " (note d4 :h)) (measure (note e4 :h) " + stop + " (note f4 :h)))";
    CHECK(shown("(retrograde " + music + ")") ==
          std::string{"(part (measure (note f4 :h) "} + new_start +
              " (note e4 :h)) (measure (note d4 :h) " + stop + " (note c4 :h)))");
    CHECK(shown("(retrograde (retrograde " + music + "))") == shown(music));
  }
  CHECK(shown("(retrograde (part (measure (note c4 :h) (note d4 :h :slur start)) (measure (note e4 "
              ":w :slur stop))))") ==
        "(part (measure (note e4 :w :slur :start)) (measure (note d4 :h :slur :stop) (note c4 "
        ":h)))");
  // A hairpin that shares its place with a dynamic: the dynamic goes with its note.
  CHECK(shown("(retrograde (measure (p) (cresc) (note c4 :h) (note d4 :h) (hairpin-stop)))") ==
        "(measure (dim) (note d4 :h) (p) (note c4 :h) (hairpin-stop))");
}

TEST_CASE("backwards, what a line says is said where it now begins, and short lines stay") {
  CHECK(shown("(retrograde (note c4 :q :glissando (start :text \"gliss.\")) (note g4 :q :glissando "
              "stop))") ==
        "(seq (note g4 :q :glissando (:start :text \"gliss.\")) (note c4 :q :glissando :stop))");
  // From a grace note to its note: the grace note still comes before it.
  CHECK(shown("(retrograde (note e4 :q) (grace d4 :8 :slur start) (note c4 :q :slur stop))") ==
        "(seq (grace d4 :8 :slur :start) (note c4 :q :slur :stop) (note e4 :q))");
  CHECK(shown("(retrograde (note e4 :q) (grace c4 :8 :tie start) (note c4 :q :tie stop))") ==
        "(seq (grace c4 :8 :tie :start) (note c4 :q :tie :stop) (note e4 :q))");
  // One slur ends where the next begins.
  CHECK(
      shown("(retrograde (note c4 :q :slur start) (note d4 :q :slur stop :slur start) (note e4 :q "
            ":slur stop))") ==
      "(seq (note e4 :q :slur :start) (note d4 :q :slur :stop :slur :start) (note c4 :q :slur "
      ":stop))");
}

TEST_CASE("a part backwards repeats the same measures and ends with its final barline") {
  auto bars = [](const score& s) {
    std::string out;
    for (const auto& m : s.parts[0]->measures) {
      for (const auto& item : m->items)
        if (auto b = std::get_if<barline>(&item.content))
          out += b->repeat == "forward"      ? "|:"
                 : b->repeat == "backward"   ? (b->repeat_times ? ":|x" : ":|")
                 : b->style == "light-heavy" ? "|."
                                             : "||";
        else if (auto x = std::get_if<chord_rest>(&item.content))
          out += to_string(std::get<pitch>(x->notes[0].tone));
      out += " ";
    }
    return out;
  };
  auto back = [&](const std::string& items) {
    return bars(score_of("(retrograde (part " + items + "))"));
  };
  CHECK(back("(measure (note c4 :w)) (repeat (measure (note d4 :w)) (measure (note e4 :w))) "
             "(measure (note f4 :w) (barline :final))") == "f4 |:e4 d4:| c4|. ");
  CHECK(back("(repeat :times 3 (measure (note c4 :w)) (measure (note d4 :w))) (measure (note e4 "
             ":w))") == "e4 |:d4 c4:|x ");
  // A repeat from the beginning has no sign there; read backwards it needs one.
  CHECK(
      back("(measure (note c4 :w)) (measure (note d4 :w) (barline :repeat-end)) (measure (note e4 "
           ":w) (barline :double)) (measure (note f4 :w) (barline :final))") ==
      "f4|| e4 |:d4 c4:| ");
  CHECK(
      back("(measure (barline :repeat-start) (note c4 :w) (barline :repeat-end)) (measure (barline "
           ":repeat-start) (note d4 :w) (barline :repeat-end))") == "|:d4:| |:c4:| ");
}

TEST_CASE("endings and jumps cannot be read backwards, and the message says so") {
  for (const auto* music :
       {"(part (repeat (measure (note c4 :w)) (ending 1 (measure (note d4 :w))) (ending 2 (measure "
        "(note e4 :w)))))",
        "(part (measure (note c4 :w)) (measure (barline :ending 1 :start) (note d4 :w) (barline "
        ":ending 1 :stop :repeat-end)))",
        "(measure (note c4 :w) (da-capo))", "(seq (segno) (note c4 :w))",
        "(part (measure (note c4 :w) (words \"D.C. al Fine\")))",
        "(score (part (measure (note c4 :w) (fine))))", "(seq (coda) (note c4 :w))"}) {
    INFO(music);
    auto f = fault_of(std::string{"(retrograde "} + music + ")");
    CHECK(f.code == errc::misplaced);
    CHECK(f.message.find("cannot be read backwards") != std::string::npos);
    CHECK_FALSE(f.hint.empty());
  }
  CHECK(
      fault_of("(retrograde (part (measure (barline :repeat-start) (note c4 :w)) (measure (note d4 "
               ":w))))")
          .message.find("measure 1 has no end") != std::string::npos);
}

TEST_CASE("backwards, each note has the clef it had, also where the clef changes in the measure") {
  CHECK(
      shown("(retrograde (part (measure (time 4 4) (clef :treble) (note c4 :h) (clef :bass) (note "
            "d3 :h)) (measure (note e3 :w))))") ==
      "(part (measure (time 4 4) (clef :bass) (note e3 :w)) (measure (note d3 :h) (clef :treble) "
      "(note c4 :h)))");
}

TEST_CASE(
    "backwards, each staff keeps its own key, and rests over several measures stay together") {
  CHECK(
      shown("(retrograde (part (measure (staves 2) (key c :major :staff 1) (key g :major :staff 2) "
            "(note c4 :w)) (measure (key d :major :staff 2) (note d4 :w))))") ==
      "(part (measure (key :c :major :staff 1) (staves 2) (key :d :major :staff 2) (note d4 :w)) "
      "(measure (key :g :major :staff 2) (note c4 :w)))");
  auto s = score_of("(retrograde (part (measure (multi-rest 2) (rest :measure)) (measure "
                    "(rest :measure)) (measure (note c4 :w))))");
  CHECK(first_in<attributes>(s, 0, 1).multiple_rest == 2);
}

TEST_CASE("backwards, a rest that fills its measure still fills it") {
  CHECK(
      shown(
          "(retrograde (part (measure (time 3 4) (rest :measure)) (measure (voice 1 (note c5 :h.)) "
          "(voice 2 (rest :measure)))))") ==
      "(part (measure (time 3 4) (voice 1 (note c5 :h.)) (voice 2 (rest :measure))) (measure (rest "
      ":measure)))");
}

TEST_CASE("backwards, a mark inside a measure that is silent stays inside, at the mirrored place") {
  // From the end of the rest three quarters back: one quarter after the beginning. From the other
  // end that is one quarter before the end.
  CHECK(shown("(retrograde (part (measure (voice 1 (rest :measure) (backup 3) (words \"soft\")) "
              "(voice 2 (note c4 :w)))))") ==
        "(part (measure (voice 1 :at 3 (words \"soft\") (backup 3) (rest :measure)) (voice 2 (note "
        "c4 :w))))");
  // In 3/4, and with no other voice that says how long the measure is.
  CHECK(shown("(retrograde (part (measure (time 3 4) (rest :measure) (backup 3) (words "
              "\"soft\"))))") ==
        "(part (measure (time 3 4) (forward 3) (words \"soft\") (backup 3) (rest :measure)))");
}

TEST_CASE("backwards, a line over a rest that fills its measure still begins before it ends") {
  for (auto [start, stop, new_start] :
       {std::tuple{"(cresc)", "(hairpin-stop)", "(dim)"},
        std::tuple{"(dim)", "(hairpin-stop)", "(cresc)"},
        std::tuple{"(pedal :start)", "(pedal :stop)", "(pedal :start)"},
        std::tuple{"(octave-shift :down)", "(octave-shift :stop)", "(octave-shift :down)"},
        std::tuple{"(dashes :start)", "(dashes :stop)", "(dashes :start)"}})
    for (const auto* time : {"", "(time 3 4) "}) {
      auto measure = [time, end = stop](const char* from) {
        return std::string{"(part (measure "} + time + from + " (rest :measure) " + end + "))";
      };
      CHECK(shown("(retrograde " + measure(start) + ")") == measure(new_start));
    }
}

TEST_CASE("backwards, what stands before a tuplet stays before the tuplet's first note") {
  CHECK(
      shown(
          "(retrograde (grace a4 :16) (p) (tuplet 3:2 (note b4 :8) (note c5 :8) (note d5 :8)))") ==
      "(seq (tuplet 3:2 (note d5 :8) (note c5 :8) (grace a4 :16) (p) (note b4 :8)))");
  // One slur leads from the grace note to the first note, another to the last: it now begins there.
  CHECK(
      shown("(retrograde (grace a4 :16 :slur start :slur (start 2)) (tuplet 3:2 (note b4 :8 :slur "
            "stop) (note c5 :8) (note d5 :8 :slur (stop 2))))") ==
      "(seq (tuplet 3:2 (note d5 :8 :slur (:start 2)) (note c5 :8) (grace a4 :16 :slur :start "
      ":slur "
      "(:stop 2)) (note b4 :8 :slur :stop)))");
  // A tie from the grace note, into the inner of two tuplets.
  CHECK(
      shown("(retrograde (grace b4 :16 :tie start) (tuplet 3:2 (tuplet 3:2 (note b4 :8 :tie stop) "
            "(note c5 :8) (note d5 :8)) (note e5 :q)))") ==
      "(seq (tuplet 3:2 (note e5 :q) (tuplet 3:2 (note d5 :8) (note c5 :8) (grace b4 :16 :tie "
      ":start) "
      "(note b4 :8 :tie :stop))))");
}

TEST_CASE("backwards, a gap among the notes of a tuplet is as long as it is written") {
  // Two thirds, a gap of two thirds, two thirds: two quarters, so the second half is silent.
  // Turned, the notes stand at 2 and at 2 + 4/3.
  auto s = score_of("(retrograde (part (measure (voice 1 (note c5 :w)) (voice 2 (tuplet 3:2 "
                    ":unmarked (note c4 :q) (forward 2/3) (note d4 :q))))))");
  auto notes = rhythm_of(s);
  REQUIRE(notes.size() == 3);
  CHECK(notes[1].first == rational{2});
  CHECK(std::get<pitch>(notes[1].second.notes[0].tone) == pitch{step::d, 0, 4});
  CHECK(notes[2].first == rational(10, 3));
  CHECK(std::get<pitch>(notes[2].second.notes[0].tone) == pitch{step::c, 0, 4});
  CHECK(duration_of(*music_of("(tuplet 3:2 (note c4 :q) (forward 2/3) (note d4 :q))")) ==
        quarters{2});
  // Inside each other: 2/3 * 2/3 of a quarter, and a quarter.
  CHECK(duration_of(*music_of("(tuplet 3:2 (tuplet 3:2 (note c4 :q) (forward 1)))")) ==
        quarters{rational(13, 9)});
}

TEST_CASE(
    "backwards, a measure with more silence behind its notes than its time has it before them") {
  // Six quarters in 4/4: one note and five of silence, as some files have it.
  auto s =
      score_of("(retrograde (part (measure (note c4 :q) (forward 5)) (measure (note d4 :w))))");
  auto notes = rhythm_of(s, 0, 1);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].first == rational{5});
  CHECK(extent(*s.parts[0]->measures[1]).value == rational{6});
  // Notes that are too long are too long from either end.
  CHECK(compile_fault_of("(retrograde (part (measure (note c4 :h) (note d4 :w))))").code ==
        errc::overfull_measure);
}

TEST_CASE("a pickup backwards stands at the end, and the short last measure is the pickup") {
  auto s = score_of("(retrograde (part (measure :pickup (time 4 4) (note c4 :q)) (measure (note d4 "
                    ":w)) (measure (note e4 :h.))))");
  CHECK(s.parts[0]->measures.front()->implicit);
  CHECK_FALSE(s.parts[0]->measures.back()->implicit);
}

TEST_CASE("a rotation never turns a tie or a line around") {
  // Tied notes are one note.
  CHECK(shown("(rotate 1 (seq (note c4 :q :tie start) (note c4 :8 :tie stop) (note d4 :q) (note e4 "
              ":q)))") ==
        "(seq (note d4 :q) (note e4 :q) (note c4 :q :tie :start) (note c4 :8 :tie :stop))");
  CHECK(shown("(rotate -1 (note c4 :q) (note d4 :q :tie start) (note d4 :q :tie both) (note d4 :8 "
              ":tie stop))") ==
        "(seq (note d4 :q :tie :start) (note d4 :q :tie :both) (note d4 :8 :tie :stop) (note c4 "
        ":q))");
  CHECK(shown("(rotate 1 (list (note c4 :q :tie start) (note c4 :q :tie stop) (note d4 :q)))") ==
        "((note d4 :q) (note c4 :q :tie :start) (note c4 :q :tie :stop))");
  // A slur or hairpin over the place where the music is cut has no place any more.
  CHECK(shown("(rotate 1 (note c4 :q :slur start) (note d4 :q :slur stop) (note e4 :q))") ==
        "(seq (note d4 :q) (note e4 :q) (note c4 :q))");
  CHECK(shown("(rotate 2 (cresc) (note c4 :q) (note d4 :q) (note e4 :q) (hairpin-stop) (note f4 "
              ":q))") == "(seq (note e4 :q) (note f4 :q) (note c4 :q) (note d4 :q))");
  // One that is not cut stays, and marks go with their notes.
  CHECK(shown("(rotate 2 (p) (note c4 :q) (note d4 :q) (cresc) (note e4 :q) (note f4 :q) "
              "(hairpin-stop))") ==
        "(seq (cresc) (note e4 :q) (note f4 :q) (hairpin-stop) (p) (note c4 :q) (note d4 :q))");
  CHECK(shown("(rotate 1 (seq (key d :major) (note d4 :q) (note e4 :q)))") ==
        "(seq (key :d :major) (note e4 :q) (note d4 :q))");
  CHECK(fault_of("(rotate 1)").code == errc::wrong_argument_count);
}

TEST_CASE("a part is rotated by measures, with clef and time where they are needed") {
  CHECK(
      shown("(rotate 1 (part (measure (time 3 4) (note c4 :h. :tie start)) (measure (note c4 :h. "
            ":tie stop)) (measure (time 2 4) (note e4 :h) (barline :final))))") ==
      "(part (measure (time 3 4) (note c4 :h.)) (measure (time 2 4) (note e4 :h)) (measure (time 3 "
      "4) (note c4 :h.) (barline :final)))");
}

TEST_CASE("a part with a repeat is rotated by its measures, and its signs keep their places") {
  CHECK(shown("(rotate 1 (part (measure (time 3 4) (note c4 :h.)) (repeat (measure (note d4 :h.)) "
              "(measure (note e4 :h.)))))") ==
        "(part (measure (time 3 4) (note d4 :h.)) (measure (barline :repeat-start) (note e4 :h.)) "
        "(measure (note c4 :h.) (barline :repeat-end)))");
}

TEST_CASE("backwards, a line of the left hand stays with the left hand") {
  auto two = [](std::string_view right, std::string_view left) {
    return "(score (part :piano (measure (voice 1 :staff 1 " + std::string{right} +
           ") (voice 5 :staff 2 " + std::string{left} + "))))";
  };
  for (auto& [begins, ends] :
       {std::pair{"(cresc)", "(hairpin-stop)"}, std::pair{"(pedal :start)", "(pedal :stop)"},
        std::pair{"(octave-shift :8vb)", "(octave-shift :stop)"}}) {
    INFO(begins);
    auto music = two("(note c5 :w)", std::string{begins} + " (note c3 :h) (note d3 :h) " + ends);
    // Ends in time, each with its staff; what stands at one place of a measure has no order.
    auto ends_of = [](const score& of) {
      std::vector<std::pair<rational, direction>> out;
      for (const auto& item : of.parts[0]->measures[0]->items)
        if (auto d = std::get_if<direction>(&item.content)) out.emplace_back(item.at.value, *d);
      std::sort(out.begin(), out.end(), [](auto& x, auto& y) { return x.first < y.first; });
      return out;
    };
    auto there = ends_of(score_of(music));
    auto back = ends_of(score_of("(retrograde " + music + ")"));
    REQUIRE(back.size() == 2);
    CHECK(back[0].first == rational{0});
    CHECK(back[1].first == rational{4});
    for (auto& end : back)
      CHECK(end.second.staff == std::optional<std::uint8_t>{2});
    CHECK((ends_of(score_of("(retrograde (retrograde " + music + "))")) == there));
  }
}

TEST_CASE("a slur over slurs takes the lowest number that is free") {
  CHECK(
      shown("(slur-over (note c4 :slur (start 1)) (note d4 :slur (stop 1)) (note e4))") ==
      "(seq (note c4 :q :slur :start :slur (:start 2)) (note d4 :q :slur :stop) (note e4 :q :slur "
      "(:stop 2)))");
  CHECK(
      shown("(slur-over (note c4 :slur (start 16)) (note d4 :slur (stop 16)) (note e4))") ==
      "(seq (note c4 :q :slur (:start 16) :slur :start) (note d4 :q :slur (:stop 16)) (note e4 :q "
      ":slur :stop))");
  std::string all;
  for (int n = 1; n <= 16; ++n)
    all += " :slur (start " + std::to_string(n) + ")";
  CHECK(fault_of("(slur-over (note c4" + all + ") (note d4))").code == errc::out_of_range);
}

TEST_CASE("chords and passages keep their sound and their look when semitones move them") {
  // Major triads and sevenths on every degree as a harmony book spells them.
  CHECK(shown("(transpose +1 (chord (c4 e4 g4) :q))") == "(chord (db4 f4 ab4) :q)");
  CHECK(shown("(transpose +8 (chord (c4 e4 g4) :q))") == "(chord (ab4 c5 eb5) :q)");
  CHECK(shown("(transpose +6 (chord (c4 e4 g4) :q))") == "(chord (f#4 a#4 c#5) :q)");
  CHECK(shown("(transpose -1 (chord-voicing c4 :maj7))") == "(b3 d#4 f#4 a#4)");
  CHECK(shown("(transpose +1 (chord (c4 eb4 g4) :q))") == "(chord (c#4 e4 g#4) :q)");
  CHECK(shown("(transpose +6 (scale c :major))") == "(f#4 g#4 a#4 b4 c#5 d#5 e#5 f#5)");
  // The key decides where one is given.
  CHECK(shown("(transpose +1 c4 :key c-major)") == "c#4");
}

TEST_CASE("a slur over slurs has a number of its own") {
  CHECK(
      shown("(slur-over (note c4 :q :slur start) (note d4 :q :slur stop) (note e4 :q))") ==
      "(seq (note c4 :q :slur :start :slur (:start 2)) (note d4 :q :slur :stop) (note e4 :q :slur "
      "(:stop 2)))");
}

TEST_CASE("a measure backwards turns each voice") {
  auto s = score_of(
      "(retrograde (measure (voice 1 (note c5 :h.) (note d5 :q)) (voice 2 (note e4 :h))))");
  auto notes = rhythm_of(s);
  REQUIRE(notes.size() == 3);
  CHECK(std::get<pitch>(notes[0].second.notes[0].tone).letter == step::d);
  CHECK(notes[1].first == rational{1});
  // The second voice was silent in the second half, so it is now in the first.
  CHECK(notes[2].first == rational{2});
}

TEST_CASE("a part backwards has its key and time at its beginning") {
  auto s = score_of(
      "(retrograde (part (measure (time 3 4) (key g :major) (note c4 :h.)) (measure (note d4 :h.)) "
      "(measure (time 2 4) (note e4 :h))))");
  REQUIRE(s.parts[0]->measures.size() == 3);
  CHECK(first_in<attributes>(s, 0, 0).times.at(0).value.fractions.at(0).beats.at(0) == 2);
  CHECK(first_in<attributes>(s, 0, 0).keys.at(0).value.fifths == 1);
  CHECK(first_in<attributes>(s, 0, 1).times.at(0).value.fractions.at(0).beats.at(0) == 3);
  CHECK(std::get<pitch>(rhythm_of(s, 0, 2)[0].second.notes[0].tone).letter == step::c);
  // Twice backwards is forwards.
  auto p = "(part (measure (time 3 4) (key g :major) (note c4 :h.)) (measure (note d4 :q) (note e4 "
           ":h)))";
  CHECK(score_of(std::string{"(retrograde (retrograde "} + p + "))") == score_of(p));
}

TEST_CASE("lengths without a note value are tied when they are stretched") {
  CHECK(duration_of(*music_of("(augment 5/4 (note c4 :h))")) == quarters{rational(5, 2)});
  auto m = music_of("(augment 5/4 (note c4 :h))");
  REQUIRE(items_of(*m));
  CHECK(items_of(*m)->size() == 2);
  CHECK(shown("(augment 3/2 (note c4 :q))") == "(note c4 :q.)");
  CHECK(shown("(augment 2 (tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8)))") ==
        "(tuplet 3:2 (note c4 :q) (note d4 :q) (note e4 :q))");
}

TEST_CASE("a part that is stretched has the time signature that fits") {
  auto s = score_of("(augment 2 (part (measure (note c4 :w)) (measure (note d4 :w))))");
  CHECK(first_in<attributes>(s).times.at(0).value.fractions.at(0).beat_type == 2);
  CHECK(rhythm_of(s)[0].second.length == quarters{8});
  auto t = score_of("(diminish 2 (part (measure (time 3 4) (note c4 :h.))))");
  CHECK(first_in<attributes>(t).times.at(0).value.fractions.at(0).beat_type == 8);
}

TEST_CASE("rotation, repetition, sequences and slurs") {
  CHECK(shown("(rotate 1 (c4 d4 e4))") == "(d4 e4 c4)");
  CHECK(shown("(rotate -1 (seq (note c4) (note d4) (note e4)))") ==
        "(seq (note e4 :q) (note c4 :q) (note d4 :q))");
  CHECK(shown("(times 2 (note c4 :8) (note d4 :8))") ==
        "(seq (note c4 :8) (note d4 :8) (note c4 :8) (note d4 :8))");
  CHECK(shown("(sequence 3 :steps 1 (note e4 :q) (note f4 :q) :key c-major)") ==
        "(seq (note e4 :q) (note f4 :q) (note f4 :q) (note g4 :q) (note g4 :q) (note a4 :q))");
  CHECK(shown("(slur-over (note c4 :q) (note d4 :q) (note e4 :q))") ==
        "(seq (note c4 :q :slur :start) (note d4 :q) (note e4 :q :slur :stop))");
  CHECK(shown("(zip-rhythm (:q :8 :8) (c4 d4 e4))") ==
        "(seq (note c4 :q) (note d4 :8) (note e4 :8))");
  CHECK(shown("(zip-rhythm (:q :8) (c4 d4 e4) :cycle)") ==
        "(seq (note c4 :q) (note d4 :8) (note e4 :q))");
  CHECK(shown("(-> (note c4 :q) (->> (transpose +2)))") == "(note d4 :q)");
}

TEST_CASE("zip makes notes of durations and pitches, and pairs of everything else") {
  CHECK(shown("(zip (:q :8) (c4 d4))") == "(seq (note c4 :q) (note d4 :8))");
  CHECK(shown("(zip (list :q. :8 :h) (list c4 d4))") == "(seq (note c4 :q.) (note d4 :8))");
  CHECK(shown("(zip (:q :8) (list (list c4 e4 g4) d4))") ==
        "(seq (chord (c4 e4 g4) :q) (note d4 :8))");
  CHECK(shown("(zip (:q :8) (list 1 2))") == "((:q 1) (:8 2))");
  CHECK(shown("(zip (list :a :b) (c4 d4))") == "((:a c4) (:b d4))");
  CHECK(shown("(zip (list 4 8) (c4 d4))") == "((4 c4) (8 d4))");
  CHECK(shown("(zip (:q :8) (c4 d4) (list 1 2))") == "((:q c4 1) (:8 d4 2))");
  CHECK(fault_of("(zip (:q :nonsense) (c4 d4))").code == errc::not_callable);
  // A rhythm needs no quote in any other function of lists either.
  CHECK(shown("(reverse (:q :8))") == "(:8 :q)");
}

TEST_CASE("backwards, hairpins of both hands at the same time each turn on their own staff") {
  CHECK(
      shown("(retrograde (part (measure (staves 2) (voice 1 :staff 1 (cresc) (note c5 :q) (note d5 "
            ":q) (hairpin-stop) (note e5 :h)) (voice 5 :staff 2 (note c3 :q) (dim) (note d3 :h) "
            "(hairpin-stop) (note e3 :q)))))") ==
      "(part (measure (staves 2) (voice 1 :staff 1 (note e5 :h) (dim) (note d5 :q) (note c5 :q) "
      "(hairpin-stop)) (voice 5 :staff 2 (note e3 :q) (cresc) (note d3 :h) (hairpin-stop) (note c3 "
      ":q))))");
  // As MusicXML has them: directions that say their staff, in one voice.
  CHECK(shown("(retrograde (part (measure (staves 2) (cresc :staff 1) (note c5 :q) (dim :staff 2) "
              "(note d5 :q) (hairpin-stop :staff 1) (note e5 :q) (hairpin-stop :staff 2) (note f5 "
              ":q))))") ==
        "(part (measure (staves 2) (note f5 :q) (cresc :staff 2) (note e5 :q) (dim :staff 1) (note "
        "d5 :q) (hairpin-stop :staff 2) (note c5 :q) (hairpin-stop :staff 1)))");
}

TEST_CASE("backwards, hairpins of two voices on one staff each turn in their own voice") {
  CHECK(shown("(retrograde (measure (voice 1 (cresc) (note c5 :h) (hairpin-stop) (note d5 :h)) "
              "(voice 2 (note c4 :q) (dim) (note d4 :h) (hairpin-stop) (note e4 :q))))") ==
        "(measure (voice 1 (note d5 :h) (dim) (note c5 :h) (hairpin-stop)) (voice 2 (note e4 :q) "
        "(cresc) (note d4 :h) (hairpin-stop) (note c4 :q)))");
}

TEST_CASE("backwards, a page still turns between the same two measures") {
  const std::string music =
      "(part (measure (break :system) (note c4 :w)) (measure (note d4 :w)) (measure (break :page) "
      "(note e4 :w)) (measure (break :system) (note f4 :w)))";
  // Between d and e, and between e and f; what is said of the first system stays there.
  auto turned = shown("(retrograde " + music + ")");
  CHECK(turned ==
        "(part (measure (break :system) (note f4 :w)) (measure (break :system) (note e4 :w)) "
        "(measure (break :page) (note d4 :w)) (measure (note c4 :w)))");
  CHECK(shown("(retrograde " + turned + ")") == shown(music));
}

TEST_CASE("backwards, a measure without a time signature is turned by its own length") {
  // Five quarters, then three: the second voice's note at the end comes first.
  CHECK(
      shown("(retrograde (part :plain (measure :free (voice 1 (note c4 :w) (note d4 :q)) (voice 2 "
            ":at 4 (note e3 :q)))))") ==
      "(part :plain (measure :free (voice 1 (note d4 :q) (note c4 :w)) (voice 2 (note e3 :q))))");
  CHECK(
      shown(
          "(retrograde (part :plain (measure (voice 1 (note c4 :h.)) (voice 2 (note e3 :q)))))") ==
      "(part :plain (measure (voice 1 (note c4 :h.)) (voice 2 :at 2 (note e3 :q))))");
}

TEST_CASE("what cannot be transformed is an error, not silence") {
  CHECK(fault_of("(transpose +2 :q)").code == errc::wrong_type);
  CHECK(fault_of("(transpose +2 \"c4\")").code == errc::wrong_type);
  CHECK(fault_of("(transpose c4)").code == errc::wrong_argument_count);
  CHECK(fault_of("(augment 0 (note c4))").code == errc::out_of_range);
}
