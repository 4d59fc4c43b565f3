#include "core/music/pitch.hpp"

#include <catch2/catch.hpp>

namespace fermata::pitch_test {

TEST_CASE("the longest accidental wins and the octave is the last thing read") {
  // The accidental spellings are those of the language reference, section 2.
  struct row {
    std::string_view text;
    pitch expected;
  };
  for (const auto& [text, expected] :
       {row{"c4", {step::c, 0, 4}},          {"b3", {step::b, 0, 3}},
        {"bb3", {step::b, -100, 3}},         {"bbb3", {step::b, -200, 3}},
        {"bbbb3", {step::b, -300, 3}},       {"C4", {step::c, 0, 4}},
        {"f#5", {step::f, 100, 5}},          {"fs5", {step::f, 100, 5}},
        {"fx5", {step::f, 200, 5}},          {"f##5", {step::f, 200, 5}},
        {"f###5", {step::f, 300, 5}},        {"fn5", {step::f, 0, 5}},
        {"f+5", {step::f, 50, 5}},           {"fd5", {step::f, -50, 5}},
        {"f#+5", {step::f, 150, 5}},         {"f+#5", {step::f, 150, 5}},
        {"fdb5", {step::f, -150, 5}},        {"fbd5", {step::f, -150, 5}},
        {"dd4", {step::d, -50, 4}},          {"c-1", {step::c, 0, -1}},
        {"c#-1", {step::c, 100, -1}},        {"g9", {step::g, 0, 9}},
        {"f\u266f5", {step::f, 100, 5}},     {"e\u266d4", {step::e, -100, 4}},
        {"e\u266e4", {step::e, 0, 4}},       {"e\U0001d12b4", {step::e, -200, 4}},
        {"e\U0001d12a4", {step::e, 200, 4}}, {"e\u266d\u266d4", {step::e, -200, 4}},
        {"c{+33}4", {step::c, 33, 4}},       {"c{-133}-1", {step::c, -133, -1}},
        {"c{33}4", {step::c, 33, 4}}}) {
    INFO(text);
    REQUIRE(parse_pitch(text).has_value());
    CHECK(to_string(*parse_pitch(text)) == to_string(expected));
  }
}

TEST_CASE("what is not a pitch literal is left to be a symbol") {
  for (auto text : {"",
                    "c",
                    "4",
                    "h4",
                    "c10",
                    "c-2",
                    "c44",
                    "c#",
                    "c4 ",
                    " c4",
                    "c#b4",
                    "c####4",
                    "c{}4",
                    "c{+}4",
                    "c{++3}4",
                    "c{3x}4",
                    "c{99999}4",
                    "c{334",
                    "c--1",
                    "c\xe2\x99"
                    "4",
                    "cb#4"}) {
    INFO(text);
    CHECK_FALSE(parse_pitch(text).has_value());
  }
}

TEST_CASE("every pitch prints as a literal that reads back as itself") {
  for (int letter = 0; letter < 7; ++letter)
    for (int octave = -1; octave <= 9; ++octave)
      for (int cents = -650; cents <= 650; ++cents) {
        pitch p{static_cast<step>(letter), static_cast<std::int16_t>(cents),
                static_cast<std::int16_t>(octave)};
        if (parse_pitch(to_string(p)) != p) FAIL(to_string(p));
      }
  CHECK(to_string(pitch{step::b, -100, 3}) == "bb3");
  CHECK(to_string(pitch{step::f, 200, 5}) == "f##5");
}

TEST_CASE("middle C is MIDI key 60 and microtones round down to their key") {
  // MIDI 1.0: key 60 is middle C; scientific pitch notation calls it C4.
  CHECK(midi_key(*parse_pitch("c4")) == 60);
  CHECK(midi_key(*parse_pitch("b#3")) == 60);
  CHECK(midi_key(*parse_pitch("c-1")) == 0);
  CHECK(midi_key(*parse_pitch("g9")) == 127);
  CHECK(midi_key(*parse_pitch("cb-1")) == -1);
  CHECK(midi_key(*parse_pitch("c{-33}4")) == 59);
}

TEST_CASE("the line of fifths runs F C G D A E B through all accidentals") {
  CHECK(line_of_fifths({step::f, 0}) == -1);
  CHECK(line_of_fifths({step::b, -100}) == -2);
  CHECK(line_of_fifths({step::f, 100}) == 6);
  CHECK_FALSE(line_of_fifths({step::f, 50}).has_value());
  for (int position = -40; position <= 40; ++position) {
    auto name = from_line_of_fifths(position);
    CHECK(line_of_fifths(name) == position);
    CHECK(pitch_class(name) == ((7 * position) % 12 + 12) % 12);
  }
}

TEST_CASE("a name without octave is read in signs and in words") {
  for (auto [text, expected] : {std::pair{"c", "c"},
                                {"F#", "f#"},
                                {"bb", "bb"},
                                {"Bb", "bb"},
                                {"b", "b"},
                                {"f-sharp", "f#"},
                                {"b-flat", "bb"},
                                {"B flat", "bb"},
                                {"c-double-sharp", "c##"},
                                {"e-double-flat", "ebb"},
                                {"g-natural", "g"},
                                {"Eb", "eb"},
                                {"e\u266d", "eb"}}) {
    INFO(text);
    REQUIRE(parse_pitch_name(text).has_value());
    CHECK(to_string(*parse_pitch_name(text)) == expected);
  }
  for (auto text : {"", "h", "c-major", "c4", "c-sharp-sharp", "-sharp"}) {
    INFO(text);
    CHECK_FALSE(parse_pitch_name(text).has_value());
  }
}

}  // namespace fermata::pitch_test
