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
  auto full = fault_of("(slur-over (note c4" + all + ") (note d4))");
  CHECK(full.code == errc::out_of_range);
  CHECK(full.hint.find("slur a shorter passage") != std::string::npos);
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

TEST_CASE("what cannot be transformed is an error, not silence") {
  CHECK(fault_of("(transpose +2 :q)").code == errc::wrong_type);
  CHECK(fault_of("(transpose +2 \"c4\")").code == errc::wrong_type);
  CHECK(fault_of("(transpose c4)").code == errc::wrong_argument_count);
  CHECK(fault_of("(augment 0 (note c4))").code == errc::out_of_range);
}
