#include "core/lang/value/form_spec.hpp"
#include "core/theory/chord_symbol.hpp"
#include "core/theory/chord_type.hpp"
#include "evaluated.hpp"

namespace fermata::transform_test {

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

TEST_CASE("what changes durations says that a pitch has none") {
  for (auto text : {"(augment 2 c4)", "(augment 2 (c4 d4))", "(diminish 2 c4)",
                    "(diminish 2 (list (note c4 :q) d4))"}) {
    INFO(text);
    auto fault = fault_of(text);
    CHECK(fault.code == errc::wrong_type);
    CHECK(fault.message.find("expected music with durations, not the pitch") != std::string::npos);
    CHECK(fault.message.find("which has none") != std::string::npos);
    CHECK(fault.hint.find("(note ") != std::string::npos);
  }
  // Their help promises no pitches; that of what takes them does.
  auto takes_pitches = [](std::string_view form) {
    return find_form(form)->params.back().doc.find("pitches") != std::string::npos;
  };
  for (auto form : {"augment", "diminish"})
    CHECK_FALSE(takes_pitches(form));
  for (auto form : {"retrograde", "rotate"})
    CHECK(takes_pitches(form));
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

TEST_CASE("a repeat that is rotated by its whole length keeps its signs in front and behind") {
  // As the compiler writes them.
  for (const auto* repeat :
       {"(repeat (measure (note c5 :w)))", "(repeat :times 3 (measure (note c5 :w)))",
        "(repeat (measure (note c5 :w)) (measure (note d5 :w)))",
        "(repeat (ending 1 (measure (note c5 :w))) (ending 2 (measure (note d5 :w))))"})
    for (const auto* steps : {"0", "2", "-2"}) {
      const auto part = std::string{"(part :violin "} + repeat + ")";
      const auto turned = std::string{"(rotate "} + steps + " " + part + ")";
      INFO(turned);
      CHECK(score_of(turned) == score_of(part));
    }
  CHECK(score_of("(rotate 1 (part :violin (repeat (measure (note c5 :w)))))") ==
        score_of("(part :violin (repeat (measure (note c5 :w))))"));
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

namespace {

/// The chord symbols of music, in order.
std::string symbols_in(std::string_view text) {
  std::string out;
  std::string all = shown(text);
  for (auto at = all.find("(harmony"); at != std::string::npos; at = all.find("(harmony", at + 1))
    out += (out.empty() ? "" : " ") + all.substr(at + 10, all.find('"', at + 10) - at - 10);
  return out;
}

std::string quoted(const std::string& symbol) { return "(harmony \"" + symbol + "\")"; }

}  // namespace

TEST_CASE("chord symbols are mirrored with the notes") {
  // By hand: C E G about C is C Ab F; C E G Bb is C Ab F D; D F A C about C is Bb G Eb C.
  CHECK(symbols_in("(invert c4 (measure (harmony \"C\") (chord (c4 e4 g4) :w)))") == "Fm");
  CHECK(symbols_in("(invert c4 (seq (harmony \"C7\") (note c4)))") == "Dm7b5");
  CHECK(symbols_in("(invert c4 (seq (harmony \"Dm\") (note c4)))") == "Eb");
  // C E G over E: the lowest of C Ab F is the image of the highest, C.
  CHECK(symbols_in("(invert c4 (seq (harmony \"C/E\") (note c4)))") == "Fm/C");
  // By the steps of C major, C E G is C A F.
  CHECK(symbols_in("(invert c4 (seq (harmony \"C\") (note c4)) :key c-major)") == "F");
  // No chord is none, and what has no name in the mirror goes away.
  CHECK(symbols_in("(invert c4 (seq (harmony \"N.C.\") (note c4)))") == "N.C.");
  CHECK(symbols_in("(invert c4 (seq (harmony \"C/D\") (note c4)))").empty());
}

TEST_CASE("mirroring chord symbols twice gives them again, and goes with transposition") {
  // Group laws: I after I is nothing; T by n after I about a is I about a after T by -n.
  for (std::string root : {"C", "F#", "Bb", "E"})
    for (std::string kind : {"", "m", "7", "m7b5", "maj7", "dim", "m7", "dim7", "m7/"}) {
      auto over = kind.ends_with("/");
      auto symbol = root + (over ? kind.substr(0, kind.size() - 1) : kind);
      if (over && root == "E") symbol += "/B";
      auto x = "(seq " + quoted(symbol) + " (note c4))";
      INFO(symbol);
      CHECK(symbols_in("(invert d4 (invert d4 " + x + "))") == symbol);
      CHECK_FALSE(symbols_in("(invert d4 " + x + ")").empty());
      CHECK(symbols_in("(transpose M2 (invert d4 " + x + "))") ==
            symbols_in("(invert d4 (transpose -M2 " + x + "))"));
      CHECK(symbols_in("(transpose m3 (invert d4 " + x + "))") ==
            symbols_in("(invert d4 (transpose -m3 " + x + "))"));
    }
}

TEST_CASE("every chord symbol that has a mirror comes back from it") {
  // Mirroring twice about one axis is nothing. Tones may have two names: C Eb G Bb over Eb is
  // Cm7/Eb and Eb6.
  CHECK(symbols_in("(invert c4 (invert c4 (seq (harmony \"Cm7/Eb\") (note c4))))") == "Cm7/Eb");
  CHECK(symbols_in("(invert c4 (invert c4 (seq (harmony \"Eb6\") (note c4))))") == "Eb6");
  auto tried = 0;
  for (const auto& type : chord_table()) {
    auto kind = type.symbol == "M" ? std::string{} : std::string{type.symbol};
    for (const auto& bass : chord_names({step::c, 0}, type.intervals)) {
      auto symbol = "C" + kind;
      if (bass != pitch_name{step::c, 0}) symbol += "/" + symbol_name(bass);
      auto x = "(seq " + quoted(symbol) + " (note c4))";
      auto once = symbols_in("(invert c4 " + x + ")");
      if (once.empty()) continue;
      ++tried;
      INFO(symbol << " to " << once);
      CHECK(symbols_in("(invert c4 (invert c4 " + x + "))") == symbols_in(x));
    }
  }
  CHECK(tried > 100);
}

TEST_CASE("a chord symbol that moves leaves its fret diagram behind") {
  // The diagram shows the fingering of the old chord; an octave away it is the same chord.
  const std::string c = "(seq (harmony \"C\" :xml (\"<frame><frame-strings>6</frame-strings>"
                        "<frame-frets>4</frame-frets></frame>\")) (note c4))";
  CHECK(shown(c).find("<frame>") != std::string::npos);
  for (const std::string by : {"M2", "-P5", "+1"}) {
    auto moved = shown("(transpose " + by + " " + c + ")");
    INFO(moved);
    CHECK(moved.find("<frame>") == std::string::npos);
    CHECK(moved.find("(harmony \"") != std::string::npos);
  }
  CHECK(shown("(transpose P8 " + c + ")").find("<frame>") != std::string::npos);
  CHECK(shown("(invert c4 " + c + ")").find("<frame>") == std::string::npos);
}

TEST_CASE("a key that has to be written enharmonically takes its notes along") {
  // C sharp major a tone higher is D sharp major with nine sharps: E flat major, and its scale.
  CHECK(shown("(transpose M2 (measure (key c# :major) (harmony \"C#\") (note c#4 :q) (note e#4 :q) "
              "(note b#4 :h)))") ==
        "(measure (key :eb :major) (harmony \"Eb\") (note eb4 :q) (note g4 :q) (note d5 :h))");
  CHECK(shown("(transpose -M2 (measure (key cb :major) (note cb5 :q) (note gb4 :q) (rest :h)))") ==
        "(measure (key :a :major) (note a4 :q) (note e4 :q) (rest :h))");
  // Only as far as that key holds, in every voice; the next part begins anew.
  CHECK(shown("(transpose M2 (score (part (measure (key c :major) (note c4 :w)) (measure (key c# "
              ":major) (voice 1 (note c#4 :w)) (voice 2 (note e#4 :w))) (measure (note c#4 :w)) "
              "(measure (key f :major) (note f4 :w))) (part (measure (note c4 :w)))))") ==
        shown("(score (part (measure (key d :major) (note d4 :w)) (measure (key eb :major) (voice "
              "1 (note eb4 :w)) (voice 2 (note g4 :w))) (measure (note eb4 :w)) (measure (key g "
              ":major) (note g4 :w))) (part (measure (note d4 :w))))"));
  // Every key, by every interval: no note of its scale needs an accidental afterwards.
  for (std::string tonic :
       {"cb", "gb", "db", "ab", "eb", "bb", "f", "c", "g", "d", "a", "e", "b", "f#", "c#"})
    for (std::string by : {"M2", "m2", "m3", "M3", "P4", "aug4", "P5", "m6", "M7", "-m2", "-M3"}) {
      auto text = "(transpose " + by + " (measure (key " + tonic +
                  " :major) (apply seq (map (fn [p] (note p :8)) (scale " + tonic + " :major)))))";
      INFO(text);
      auto s = score_of("(score (part " + text + "))");
      auto key = first_in<attributes>(s).keys.at(0).value;
      CHECK(std::abs(key.fifths) <= 7);
      for (const auto& [at, x] : rhythm_of(s)) {
        auto p = std::get<pitch>(x.notes.at(0).tone);
        CHECK(p.cents == alteration(key, p.letter));
      }
    }
}

TEST_CASE("a signature of any tones moves with its notes") {
  // The acoustic scale C D E F# G A Bb a tone higher: D E F# G# A B C.
  CHECK(shown("(transpose 2 (measure (key :alterations (f# bb)) (note f#4 :h) (note bb4 :h)))") ==
        shown("(measure (key :alterations (g# f#)) (note g#4 :h) (note c5 :h))"));
  CHECK(shown("(transpose P8 (key :alterations (f# bb)))") == shown("(key :alterations (f# bb))"));
}

TEST_CASE("a rhythm from music keeps its rests, ties and tuplets") {
  CHECK(shown("(zip-rhythm (tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8)) (g4 a4 b4))") ==
        "(seq (tuplet 3:2 (note g4 :8) (note a4 :8) (note b4 :8)))");
  CHECK(shown("(zip-rhythm (seq (note c4 :q) (rest :q) (note d4 :8)) (g4 a4))") ==
        "(seq (note g4 :q) (rest :q) (note a4 :8))");
  CHECK(shown("(zip-rhythm (seq (note c4 :h :tie start) (note c4 :8 :tie stop) (note d4 :q)) (g4 "
              "a4))") == "(seq (note g4 :h :tie :start) (note g4 :8 :tie :stop) (note a4 :q))");
  CHECK(shown("(zip-rhythm (:q :8) (seq (note c4 :h :tie start) (note c4 :8 :tie stop) (note d4 "
              ":q)))") == "(seq (note c4 :q) (note d4 :8))");
  // A tuplet for which pitches are missing is still as long.
  CHECK(shown("(zip-rhythm (seq (note c4 :q) (tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8))) "
              "(g4 a4))") == "(seq (note g4 :q) (tuplet 3:2 (note a4 :8) (rest :8) (rest :8)))");
  CHECK(shown("(zip-rhythm (seq (note c4 :8) (rest :8)) (g4 a4 b4) :cycle)") ==
        "(seq (note g4 :8) (rest :8) (note a4 :8) (rest :8) (note b4 :8) (rest :8))");
  CHECK(shown("(zip-rhythm (seq (note c4 :8) (note c4 :q)) (list (list c4 e4) g4))") ==
        "(seq (chord (c4 e4) :8) (note g4 :q))");
  CHECK(fault_of("(zip-rhythm (seq (rest :q)) (c4))").code == errc::invalid_duration);
}

TEST_CASE("a slur leads through one voice") {
  // Two notes at the same moment have nothing to slur.
  CHECK(fault_of("(slur-over (par (note c4 :h) (note e4 :h)))").code == errc::wrong_argument_count);
  CHECK(
      shown("(slur-over (par (seq (note c4 :q) (note d4 :q)) (seq (note e4 :q) (note f4 :q))))") ==
      "(par (seq (note c4 :q :slur :start) (note d4 :q :slur :stop)) (seq (note e4 :q :slur "
      "(:start 2)) (note f4 :q :slur (:stop 2))))");
  CHECK(shown("(slur-over (note c4 :q) (par (note d4 :q) (note f4 :q)) (note e4 :q))") ==
        "(seq (note c4 :q :slur :start) (par (note d4 :q) (note f4 :q)) (note e4 :q :slur :stop))");
  CHECK(
      shown("(slur-over (measure (voice 1 (note c5 :w)) (voice 2 (note e4 :w))) (measure (voice 1 "
            "(note d5 :w)) (voice 2 (note f4 :w))))") ==
      "(seq (measure (voice 1 (note c5 :w :slur :start)) (voice 2 (note e4 :w :slur (:start 2)))) "
      "(measure (voice 1 (note d5 :w :slur :stop)) (voice 2 (note f4 :w :slur (:stop 2)))))");
}

TEST_CASE("a key beyond seven sharps can be named where it is said to be theoretical") {
  // G sharp major has eight sharps, F flat major eight flats, B sharp minor nine sharps.
  CHECK(shown("(key g# :major :theoretical)") == shown("(key 8 :theoretical :mode major)"));
  CHECK(shown("(key fb :major :theoretical)") == shown("(key -8 :theoretical :mode major)"));
  CHECK(shown("(key b# :minor :theoretical)") == shown("(key 9 :theoretical :mode minor)"));
  CHECK(shown("(key d :major :theoretical)") == shown("(key d :major)"));
  auto refused = fault_of("(key g# :major)");
  CHECK(refused.code == errc::invalid_key);
  CHECK(refused.message.find(":theoretical") != std::string::npos);
}

TEST_CASE("several arguments are transposed as one row") {
  // D sharp major has nine sharps and is written as E flat major; so is all that it holds for.
  CHECK(shown("(transpose M2 (measure (key c# :major) (note c#4)) (measure (note e#4)))") ==
        shown("(seq (measure (key eb :major) (note eb4)) (measure (note g4)))"));
  CHECK(shown("(transpose -m2 (key a :major) (note a4) (note g#4) (note c#5))") ==
        shown("(transpose -m2 (seq (key a :major) (note a4) (note g#4) (note c#5)))"));
  CHECK(shown("(sequence 3 :by M2 (key b :major) (note b4 :q) (note d#5 :q))") ==
        "(seq (key :b :major) (note b4 :q) (note d#5 :q) (key :c# :major) (note c#5 :q) (note e#5 "
        ":q) (key :eb :major) (note eb5 :q) (note g5 :q))");
  // Semitones: the key of the row says how all of it is spelt, and chord symbols with it.
  for (std::string_view x : {"(key c# :major) (note e#4) (harmony \"C#\") (note b#4)",
                             "(key b :major) (note d#5) (note a#4)",
                             "(measure (key f# :major) (note a#4 :w)) (measure (note e#4 :w))"})
    for (std::string_view by : {"+2", "-1", "+1", "M2", "-m2", "aug1", ":steps 2"}) {
      CAPTURE(x, by);
      auto form = "(transpose " + std::string{by} + " ";
      CHECK(shown(form + std::string{x} + ")") == shown(form + "(seq " + std::string{x} + "))"));
      // In a list, each stays an item of it.
      CHECK(shown("(apply seq " + form + "(list " + std::string{x} + ")))") ==
            shown(form + "(seq " + std::string{x} + "))"));
    }
  // Pitches among music are notes of the row.
  CHECK(shown("(transpose M2 (list (key c# :major) c#4 (list e#4 g#4)))") ==
        "((key :eb :major) eb4 (g4 bb4))");
  // A key holds in its part only.
  CHECK(shown("(transpose M2 (list (part (measure (key c# :major) (note c#4 :w))) (part (measure "
              "(note e#4 :w)))))")
            .find("f##4") != std::string::npos);
}

TEST_CASE("a rhythm and its tones are those of one voice") {
  for (std::string_view x :
       {"(seq (measure (voice 1 (note c5 :w :tie start)) (voice 2 (note e4 :w))) (measure (voice 1 "
        "(note c5 :w :tie stop)) (voice 2 (note e4 :w))))",
        "(par (note c5 :h) (note e4 :h))", "(list (par (note c5 :h) (note e4 :h)))",
        "(measure (staff 1 (note c5 :w)) (staff 2 (note c3 :w)))",
        "(score (part (measure (note c5 :w))) (part (measure (note e4 :w))))",
        "(measure (note c5 :w) (voice 2 (note e4 :w)))"}) {
    CAPTURE(x);
    auto rhythm = fault_of("(zip-rhythm " + std::string{x} + " (c4 d4 e4))");
    CHECK(rhythm.message.find("a rhythm must have one voice") != std::string::npos);
    CHECK(rhythm.hint.find(":voice 1") != std::string::npos);
    auto tones = fault_of("(zip-rhythm (:q :q) " + std::string{x} + ")");
    CHECK(tones.message.find("pitches must come from one voice") != std::string::npos);
  }
  CHECK(fault_of("(zip-rhythm (par (note c5 :h) (rest :h)) (c4 d4))").code == errc::wrong_type);
  // Marks beside a voice are none, and a voice of any name is one.
  CHECK(shown("(zip-rhythm (seq (par (p) (note c5 :h)) (note d5 :q)) (c4 d4))") ==
        "(seq (note c4 :h) (note d4 :q))");
  CHECK(shown("(zip-rhythm (measure (voice 2 (note c5 :h) (note d5 :h))) (c4 d4))") ==
        "(seq (note c4 :h) (note d4 :h))");
  CHECK(shown("(zip-rhythm (:q :h) (measure (staff 2 (note c5 :h) (note d5 :h))))") ==
        "(seq (note c5 :q) (note d5 :h))");
}

TEST_CASE("endings and jumps do not change places with what they are about") {
  const std::string endings = "(ending 1 (measure (note d4 :w))) (ending 2 (measure (note e4 :w)))";
  for (const auto& x :
       {"(repeat (measure (note c4 :w)) " + endings + ")",
        "(part (measure (note c4 :w)) (repeat (measure (note d4 :w)) " + endings + "))",
        "(part (repeat (measure (note d4 :w))) " + endings + ")",
        "(score (part (measure (note c4 :w)) (repeat (measure (note d4 :w)) " + endings + ")))",
        std::string{"(part (measure (note c4 :w)) (measure (barline :ending 1 :start) "
                    "(note d4 :w)))"},
        std::string{"(seq (measure (segno) (note c4 :w)) (measure (note d4 :w)))"}}) {
    CAPTURE(x);
    auto v = try_eval("(rotate 1 " + x + ")");
    REQUIRE_FALSE(v);
    CHECK(v.error().first().code == errc::misplaced);
    CHECK(v.error().first().message.find("cannot be rotated") != std::string::npos);
    // Nothing is moved, nothing is wrong.
    CHECK(try_eval("(rotate 0 " + x + ")"));
  }
  // Several arguments as well.
  CHECK(fault_of("(rotate 1 (repeat (measure (note c4 :w))) " + endings + ")").code ==
        errc::misplaced);
  // Inside a measure the signs at its edges stay, whatever they are.
  CHECK(shown("(rotate 1 (measure (barline :ending 1 :start) (note c4 :h) (note "
              "d4 :h) (barline :repeat-end :ending 1 :stop)))") ==
        shown("(measure (barline :ending 1 :start) (note d4 :h) (note c4 :h) "
              "(barline :repeat-end :ending 1 :stop))"));
  // Repeat signs among notes would enclose others; a repeat moves as a whole.
  auto fault =
      fault_of("(rotate 1 (part (barline :repeat-start) (note c4 :w) (barline :repeat-end) "
               "(barline :repeat-start) (note d4 :w) (barline :repeat-end) (note e4 :w)))");
  CHECK(fault.code == errc::misplaced);
  CHECK(fault.message.find("repeat signs in the rotated music would enclose") != std::string::npos);
  CHECK(shown("(rotate 1 (seq (repeat (measure (note c4 :w))) (repeat (measure (note d4 :w)))))") ==
        shown("(seq (repeat (measure (note d4 :w))) (repeat (measure (note c4 :w))))"));
  // Repeats without endings: signs stay where they were in a part.
  CHECK(shown("(rotate 1 (part (measure (note c4 :w)) (repeat (measure (note d4 :w)) (measure "
              "(note e4 :w)))))") ==
        "(part (measure (note d4 :w)) (measure (barline :repeat-start) (note e4 :w)) (measure "
        "(note c4 :w) (barline :repeat-end)))");
}

}  // namespace fermata::transform_test
