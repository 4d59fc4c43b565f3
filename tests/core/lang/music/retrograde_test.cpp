#include "evaluated.hpp"

namespace fermata::retrograde_test {

using namespace fermata::test;

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

TEST_CASE("a repeat without an end is named by the number of its measure") {
  for (auto [in_front, number] :
       {std::pair{"", "1"},
        {"(measure (note c4 :w)) ", "2"},
        {"(measure :pickup (note c4 :q)) ", "1"},
        {"(measure :pickup (note c4 :q)) (measure (note c4 :w)) ", "2"}}) {
    INFO(in_front);
    auto f = fault_of("(retrograde (part " + std::string{in_front} +
                      "(measure (barline :repeat-start) (note c4 :w)) (measure (note d4 :w))))");
    CHECK(f.message.find("the repeat starting in measure " + std::string{number} + " has") !=
          std::string::npos);
  }
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
    CHECK(f.message.find("cannot be reversed") != std::string::npos);
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
      "(part (measure (key :c :major :staff 1) (key :d :major :staff 2) (staves 2) (note d4 :w)) "
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

TEST_CASE("backwards, the syllables of a word still begin, go on and end it") {
  // As they are sung: the hyphens stand between the same notes as before.
  auto sung = [](const std::string& text) {
    std::string out;
    const auto part = score_of(text).parts.at(0);
    for (const auto& m : part->measures)
      for (const auto& item : m->items)
        if (auto x = std::get_if<chord_rest>(&item.content))
          for (const auto& l : x->notes.front().lyrics) {
            for (const auto& s : l.syllables)
              out += s.elision + s.text + ":" + s.syllabic + " ";
            if (!l.extend.empty()) out += l.extend + " ";
          }
    return out;
  };
  const std::string three = "(note c4 :q) (note d4 :q) (note e4 :q)";
  const auto words = "(lyrics \"a- b c\" " + three + ")";
  CHECK(sung("(retrograde " + words + ")") == "c:single b:begin a:end ");
  CHECK(sung("(retrograde (lyrics \"a- b- c\" " + three + "))") == "c:begin b:middle a:end ");
  CHECK(sung("(retrograde (retrograde " + words + "))") == sung(words));
  CHECK(sung("(retrograde (part (measure " + words + " (rest :q))))") == "c:single b:begin a:end ");
  // Two syllables on one note change places.
  CHECK(sung("(retrograde (note c4 :q :lyric (\"a\" end :elision \"_\" \"b\" begin)))") ==
        "b:end _a:begin ");
}

TEST_CASE("backwards, a chord symbol goes with its note in music of several voices and staves") {
  // What one voice does by itself is what each of several must do (decision 0007: marks stay before
  // the note they stood before).
  for (auto mark : {"(harmony \"C\")", "(figured-bass 6)", "(sound (:tempo 90))",
                    "(xml \"<bookmark id=\\\"b1\\\"/>\")", "(words \"dolce\")", "(p)"}) {
    INFO(mark);
    auto m = std::string{mark};
    auto forwards = m + " (note d4 :h.) (note c4 :q)",
         back = "(note c4 :q) " + m + " (note d4 :h.)";
    CHECK(shown("(retrograde (measure (voice 1 " + forwards + ") (voice 2 (note f4 :w))))") ==
          shown("(measure (voice 1 " + back + ") (voice 2 (note f4 :w)))"));
    CHECK(score_of("(retrograde (measure (staff 1 " + forwards + ") (staff 2 (note f3 :w))))") ==
          score_of("(measure (staff 1 " + back + ") (staff 2 (note f3 :w)))"));
    CHECK(score_of("(retrograde (part :piano (measure (staff 1 " + forwards +
                   ") (staff 2 (note f3 :w)))))") ==
          score_of("(part :piano (measure (staff 1 " + back + ") (staff 2 (note f3 :w))))"));
  }
  for (auto music :
       {"(measure (voice 1 (harmony \"C\") (note d4 :h.) (harmony \"G\") (note c4 :q)) (voice 2 "
        "(note f4 :w)))",
        "(measure (voice 1 (harmony \"C\") (note d4 :h.) (note c4 :q)) (voice 2 (harmony \"F\") "
        "(note f4 :h) (note e4 :h)))",
        "(part :piano (measure (staff 1 (harmony \"C\") (note d5 :h.) (note c5 :q)) (staff 2 "
        "(figured-bass 6) (note f3 :w))) (measure (staff 1 (note e5 :w)) (staff 2 (note c3 :w))))",
        "(measure (voice 1 :at 1 (harmony \"C\") (note d4 :h.)) (voice 2 (note f4 :w)))"}) {
    INFO(music);
    CHECK(score_of("(retrograde (retrograde " + std::string{music} + "))") == score_of(music));
  }
}

}  // namespace fermata::retrograde_test
