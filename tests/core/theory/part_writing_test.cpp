#include "core/theory/part_writing.hpp"

#include "core/music/interval.hpp"
#include "core/theory/cadence.hpp"
#include "core/theory/numeral_naming.hpp"
#include "core/theory/thorough_bass.hpp"
#include "core/theory/voice_leading.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace fermata::part_writing_test {

namespace {

std::string shown(const std::vector<std::vector<pitch>>& chords) {
  std::string out;
  for (const auto& chord : chords) {
    out += out.empty() ? "" : " | ";
    for (std::size_t i = 0; i < chord.size(); ++i)
      out += (i == 0 ? "" : " ") + to_string(chord[i]);
  }
  return out;
}

std::vector<std::vector<pitch>> set(std::string_view numerals, std::string_view key) {
  return progression(parse_roman_numerals(numerals).value(), parse_tonality(key).value()).value();
}

}  // namespace

TEST_CASE("common progressions in many keys are set without a fault of strict writing") {
  // Progressions from the chapters of any harmony course, major and minor.
  const std::vector<std::string_view> in_major{"I IV V I",
                                               "I V I",
                                               "I IV I V I",
                                               "I vi IV V I",
                                               "I ii6 V7 I",
                                               "I V65 I",
                                               "I viio6 I6",
                                               "I vi ii V I",
                                               "I IV V vi",
                                               "I iii IV V I",
                                               "I V42 I6 V43 I",
                                               "I ii65 V7 I",
                                               "I V6 I IV6 V7 I",
                                               "I I6 IV ii6 Cad64 V7 I",
                                               "I V7/IV IV V7/V V I",
                                               "I vi V7/V V7 I",
                                               "I viio7/V V I",
                                               "I bVI bVII I",
                                               "I iv6 V",
                                               "I N6 V I"};
  const std::vector<std::string_view> in_minor{"i iv V i",         "i V i",
                                               "i VI iv V i",      "i iio6 V7 i",
                                               "i N6 V i",         "i iv V VI",
                                               "i VII III iv V i", "i v6 iv6 V",
                                               "i viio7 i",        "i V43 i6 iio6 Cad64 V7 i",
                                               "i V7/iv iv V i",   "i ii/o65 V7 i"};
  for (int place = -6; place <= 6; place += 3)
    for (bool minor : {false, true})
      for (auto text : minor ? in_minor : in_major) {
        tonality key{from_line_of_fifths(minor ? place + 3 : place),
                     minor ? mode::minor : mode::major};
        INFO(text << " in " << to_string(key));
        auto chords = progression(parse_roman_numerals(text).value(), key).value();
        INFO(shown(chords));
        voice_leading_rules rules;
        rules.ranges = {satb_ranges().begin(), satb_ranges().end()};
        rules.spacing = true;
        rules.key = key;
        std::string faults;
        for (const auto& f : voice_leading_faults(chords, rules))
          if (f.kind != voice_leading_fault_kind::hidden_fifths &&
              f.kind != voice_leading_fault_kind::hidden_octaves)
            faults +=
                std::string{to_string(f.kind)} + " at chord " + std::to_string(f.moment) + "; ";
        CHECK(faults.empty());
      }
}

TEST_CASE("the chords of a progression are the chords of its numerals, over the right bass") {
  auto key = parse_tonality("Eb").value();
  auto numerals =
      parse_roman_numerals("I V65 I6 IV viio7/V Cad64 V7 vi ii65 Ger65 V42 I6 ii/o65 V9 I").value();
  auto chords = progression(numerals, key).value();
  REQUIRE(chords.size() == numerals.size());
  for (std::size_t i = 0; i < chords.size(); ++i) {
    auto wanted = chord_of(numerals[i], key).value();
    CHECK(chords[i].size() == 4);
    CHECK(chords[i].front().name() == wanted.bass_tone());
    for (auto p : chords[i])
      CHECK(std::count(wanted.tones.begin(), wanted.tones.end(), p.name()) == 1);
  }
}

