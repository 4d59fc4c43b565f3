#include "core/theory/harmonic_analysis.hpp"

#include "core/theory/key_finding.hpp"
#include "tests/core/theory/table_file.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace fermata::harmonic_analysis_test {

namespace {

timed_note note(rational onset, rational length, std::string_view p) {
  return {quarters{onset}, quarters{length}, parse_pitch(p).value()};
}

/// Chords of equal length, one after another.
std::vector<timed_note> block_chords(std::initializer_list<std::vector<const char*>> chords,
                                     int length = 2) {
  std::vector<timed_note> notes;
  int at = 0;
  for (const auto& chord : chords) {
    for (auto p : chord)
      notes.push_back(note(at, length, p));
    at += length;
  }
  return notes;
}

std::string numerals(const std::vector<analysed_chord>& chords) {
  std::string out;
  for (const auto& c : chords)
    out += (out.empty() ? "" : " ") + (c.numeral ? to_string(*c.numeral) : "?");
  return out;
}

std::string numerals(const std::vector<timed_note>& notes, std::string_view key) {
  return numerals(roman_numerals(notes, parse_tonality(key)));
}

}  // namespace

TEST_CASE("block chords are analysed as they are") {
  CHECK(numerals(block_chords({{"c3", "g3", "e4", "c5"},
                               {"f3", "a3", "f4", "c5"},
                               {"g3", "b3", "d4", "f4"},
                               {"c3", "c4", "e4", "g4"}}),
                 "C") == "I IV V7 I");
  CHECK(numerals(block_chords({{"a3", "c4", "e4"},
                               {"d3", "d4", "f4", "b4"},
                               {"g#3", "b3", "e4", "d5"},
                               {"a3", "c4", "e4"}}),
                 "a") == "i iio6 V65 i");
  CHECK(numerals(block_chords({{"c3", "e4", "g4"},
                               {"d3", "f#4", "a4", "c5"},
                               {"g3", "b3", "d4"},
                               {"c3", "e4", "g4"}}),
                 "C") == "I V7/V V I");
  CHECK(numerals(block_chords({{"c3", "eb4", "g4"},
                               {"ab2", "c4", "eb4", "f#4"},
                               {"g2", "b3", "d4", "g4"},
                               {"c3", "eb4", "g4"}}),
                 "c") == "i Ger65 V i");
  CHECK(
      numerals(
          block_chords(
              {{"c3", "eb4", "g4"}, {"f3", "ab3", "db4"}, {"g3", "b3", "d4"}, {"c3", "eb4", "g4"}}),
          "c") == "i N6 V i");
}

TEST_CASE("broken chords and passing tones do not hide the harmony") {
  // An Alberti bass under a melody with a passing and a neighbour note: I, V7, I.
  std::vector<timed_note> notes;
  int at = 0;
  for (auto bar : {std::vector<const char*>{"c3", "g3", "e3", "g3"},
                   {"b2", "g3", "f3", "g3"},
                   {"c3", "g3", "e3", "g3"}})
    for (int beat = 0; beat < 4; ++beat)
      notes.push_back(note({at++, 2}, {1, 2}, bar[static_cast<std::size_t>(beat)]));
  for (auto [onset, p] :
       {std::pair{0, "e5"}, {2, "d5"}, {3, "c5"}, {4, "d5"}, {6, "f5"}, {7, "d5"}, {8, "c5"}})
    notes.push_back(note({onset, 2},
                         onset == 0 || onset == 4 ? rational{1}
                         : onset == 8             ? rational{2}
                                                  : rational{1, 2},
                         p));
  CHECK(numerals(notes, "C") == "I V65 I");
}

TEST_CASE("a chord of a span sets foreign tones aside and keeps its spelling") {
  auto chord = [](std::vector<timed_note> notes) {
    auto c = chord_in(notes, {quarters{}, quarters{4}});
    std::string out;
    if (c) {
      for (auto t : c->tones)
        out += to_string(t) + " ";
      out += "/ " + to_string(c->bass);
    }
    return out;
  };
  CHECK(chord({note(0, 4, "c3"), note(0, 4, "e4"), note(0, 3, "g4"), note(3, 1, "a4")}) ==
        "c e g / c");
  CHECK(chord({note(0, 4, "e3"), note(0, 4, "g#4"), note(0, 4, "b4"), note(0, 4, "d5")}) ==
        "e g# b d / e");
  CHECK(chord({note(0, 4, "f3"), note(0, 4, "g#3"), note(0, 4, "b3"), note(0, 4, "d4")}) ==
        "g# b d f / f");
  CHECK(chord({note(0, 4, "f3"), note(0, 4, "ab3"), note(0, 4, "cb4"), note(0, 4, "d4")}) ==
        "d f ab cb / f");
  CHECK(chord({note(0, 4, "e3"), note(0, 4, "c4"), note(0, 4, "g4")}) == "c e g / e");
  CHECK(chord({note(0, 4, "e3")}).empty());
  CHECK(chord({}).empty());
}

