#include "evaluated.hpp"

namespace fermata::retrograde_lines_test {

using namespace fermata::test;

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

TEST_CASE("backwards, a mark at the start of the left hand's measure stays in its voice") {
  // What begins with the first note of a hand ends behind its last one when it is read back, and
  // begins there again when it is read back once more: printed in the voice it is in each time.
  for (const auto* voice : {"5 :staff 2", "2 :staff 1", "2"})
    for (const auto* line :
         {"(cresc) (note c3 :h) (hairpin-stop)", "(dim) (note c3 :h) (hairpin-stop)",
          "(octave-shift :8vb) (note c3 :h) (octave-shift :stop)",
          "(pedal :start) (note c3 :h) (pedal :stop)", "(p) (note c3 :h)",
          "(tempo :q 60) (note c3 :h)", "(clef :alto) (note c3 :h)"}) {
      const auto text =
          std::string{"(retrograde (part :piano (measure (voice 1 :staff 1 (note c5 :h) "
                      "(note e5 :h)) (voice "} +
          voice + " " + line + " (note d3 :h)))))";
      INFO(text);
      const auto once = shown(text);
      INFO(once);
      CHECK(once.find("(backup") == std::string::npos);
      CHECK(once.find(":at") == std::string::npos);
      CHECK(shown("(retrograde (retrograde " + text + "))") == once);
    }
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

}  // namespace fermata::retrograde_lines_test
