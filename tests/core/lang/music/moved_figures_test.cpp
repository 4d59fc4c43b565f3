#include "core/theory/thorough_bass.hpp"
#include "core/theory/transposition.hpp"
#include "evaluated.hpp"

#include <array>

namespace fermata::moved_figures_test {

using namespace fermata::test;

namespace {

std::string bar(std::string_view key, std::string_view figure, std::string_view bass) {
  return "(measure (key " + std::string{key} + ") (figured-bass \"" + std::string{figure} +
         "\") (note " + std::string{bass} + " :w))";
}

}  // namespace

TEST_CASE("the sign of a figure is that of the transposed tone in the transposed key") {
  struct row {
    std::string_view by, key, figure, bass, new_key, new_figure, new_bass;
  };
  // By hand: the tone is counted from the bass, moved as a note is, and gets its sign in the key.
  for (auto [by, key, figure, bass, new_key, new_figure, new_bass] : {
           // G B D in C minor is E G# B in A minor: the leading tone.
           row{"-m3", "c :minor", "n", "g3", "a :minor", "#", "e3"},
           row{"m3", "a :minor", "#", "e3", "c :minor", "n", "g3"},
           row{"-3", "c :minor", "n", "g3", "a :minor", "#", "e3"},
           // The natural sixth over C in E flat major is A, a semitone lower over B G sharp.
           row{"-m2", "eb :major", "n6", "c4", "d :major", "#6", "b3"},
           row{"-m2", "eb :major", "6n", "c4", "d :major", "6#", "b3"},
           // The lowered seventh: B flat over C in C major is A natural over B in B major.
           row{"-m2", "c :major", "b7", "c4", "b :major", "n7", "b3"},
           row{"m2", "b :major", "n7", "b3", "c :major", "b7", "c4"},
           // E flat over C in C major is G flat over E flat, whose major key has G.
           row{"m3", "c :major", "b", "c3", "eb :major", "b", "eb3"},
           // Figures without a sign and strokes are the same in every key.
           row{"-m3", "c :minor", "6", "g3", "a :minor", "6", "e3"},
           row{"-m3", "c :minor", "6/", "d3", "a :minor", "6/", "b2"},
           row{"-m3", "c :minor", "4+", "f3", "a :minor", "4+", "d3"},
           // Octaves change nothing.
           row{"P8", "c :minor", "n", "g3", "c :minor", "n", "g4"},
           row{"+12", "c :minor", "n", "g3", "c :minor", "n", "g4"},
       }) {
    CAPTURE(by, key, figure);
    CHECK(shown("(transpose " + std::string{by} + " " + bar(key, figure, bass) + ")") ==
          shown(bar(new_key, new_figure, new_bass)));
  }
}

TEST_CASE("a figured chord that is transposed is the chord it was, higher or lower") {
  // Whatever the figures: the tones that `realize` gives are moved like any others.
  for (std::string_view name : {"C", "c", "D", "a", "Eb", "f#", "E", "bb"})
    for (std::string_view figure : {"n", "#", "b", "#6", "b7", "n6", "4+", "n3", "x4", "bb7", "6"})
      for (auto by : {interval{2, 3}, interval{-2, -3}, interval{1, 2}, interval{-1, -1}}) {
        auto key = *parse_tonality(name);
        auto target = tonality{transposed(key.tonic, by), key.mode};
        if (std::abs(fifths(target)) > 7) continue;
        CAPTURE(name, figure, to_string(by));
        auto words = [](const tonality& t) {
          return to_string(t.tonic) + (t.mode == mode::minor ? " :minor" : " :major");
        };
        auto bass = pitch{key.tonic.letter, key.tonic.cents, 3};
        auto before = realize_figures(bass, figure, key).value();
        for (auto& p : before)
          p = transposed(p, by);
        auto m = music_of("(transpose " + to_string(by) + " " +
                          bar(words(key), figure, to_string(bass)) + ")");
        const auto& items = *items_of(*m);
        const auto& f = leaf<figured_bass>(*items[1])->figures.front();
        auto sign = [](std::string_view s) -> std::string {
          return s == "sharp"          ? "#"
                 : s == "flat"         ? "b"
                 : s == "natural"      ? "n"
                 : s == "double-sharp" ? "x"
                 : s == "flat-flat"    ? "bb"
                 : s == "plus"         ? "+"
                                       : "";
        };
        auto figures = sign(f.prefix) + f.number + sign(f.suffix);
        CHECK(realize_figures(transposed(bass, by), figures, target).value() == before);
      }
}

TEST_CASE("figures are counted from the bass that sounds with them") {
  // D minor to G minor: A C# E is D F# A. The bass is g and a, the upper voice elsewhere.
  CHECK(shown("(transpose P4 (measure (key d :minor) (figured-bass \"#\") (voice 1 (note e4 :w)) "
              "(voice 2 (note a3 :w))))") ==
        shown("(measure (key g :minor) (figured-bass \"#\") (voice 1 (note a4 :w)) (voice 2 (note "
              "d4 :w)))"));
  // C minor to A minor, over the second note.
  CHECK(shown("(transpose -m3 (measure (key c :minor) (note c3 :h) (figured-bass \"n\") (note g3 "
              ":h)))") ==
        shown("(measure (key a :minor) (note a2 :h) (figured-bass \"#\") (note e3 :h))"));
  // Two in turn over one note, and one over a rest, before its note.
  CHECK(shown("(transpose -m3 (seq (key c :minor) (figured-bass 4 :q) (figured-bass \"n\" :q) "
              "(note g3 :h) (figured-bass \"n\") (rest :q) (note g3 :q)))") ==
        shown("(seq (key a :minor) (figured-bass 4 :q) (figured-bass \"#\" :q) (note e3 :h) "
              "(figured-bass \"#\") (rest :q) (note e3 :q))"));
  // In a list and in several arguments as well.
  CHECK(shown("(transpose -m3 (list (key c :minor) (figured-bass \"n\") (note g3)))") ==
        "((key :a :minor) (figured-bass \"#\") (note e3 :q))");
  auto fault = fault_of("(transpose -m3 (figured-bass \"n\"))");
  CHECK(fault.code == errc::misplaced);
  CHECK(fault.message.find("no bass note") != std::string::npos);
  CHECK(shown("(transpose -m3 (figured-bass 6))") == "(figured-bass 6)");
}

TEST_CASE("where the key stays, figures say what the new tones need") {
  // Without a key in the music C major holds before and behind: E G# B is F# A# C#.
  CHECK(shown("(transpose M2 (seq (figured-bass \"#\") (note e3 :w)))") ==
        "(seq (figured-bass \"#\") (note f#3 :w))");
  // G E is A F sharp, which C major does not have.
  CHECK(shown("(transpose M2 (seq (figured-bass 6) (note g3 :w)))") ==
        "(seq (figured-bass \"#6\") (note a3 :w))");
  // By steps numbers stay, and what is raised stays raised: the third over A flat is C, now C#.
  CHECK(shown("(transpose :steps 1 (measure (key c :minor) (figured-bass \"n\") (note g3 :w)))") ==
        shown("(measure (key c :minor) (figured-bass \"#\") (note ab3 :w))"));
  CHECK(shown("(transpose :steps 2 (measure (key c :minor) (figured-bass 6) (note g3 :w)))") ==
        shown("(measure (key c :minor) (figured-bass 6) (note bb3 :w))"));
}

TEST_CASE("a sequence takes figures along, and the mirror has none") {
  CHECK(
      shown("(sequence 2 :by -m3 (key c :minor) (figured-bass \"n\") (note g3 :w))") ==
      "(seq (key :c :minor) (figured-bass \"n\") (note g3 :w) (key :a :minor) (figured-bass \"#\") "
      "(note e3 :w))");
  CHECK(shown("(invert c4 (measure (figured-bass \"n\") (note g3 :w)))") ==
        shown("(measure (note f4 :w))"));
}

}  // namespace fermata::moved_figures_test
