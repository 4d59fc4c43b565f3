#include "midi/performance/tempo_signs.hpp"
#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::tempo_test {

using namespace testing;

namespace {

direction metronome_mark(const std::string& beat, const std::string& per_minute) {
  metronome m;
  m.beat = *parse_note_value(beat);
  m.per_minute = per_minute;
  return showing(m);
}

measure whole(const std::string& number = "1") { return bar("c4:w", number); }

}  // namespace

TEST_CASE("a metronome mark counts its own beats") {
  struct row {
    const char *beat, *per_minute, *steps;
  };
  // 60 dotted quarters are 90 quarters: 60,000,000 / 90 = 666,667 microseconds.
  const row rows[] = {{"q", "60", "0:1000000"},   {"q.", "60", "0:666667"},
                      {"h", "60", "0:500000"},    {"8", "120", "0:1000000"},
                      {"q", "c. 96", "0:625000"}, {"q", "66.5", "0:902256"},
                      {"q", "fast", "0:500000"},  {"q", "0", "0:500000"}};
  for (auto& r : rows) {
    auto m = whole();
    CHECK(tempos(*one_measure(lead(m, metronome_mark(r.beat, r.per_minute)))) == r.steps);
  }
}

TEST_CASE("the tempo that a file says for playback counts more than the mark and the words") {
  auto m = whole();
  auto d = metronome_mark("q", "100");
  d.types.insert(d.types.begin(), words{"Adagio", {}});
  CHECK(tempos(*one_measure(lead(m, d))) == "0:600000");
  m = whole();
  d.sound = sound_saying("tempo", "120");
  CHECK(tempos(*one_measure(lead(m, d))) == "0:500000");
  m = whole();
  CHECK(tempos(*one_measure(lead(m, sound_saying("tempo", "40")))) == "0:1500000");
}

TEST_CASE("words have the tempo that metronomes print for them") {
  struct row {
    const char* words;
    double tempo;
  };
  for (auto& r : {row{"Allegro con brio", 144}, row{"ADAGIO", 71}, row{"Largo", 50},
                  row{"Presto.", 187}, row{"Andantino", 94}}) {
    auto found = tempo_in_words(r.words);
    REQUIRE(found);
    CHECK(found->what == tempo_sign::kind::set);
    CHECK(found->value == r.tempo);
  }
  for (auto* other : {"dolce", "con moto allegro", "", "ritmico"})
    CHECK_FALSE(tempo_in_words(other));
}

TEST_CASE("a beat equation keeps the beat: the left one is the old one") {
  // Quarter = 120 before; a quarter lasts as long as a dotted quarter now: quarter = 180.
  auto first = whole();
  auto second = whole("2");
  metronome m;
  m.beat = *parse_note_value("q");
  m.equals = *parse_note_value("q.");
  lead(second, showing(m));
  CHECK(tempos(*make_score({make_part({first, second})})) == "0:500000 4:333333");
}

TEST_CASE("a ritardando slows down evenly until a tempo") {
  // From 120 to 72 (LilyPond's 60 %) in eighths: 117, 111, 105, 99, 93, 87, 81, 75.
  auto first = whole(), second = whole("2");
  lead(first, text("rit."));
  lead(second, text("a tempo"));
  auto s = make_score({make_part({first, second})});
  CHECK(tempos(*s) ==
        "0:512821 1/2:540541 1:571429 3/2:606061 2:645161 5/2:689655 3:740741 7/2:800000 "
        "4:500000");
  CHECK(tempos(*s, exact()) == "0:500000");
}

TEST_CASE("an accelerando goes to the tempo that is written at its end") {
  // From 60 to 80 in four quarters: 61.25, 63.75, 66.25, 68.75, 71.25, 73.75, 76.25, 78.75.
  auto first = whole(), second = whole("2");
  lead(first, text("accel."));
  lead(first, metronome_mark("q", "60"));
  lead(second, metronome_mark("q", "80"));
  CHECK(tempos(*make_score({make_part({first, second})})) ==
        "0:979592 1/2:941176 1:905660 3/2:872727 2:842105 5/2:813559 3:786885 7/2:761905 "
        "4:750000");
}

