#include "core/lang/value/form_spec.hpp"
#include "tests/core/lang/evaluated.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

// A quarter tone has none of the twelve pitch classes. What works in semitones says so instead of
// rounding it; what builds on intervals takes it along.

namespace fermata::quarter_tones_test {

namespace {

struct quarter_tone_row {
  std::string_view form;
  const char* text;    ///< a call with a quarter tone; null: the form takes no pitch
  const char* result;  ///< null: refused
};

constexpr quarter_tone_row quarter_tone_rows[] = {
    // Every interval above a quarter sharp is as large as above the natural.
    {"scale", "(scale c+4 :major)", "(c+4 d+4 e+4 f+4 g+4 a+4 b+4 c+5)"},
    {"deg", "(deg c+4 5)", "g+4"},
    {"chord-voicing", "(chord-voicing c+4 :minor)", "(c+4 ed4 g+4)"},
    // Figures count letters from the bass; the key says how they sound.
    {"realize", "(realize c+3 \"64\" :key c-major)", "(c+3 f3 a3)"},
    {"chord-name", "(chord-name c4 e+4 g4)", nullptr},
    {"numeral", "(numeral (c4 e+4 g4) :key c-major)", nullptr},
    {"find-key", "(find-key (seq (note e+4)))", nullptr},
    {"chords-in", "(chords-in (seq (chord (c4 e+4 g4))))", nullptr},
    {"roman-numerals", "(roman-numerals (seq (chord (c4 e+4 g4))))", nullptr},
    {"cadences-in", "(cadences-in (seq (chord (c4 e+4 g4))))", nullptr},
    {"voice-leading-faults", "(voice-leading-faults (seq (chord (c3 g+3))))", nullptr},
    {"normal-form", "(normal-form c4 e+4)", nullptr},
    {"prime-form", "(prime-form c4 ed4 g4)", nullptr},
    {"forte-name", "(forte-name (list c4 (list e+4)))", nullptr},
    {"interval-vector", "(interval-vector c4 e+4)", nullptr},
    {"pc-transpose", "(pc-transpose 3 0 e+4)", nullptr},
    {"pc-invert", "(pc-invert 3 (note e+4))", nullptr},
    {"pc-multiply", "(pc-multiply 5 (c4 e+4))", nullptr},
    {"complement", "(complement e+4)", nullptr},
    {"z-partner", "(z-partner 0 1 4 f+4)", nullptr},
    {"similarity", "(similarity (list 0 1 4) (c4 e+4))", nullptr},
    {"row", "(row 0 1 2 3 e+4 5 6 7 8 9 10 11)", nullptr},
    {"row-form", "(row-form :P0 0 1 2 3 e+4 5 6 7 8 9 10 11)", nullptr},
    {"matrix", "(matrix 0 1 2 3 e+4 5 6 7 8 9 10 11)", nullptr},
    {"neo", "(neo :P (c4 e+4 g4))", nullptr},
    {"tonnetz-distance", "(tonnetz-distance (c4 e4 g4) (c4 ed4 g4))", nullptr},
    {"chord-pitches", nullptr, nullptr},
    {"rn", nullptr, nullptr},
    {"progression", nullptr, nullptr},
    {"cadence", nullptr, nullptr},
    {"set-class", nullptr, nullptr},
};

}  // namespace

TEST_CASE("what works in semitones refuses quarter tones, and nothing rounds them") {
  for (auto& r : quarter_tone_rows) {
    if (!r.text) continue;
    INFO(r.text);
    auto out = evaluated(r.text);
    if (r.result)
      CHECK(out == r.result);
    else
      CHECK((out.starts_with("error invalid-pitch: ") &&
             out.ends_with(" is not one of the twelve pitch classes")));
  }
}

TEST_CASE("every form of the theory says what it does with a quarter tone") {
  for (auto& form : form_table()) {
    if (form.category != "theory" && form.category != "set" && form.category != "row" &&
        form.category != "neo")
      continue;
    INFO("no row for " << form.name);
    CHECK(std::any_of(std::begin(quarter_tone_rows), std::end(quarter_tone_rows),
                      [&](auto& r) { return r.form == form.name; }));
  }
}

TEST_CASE("a score with a quarter tone is refused with the measure that has it") {
  auto request = request_for("(measure (note c4 :w)) (measure (note e+4 :w)) (find-key)");
  auto out = shown(evaluate(request));
  CHECK(out ==
        "error invalid-pitch: find-key: e+4 in measure 2 is not one of the twelve pitch classes");
  // Grace notes are not looked at.
  CHECK(evaluated(
            "(find-key (seq (note e+4 :grace plain) (note c4) (note e4) (note g4) (note c5)))") ==
        "c-major");
}

TEST_CASE("the error for a quarter tone points at it") {
  auto e = evaluate(request_for("(chord-name c4 e+4 g4)"));
  REQUIRE_FALSE(e);
  REQUIRE(e.error().first().span);
  CHECK(e.error().first().span->begin == 15);
  CHECK(e.error().first().span->end == 18);
}

}  // namespace fermata::quarter_tones_test