TEST_CASE("leading tones rise and sevenths fall") {
  for (auto key : {"C", "g", "Ab", "c#"}) {
    auto minor = key[0] >= 'a';
    auto chords = set(minor ? "i V7 i V65 i V43 i V42 i6" : "I V7 I V65 I V43 I V42 I6", key);
    auto tonic = parse_tonality(key).value().tonic;
    auto leading_tone = transposed(tonic, interval{-1, -1});
    auto seventh = transposed(tonic, interval{3, 5});
    INFO(shown(chords));
    for (std::size_t i = 1; i < chords.size(); i += 2)
      for (std::size_t v = 0; v < 4; ++v) {
        auto move = between(chords[i][v], chords[i + 1][v]).steps;
        if (chords[i][v].name() == seventh) CHECK(move == -1);
        if (chords[i][v].name() == leading_tone && (v == 3 || v == 0)) CHECK(move == 1);
      }
  }
}

TEST_CASE("a progression moves by small steps") {
  auto chords = set("I IV V I", "C");
  int leaps = 0;
  for (std::size_t i = 1; i < chords.size(); ++i)
    for (std::size_t v = 1; v < 4; ++v)
      leaps += std::abs(between(chords[i - 1][v], chords[i][v]).steps) > 2 ? 1 : 0;
  INFO(shown(chords));
  CHECK(leaps == 0);
}

TEST_CASE("cadences are voiced and the authentic one ends with the tonic on top") {
  for (auto key : {"C", "c", "F#", "eb"}) {
    auto t = parse_tonality(key).value();
    for (auto k : {cadence_kind::authentic, cadence_kind::half, cadence_kind::plagal,
                   cadence_kind::deceptive, cadence_kind::phrygian}) {
      auto chords = cadence(k, t).value();
      REQUIRE(chords.size() == 2);
      INFO(to_string(k) << " " << shown(chords));
      CHECK(parse_cadence_kind(to_string(k)) == k);
      if (k == cadence_kind::authentic) CHECK(chords.back().back().name() == t.tonic);
      if (k == cadence_kind::phrygian)
        CHECK(between(chords[0][0], chords[1][0]) == interval{-1, -1});
      auto numerals = cadence_numerals(k, t);
      for (std::size_t i = 0; i < 2; ++i)
        CHECK(numeral_of(chords[i], t) == numerals[i]);
    }
  }
  CHECK(parse_cadence_kind("Interrupted") == cadence_kind::deceptive);
  CHECK_FALSE(parse_cadence_kind("broken").has_value());
}

TEST_CASE("cadences are found in a row of numerals") {
  auto found = [](std::string_view numerals, std::vector<std::size_t> ends = {}) {
    std::string out;
    for (auto c : cadences_in(parse_roman_numerals(numerals).value(), ends))
      out +=
          std::to_string(c.chord) + " " + std::string{to_string(c.kind)} + (c.perfect ? "! " : " ");
    return out;
  };
  CHECK(found("I IV V I") == "3 authentic! ");
  CHECK(found("I ii6 V7 vi IV V") == "3 deceptive 5 half ");
  CHECK(found("I V IV I") == "3 plagal ");
  CHECK(found("i iv6 V") == "2 phrygian ");
  CHECK(found("I V6 I IV V7 I6").empty());
  CHECK(found("I IV V ii V I IV I", {2, 5, 7}) == "2 half 5 authentic! 7 plagal ");
  CHECK(found("I V65 I", {2}) == "2 authentic ");
  CHECK(found("I V7/V V").substr(0, 6) == "2 half");
  CHECK(found("").empty());
}