TEST_CASE("everything that sounds is reduced to a row of chords") {
  auto slices = chordified(
      {note(0, 4, "c3"), note(0, 1, "e4"), note(1, 1, "f4"), note(2, 1, "f4"), note(5, 1, "g4")});
  REQUIRE(slices.size() == 4);
  CHECK(slices[0].pitches == std::vector<pitch>{*parse_pitch("c3"), *parse_pitch("e4")});
  CHECK(slices[1].span == time_span{quarters{1}, quarters{3}});  // struck again, but no other chord
  CHECK(slices[2].span == time_span{quarters{3}, quarters{4}});
  CHECK(slices[3].span == time_span{quarters{5}, quarters{6}});  // after a rest
  CHECK(chordified({}).empty());
}

TEST_CASE("a song by Brahms is analysed much as its analyst did") {
  // A floor for spans and key given: a plain template matcher reaches 72 percent root and quality.
  std::vector<timed_note> notes;
  for (auto& row : test::theory_table("brahms_magdalena.notes.tsv"))
    notes.push_back({quarters{parse_rational(row["onset_q"]).value()},
                     quarters{parse_rational(row["dur_q"]).value()},
                     parse_pitch(row["name"]).value()});
  std::vector<time_span> spans;
  std::vector<key_change> keys;
  auto truth = test::theory_table("brahms_magdalena.chords.tsv");
  for (auto& row : truth) {
    spans.push_back({quarters{parse_rational(row["onset_q"]).value()},
                     quarters{parse_rational(row["end_q"]).value()}});
    keys.push_back({spans.back().begin, parse_tonality(row["key"]).value()});
  }
  auto analysed = roman_numerals(chords_in(notes, spans, keys), keys);
  int roots = 0, whole = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    auto found = std::find_if(analysed.begin(), analysed.end(),
                              [&](const analysed_chord& c) { return c.chord.span == spans[i]; });
    if (found == analysed.end()) continue;  // two octave unisons, which are no chords by themselves
    roots +=
        pitch_class(found->chord.root()) == pitch_class(parse_pitch_name(truth[i]["root"]).value())
            ? 1
            : 0;
    auto wanted = parse_roman_numeral(truth[i]["figure"]).value();
    // What tells a cadential six-four from another is the next chord, not the chord itself.
    if (wanted.kind == numeral_kind::cadential_six_four)
      wanted = parse_roman_numeral(is_minor(keys[i].key) ? "i64" : "I64").value();
    wanted.alterations.clear();
    whole += found->numeral && to_string(*found->numeral) == to_string(wanted) ? 1 : 0;
  }
  CHECK(100.0 * roots / static_cast<double>(truth.size()) >= 80);
  CHECK(100.0 * whole / static_cast<double>(truth.size()) >= 65);
  auto found = find_key(notes);
  REQUIRE(found.has_value());
  CHECK(found->best.key == keys.front().key);
  CHECK(found->confidence > 0);
}

TEST_CASE("cadences of an analysis are found within a key only") {
  auto chords = roman_numerals(block_chords({{"c3", "e4", "g4"},
                                             {"f3", "f4", "a4"},
                                             {"g3", "b3", "d4", "g4"},
                                             {"c3", "e4", "g4", "c5"}}),
                               parse_tonality("C"));
  auto found = cadences_in(chords);
  REQUIRE(found.size() == 1);
  CHECK(found.front() == cadence_point{3, cadence_kind::authentic, true});
  chords[3].key = *parse_tonality("F");
  CHECK(cadences_in(chords).empty());
  CHECK(cadences_in(std::vector<analysed_chord>{}).empty());
}

TEST_CASE("the key of a passage is found with every profile, with its runner-up") {
  // A cadence in each key; the tones of I IV V I leave no doubt.
  for (int place = -6; place <= 6; ++place)
    for (int p = 0; p < 5; ++p) {
      auto tonic = from_line_of_fifths(place);
      std::vector<timed_note> notes;
      for (auto [steps, length] :
           {std::pair{0, 4}, {2, 2}, {4, 3}, {3, 2}, {5, 1}, {6, 1}, {1, 1}}) {
        auto name = degree({tonic, mode::major}, steps + 1);
        notes.push_back({quarters{}, quarters{length}, {name.letter, name.cents, 4}});
      }
      auto found = find_key(notes, static_cast<key_profile>(p));
      REQUIRE(found.has_value());
      CHECK(to_string(found->best.key) == to_string(tonality{tonic, mode::major}));
      CHECK(found->best.correlation >= found->runner_up.correlation);
      CHECK(found->confidence >= 0);
      CHECK(found->confidence <= 1);
      CHECK(parse_key_profile(to_string(static_cast<key_profile>(p))) ==
            static_cast<key_profile>(p));
    }
  CHECK_FALSE(find_key({}).has_value());
}

}  // namespace fermata::harmonic_analysis_test
