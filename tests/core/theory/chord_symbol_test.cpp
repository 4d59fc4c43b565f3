#include "core/theory/chord_symbol.hpp"

#include "core/theory/chord_quality.hpp"

#include <catch2/catch.hpp>

namespace fermata::chord_symbol_test {

namespace {

std::string tones(std::string_view text) {
  auto c = parse_chord_symbol(text);
  if (!c) return "error: " + c.error().first().message;
  std::string out;
  for (auto n : members(*c))
    out += (out.empty() ? "" : " ") + to_string(n);
  return out;
}

std::string pitches(std::string_view text) {
  std::string out;
  for (auto p : chord_pitches(parse_chord_symbol(text).value()))
    out += (out.empty() ? "" : " ") + to_string(p);
  return out;
}

}  // namespace

TEST_CASE("chord symbols are read as players write them") {
  // Tones by the definitions of the qualities; spelling from the root.
  for (auto [text, expected] : {std::pair{"C", "c e g"},
                                {"Cmaj7", "c e g b"},
                                {"CM7", "c e g b"},
                                {"C\u25b37", "c e g b"},
                                {"Dm7b5", "d f ab c"},
                                {"Dm7(b5)", "d f ab c"},
                                {"D\u00f8", "d f ab c"},
                                {"D\u00f87", "d f ab c"},
                                {"F#7/A#", "a# c# e f#"},
                                {"Bbsus4", "bb eb f"},
                                {"B\u266dsus", "bb eb f"},
                                {"Am", "a c e"},
                                {"A-7", "a c e g"},
                                {"Ami7", "a c e g"},
                                {"Amin7", "a c e g"},
                                {"Am(maj7)", "a c e g#"},
                                {"AmM7", "a c e g#"},
                                {"Am/ma7", "a c e g#"},
                                {"C6/9", "c e g a d"},
                                {"C69", "c e g a d"},
                                {"G7b9#5", "g b d# f ab"},
                                {"G7(b9,#9)", "g b d f ab a#"},
                                {"Cmaj7(#11)", "c e g b f#"},
                                {"Cadd9", "c e g d"},
                                {"C(add9)", "c e g d"},
                                {"Cm(add9)", "c eb g d"},
                                {"Edim7", "e g bb db"},
                                {"E\u00b07", "e g bb db"},
                                {"Eo7", "e g bb db"},
                                {"C+", "c e g#"},
                                {"Caug7", "c e g# bb"},
                                {"C7alt", "c e g# bb d#"},
                                {"G13", "g b d f a e"},
                                {"G7sus4", "g c d f"},
                                {"G9sus4", "g c d f a"},
                                {"C5", "c g"},
                                {"Bb5", "bb f"},
                                {"C7no5", "c e bb"},
                                {"Cmaj9no3", "c g b d"},
                                {"C/D", "d c e g"},
                                {"Abm6", "ab cb eb f"},
                                {"C#m7", "c# e g# b"},
                                {"Ebmaj7/G", "g bb d eb"},
                                {"C13#11", "c e g bb d f# a"},
                                {"Cm11", "c eb g bb d f"},
                                {"Dm9b5", "d f ab c e"},
                                {"C7/E", "e g bb c"},
                                {"C7-9", "c e g bb db"},
                                {"C7+5", "c e g# bb"},
                                {"Csus2", "c d g"},
                                {"Cm7add11", "c eb g bb f"},
                                {"C7omit3", "c g bb"},
                                {"C\u266f\u00b0", "c# e g"},
                                {"N.C.", ""},
                                {"NC", ""}}) {
    INFO(text);
    CHECK(tones(text) == expected);
  }
}

TEST_CASE("what is not a chord symbol says so") {
  for (auto text :
       {"", "H7", "c", "Cfoo", "C7x", "C/", "C/H", "C7b", "Cadd", "Cno", "C7b7", "C(b3)",
        "Caaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
    INFO(text);
    auto c = parse_chord_symbol(text);
    REQUIRE_FALSE(c.has_value());
    CHECK(c.error().first().code == errc::invalid_chord);
  }
}

TEST_CASE("every quality of the table is read on every root and prints as it was written") {
  for (int place = -15; place < 20; ++place)
    for (const auto& type : chord_table()) {
      auto root = symbol_name(from_line_of_fifths(place));
      auto text = root + std::string{type.symbol == "M" ? "" : type.symbol};
      INFO(text);
      auto c = parse_chord_symbol(text);
      REQUIRE(c.has_value());
      CHECK(to_string(*c) == text);
      // "Bb5" on B flat and "Bbb5" are what they seem; no root swallows the quality.
      CHECK(c->root == from_line_of_fifths(place));
      CHECK(type_of(*c) == &type);
    }
}

TEST_CASE("every alias means its chord when it is composed from its parts too") {
  for (auto [composed, plain] : {std::pair{"m7(b5)", "m7b5"},
                                 {"maj7(#5)", "maj7#5"},
                                 {"7(#9)", "7#9"},
                                 {"7(b9)(b13)", "7b9b13"},
                                 {"7(#11,b13)", "7#11b13"},
                                 {"min9", "m9"},
                                 {"Maj13", "maj13"},
                                 {"min(maj9)", "mM9"},
                                 {"dim(maj7)", "oM7"},
                                 {"aug(maj7)", "maj7#5"},
                                 {"9(#11)", "9#11"},
                                 {"13(b9)", "13b9"},
                                 {"m7(add11)", "m7add11"}}) {
    INFO(composed);
    REQUIRE(parse_chord_quality(composed).has_value());
    CHECK(find_chord(*parse_chord_quality(composed)) == find_chord(plain));
  }
}

TEST_CASE("a symbol is voiced with its bass below") {
  CHECK(pitches("Cmaj7") == "c4 e4 g4 b4");
  CHECK(pitches("F#7/A#") == "a#3 c#4 e4 f#4");
  CHECK(pitches("C/G") == "g3 c4 e4");
  CHECK(pitches("C/B") == "b3 c4 e4 g4");
  CHECK(pitches("B/D#") == "d#4 f#4 b4");
  CHECK(pitches("N.C.").empty());
}

}  // namespace fermata::chord_symbol_test