TEST_CASE("figures above a bass mean what thorough-bass tutors say") {
  // C. P. E. Bach, Versuch II; in C major unless said otherwise.
  struct row {
    const char *bass, *figures, *key, *expected;
  };
  for (auto [bass, figures, key, expected] :
       {row{"c3", "", "C", "c3 e3 g3"},
        {"e3", "6", "C", "e3 g3 c4"},
        {"c3", "64", "C", "c3 f3 a3"},
        {"c3", "6/4", "C", "c3 f3 a3"},
        {"c3", "6 4", "C", "c3 f3 a3"},
        {"g2", "7", "C", "g2 b2 d3 f3"},
        {"b2", "65", "C", "b2 d3 f3 g3"},
        {"d3", "43", "C", "d3 f3 g3 b3"},
        {"f3", "42", "C", "f3 g3 b3 d4"},
        {"f3", "2", "C", "f3 g3 b3 d4"},
        {"g2", "#", "c", "g2 b2 d3"},
        {"e2", "#", "a", "e2 g#2 b2"},
        {"d3", "6#", "F", "d3 f3 b3"},
        {"f3", "#6", "a", "f3 a3 d#4"},
        {"c3", "b7", "C", "c3 e3 g3 bb3"},
        {"c3", "4", "C", "c3 f3 g3"},
        {"c3", "9", "C", "c3 e3 g3 d4"},
        {"f3", "4+ 2", "Bb", "f3 g3 b3 d4"},
        {"g2", "n", "c", "g2 b2 d3"},
        {"ab3", "6", "c", "ab3 c4 f4"},
        {"c3", "5/3", "F", "c3 e3 g3"},
        // Double signs change the key's tone by two semitones, before a number and behind it.
        {"c3", "bb7", "C", "c3 e3 g3 bbb3"},
        {"c3", "7bb", "C", "c3 e3 g3 bbb3"},
        {"c3", "\u266d\u266d7", "C", "c3 e3 g3 bbb3"},
        {"c3", "\U0001d12b7", "C", "c3 e3 g3 bbb3"},
        {"c3", "##4", "C", "c3 f##3 g3"},
        {"c3", "x4", "C", "c3 f##3 g3"},
        {"c3", "4##", "C", "c3 f##3 g3"},
        {"c3", "\u266f\u266f4", "C", "c3 f##3 g3"},
        {"c3", "\U0001d12a4", "C", "c3 f##3 g3"},
        {"c3", "bb", "C", "c3 ebb3 g3"},
        {"c3", "x", "C", "c3 e##3 g3"},
        {"d3", "bb7 b5", "D", "d3 f#3 ab3 cb4"},
        {"c3", "b7 b", "C", "c3 eb3 g3 bb3"},
        {"c3", "b b7", "C", "c3 eb3 g3 bb3"}}) {
    INFO(bass << " " << figures << " in " << key);
    auto pitches = realize_figures(parse_pitch(bass).value(), figures, parse_tonality(key).value());
    REQUIRE(pitches.has_value());
    std::string out;
    for (auto p : *pitches)
      out += (out.empty() ? "" : " ") + to_string(p);
    CHECK(out == expected);
  }
  for (auto figures : {"y", "0", "6-", "64!", "66666666666666666666666666666666666666"})
    CHECK_FALSE(realize_figures(*parse_pitch("c3"), figures, *parse_tonality("C")).has_value());
}

TEST_CASE("a figured bass is set for four voices over its own notes") {
  auto key = parse_tonality("g").value();
  std::vector<figured_note> notes;
  for (auto [bass, figures] :
       {std::pair{"g2", ""}, {"f#2", "6"}, {"g2", ""}, {"c3", "65"}, {"d3", "#"}, {"g2", ""}})
    notes.push_back({parse_pitch(bass).value(), figures});
  auto chords = realize_figured_bass(notes, key).value();
  REQUIRE(chords.size() == notes.size());
  INFO(shown(chords));
  for (std::size_t i = 0; i < chords.size(); ++i)
    CHECK(chords[i].front() == notes[i].bass);
  for (const auto& f : voice_leading_faults(chords))
    CHECK(f.kind > voice_leading_fault_kind::contrary_octaves);
}

TEST_CASE("what cannot be set says why") {
  chord_to_voice nothing;
  CHECK_FALSE(write_parts({nothing}).has_value());
  CHECK(write_parts({}).value().empty());
  CHECK(progression({}, *parse_tonality("C")).value().empty());
}

}  // namespace fermata::part_writing_test