TEST_CASE("poco rit. slows down little") {
  // To 90 %: 120 - 12 * 7.5 / 8 = 108.75 in the last eighth.
  auto m = whole();
  lead(m, text("poco rit."));
  auto steps = render_or_throw(*one_measure(m), performed()).tempo.steps();
  REQUIRE(steps.size() == 8);
  CHECK(steps.back().microseconds_per_quarter == 551'724);
}

TEST_CASE("however often a score says rit., the piece goes on") {
  std::vector<measure> measures;
  for (int i = 1; i <= 200; ++i) {
    auto m = whole(std::to_string(i));
    measures.push_back(lead(m, text("rit.")));
  }
  auto p = render_or_throw(*make_score({make_part(std::move(measures))}), performed());
  // A quarter of 120 is 30: two seconds for a quarter note.
  CHECK(p.tempo.microseconds_per_quarter_at(quarters{799}) == 2'000'000);
}

TEST_CASE("behind the repeat barline nobody is still slowing down") {
  auto first = whole(), second = whole("2"), third = whole("3");
  lead(second, text("rit."));
  barline b;
  b.repeat = "backward";
  put(second, 4, b);
  auto p = render_or_throw(*make_score({make_part({first, second, third})}), performed());
  // Measures 1 2 1 2 3: in tempo at 8 quarters and at 16, slower before.
  CHECK(p.tempo.microseconds_per_quarter_at(quarters{rational{15, 2}}) == 800'000);
  CHECK(p.tempo.microseconds_per_quarter_at(quarters{8}) == 500'000);
  CHECK(p.tempo.microseconds_per_quarter_at(quarters{rational{31, 2}}) == 800'000);
  CHECK(p.tempo.microseconds_per_quarter_at(quarters{16}) == 500'000);
}

TEST_CASE("a repeat goes back to the tempo of its beginning") {
  auto first = whole(), second = whole("2");
  lead(first, metronome_mark("q", "60"));
  lead(second, metronome_mark("q", "120"));
  barline b;
  b.repeat = "backward";
  put(second, 4, b);
  CHECK(tempos(*make_score({make_part({first, second})})) ==
        "0:1000000 4:500000 8:1000000 12:500000");
}

TEST_CASE("tempo primo is the first tempo of the piece") {
  auto first = whole(), second = whole("2"), third = whole("3");
  lead(first, metronome_mark("q", "100"));
  lead(second, metronome_mark("q", "50"));
  lead(third, text("Tempo I"));
  CHECK(tempos(*make_score({make_part({first, second, third})})) == "0:600000 4:1200000 8:600000");
}

TEST_CASE("a tempo in several parts is said once") {
  auto upper = whole(), lower = whole();
  lead(upper, metronome_mark("q", "60"));
  lead(lower, metronome_mark("q", "90"));
  auto p = render_or_throw(*make_score({make_part({upper}), make_part({lower}, "P2")}), exact());
  CHECK(events_of<tempo_change>(p, [](auto& t, auto&) {
          return std::to_string(t.microseconds_per_quarter);
        }) == "0:1000000");
}

TEST_CASE("a fermata makes its note longer, whoever else plays") {
  // Half note at 120 with a fermata of 1.5: 750,000 microseconds per quarter.
  auto m = bar("c4:h d4:h");
  mark_note(m, 1, mark_kind::fermata_mark);
  auto below = bar("c3:w");
  mark_note(below, 0, mark_kind::fermata_mark);
  // Both end together: the shorter note is held.
  auto s = make_score({make_part({m}), make_part({below}, "P2")});
  CHECK(tempos(*s) == "0:500000 2:750000 4:500000");
  CHECK(tempos(*s, exact()) == "0:500000");
}

TEST_CASE("the shape of a fermata says how long it is") {
  struct row {
    const char *shape, *steps;
  };
  // The factors of pauses.hpp: very short 1.25, short and normal 1.5, long 2, very long 3.
  for (auto& r : {row{"double-angled", "0:625000 4:500000"}, row{"angled", "0:750000 4:500000"},
                  row{"normal", "0:750000 4:500000"}, row{"square", "0:1000000 4:500000"},
                  row{"double-square", "0:1500000 4:500000"}}) {
    auto m = whole();
    mark_note(m, 0, mark_kind::fermata_mark, r.shape);
    CHECK(tempos(*one_measure(m)) == r.steps);
  }
}

TEST_CASE("at a caesura all is silent for two seconds") {
  auto m = bar("c4:h d4:h");
  mark_note(m, 0, mark_kind::caesura);
  mark_note(m, 0, mark_kind::tenuto);
  mark_note(m, 1, mark_kind::tenuto);
  auto s = one_measure(m);
  // The note ends a 16th (1/4) early: 7/4. The 16th lasts 1/8 s and 2 s: 2,125,000 microseconds,
  // 8,500,000 per quarter.
  CHECK(heard(*s) == "0+7/4:60 2+2:62");
  CHECK(tempos(*s) == "0:500000 7/4:8500000 2:500000");
  CHECK(render_or_throw(*s, performed()).tempo.time_at(quarters{4}) == std::chrono::seconds{4});
}

TEST_CASE("a fermata on a barline is a silence of two seconds") {
  auto m = whole();
  mark_note(m, 0, mark_kind::tenuto);
  barline b;
  b.extra = preserved_xml{{}, {{"<fermata type=\"upright\"/>"}}};
  put(m, 4, b);
  auto s = make_score({make_part({m, whole()})});
  // As at a caesura: the 16th before it lasts 1/8 s and 2 s.
  CHECK(tempos(*s) == "0:500000 15/4:8500000 4:500000");
  CHECK(tempos(*s, exact()) == "0:500000");
}

}  // namespace fermata::midi::tempo_test
