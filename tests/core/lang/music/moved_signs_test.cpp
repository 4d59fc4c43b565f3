#include "evaluated.hpp"

namespace fermata::moved_signs_test {

using namespace fermata::test;

TEST_CASE("a chord symbol with alterations is a kind with degrees and prints as it was written") {
  auto s = score_of("(measure (harmony \"C7b9\") (note c4 :w))");
  auto h = first_in<harmony>(s);
  CHECK(h.kind == "dominant");
  CHECK(h.kind_text == "7b9");
  REQUIRE(h.degrees.size() == 1);
  CHECK(h.degrees[0].value == 9);
  CHECK(h.degrees[0].cents == -100);
  CHECK(h.degrees[0].type == "add");
  for (auto text : {"C7b9", "Cadd9", "G7sus4", "F#m7b5/E", "Bbmaj7#11", "C7(b9,#9)", "C7alt"}) {
    auto form = "(harmony \"" + std::string{text} + "\")";
    CHECK(shown(form) == form);
  }
  // What is added to the symbol is said besides.
  CHECK(shown("(harmony \"C7b9\" :degree (add 13))").find(":degree (:add 13)") !=
        std::string::npos);
  CHECK(shown("(transpose M2 (harmony \"C7b9/E\"))") == "(harmony \"D7b9/F#\")");
  CHECK(fault_of("(harmony \"Dm99\")").code == errc::invalid_chord);
}

TEST_CASE("the sign of an ornament moves with the tone that it means") {
  // B flat and c flat become c flat and d double-flat; c flat and d flat become c and d.
  CHECK(shown("(transpose m2 (note bb4 :h :trill :accidental-mark flat))") ==
        "(note cb5 :h :trill :accidental-mark :flat-flat)");
  CHECK(shown("(transpose +1 (note cb5 :h :trill :accidental-mark flat))") ==
        "(note c5 :h :trill :accidental-mark :natural)");
  CHECK(shown("(transpose M2 (note g4 :h :turn :accidental-mark sharp))") ==
        "(note a4 :h :turn :accidental-mark :sharp)");
  CHECK(shown("(transpose m2 (note c4 :h :trill :ornament-accidental flat))") ==
        "(note db4 :h :trill :ornament-accidental :flat-flat)");
  CHECK(shown("(transpose m2 (note f4 :h :accidental-mark sharp))") ==
        "(note gb4 :h :accidental-mark :natural)");  // ficta: f sharp, then g
  // In the mirror the upper neighbour is the lower one: its sign means nothing any more.
  CHECK(shown("(invert c4 (note c4 :h :trill :accidental-mark flat))") == "(note c4 :h :trill)");
}

TEST_CASE("a sign that reminds stays where the music goes, with the sign that is right there") {
  CHECK(shown("(transpose M2 (note ab5 :q :accidental (flat :parentheses)))") ==
        "(note bb5 :q :accidental (:flat :parentheses))");
  CHECK(shown("(transpose m2 (note e4 :q :accidental (natural :cautionary)))") ==
        "(note f4 :q :accidental (:natural :cautionary))");
  CHECK(shown("(transpose m2 (note g#4 :q :accidental (sharp :editorial)))") ==
        "(note a4 :q :accidental (:natural :editorial))");
  auto there = shown("(note ab5 :q :accidental (flat :parentheses))");
  CHECK(shown("(transpose -M2 (transpose M2 (note ab5 :q :accidental (flat :parentheses))))") ==
        there);
  // Any other sign is the writer's affair.
  CHECK(shown("(transpose M2 (note f#5 :q :accidental sharp))") == "(note g#5 :q)");
}

TEST_CASE("a tempo beyond all playing is refused") {
  for (auto text :
       {"(tempo 1e308)", "(tempo :q 1e-7)", "(tempo :q 0)", "(tempo -3)", "(tempo :q. 10001)"}) {
    INFO(text);
    CHECK(fault_of(text).code == errc::invalid_tempo);
  }
  for (auto text : {"(tempo :q 10000)", "(tempo :w 1/2)", "(tempo 0.5)"}) {
    INFO(text);
    CHECK(shown(text).rfind("(tempo", 0) == 0);
  }
}

TEST_CASE("a mark that is said to do nothing to playback does nothing") {
  for (auto text : {"(segno :sound :none)", "(tempo :q 90 :sound :none)", "(fine :sound :none)"}) {
    INFO(text);
    CHECK(shown(text).find(":sound :none") != std::string::npos);
    auto d = first_in<direction>(score_of("(measure " + std::string{text} + " (note c4 :w))"));
    REQUIRE(d.sound.has_value());
    CHECK_FALSE(d.sound->extra.has_value());
  }
  auto d = first_in<direction>(score_of("(measure (segno :sound implied) (note c4 :w))"));
  CHECK_FALSE(d.sound.has_value());
}

TEST_CASE("chord symbols go along the scale with the notes over them") {
  // By hand: the triads and sevenths of C major are C Dm Em F G Am Bdim and Cmaj7 Dm7 G7 ...
  for (auto [steps, symbol, moved] : {std::tuple{2, "C", "Em"},
                                      {1, "C", "Dm"},
                                      {4, "C", "G"},
                                      {-1, "C", "Bdim"},
                                      {1, "Cmaj7", "Dm7"},
                                      {4, "Cmaj7", "G7"},
                                      {7, "G7/B", "G7/B"},
                                      {2, "C/E", "Em/G"},
                                      {2, "C/D", "Em/F"},
                                      // E G# B D become F A# C E, which is no chord: the kind
                                      // stays. Roots by hand: one step is to the next letter.
                                      {1, "E7", "F7"},
                                      {1, "B7", "C7"},
                                      {1, "Cdim7", "Ddim7"},
                                      {1, "G7b9", "A7b9"},
                                      {3, "D7", "G7"},
                                      {1, "E7/G#", "F7/A#"}}) {
    INFO(symbol << " by " << steps);
    auto text = shown("(transpose :steps " + std::to_string(steps) +
                      " (measure (key c :major) (harmony \"" + symbol + "\") (note c4 :w)))");
    CHECK(text.find("(harmony \"" + std::string{moved} + "\")") != std::string::npos);
  }
  CHECK(shown("(transpose :steps 1 :key c-major (harmony \"E7\"))") == "(harmony \"F7\")");
  CHECK(shown("(sequence 3 :steps 1 :key c-major (harmony \"E7\") (note e4))") ==
        "(seq (harmony \"E7\") (note e4 :q) (harmony \"F7\") (note f4 :q) (harmony \"G7\") "
        "(note g4 :q))");
  CHECK(shown("(transpose :steps 3 (seq (harmony \"N.C.\") (note c4 :w)) :key c-major)") ==
        "(seq (harmony \"N.C.\") (note f4 :w))");
}

}  // namespace fermata::moved_signs_test
