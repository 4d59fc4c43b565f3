#include "core/theory/transposition.hpp"

#include "tests/core/theory/table_file.hpp"

#include <catch2/catch.hpp>

namespace fermata::transposition_test {

namespace {

pitch at(std::string_view text) { return *parse_pitch(text); }

/// A note of tonal's tables, which know any number of sharps and flats.
pitch tonal_note(const std::string& text) {
  auto sign = text.at(1) == '#' ? 1 : text.at(1) == 'b' ? -1 : 0;
  auto digits = text.find_first_of("-0123456789");
  auto p = parse_pitch(text.substr(0, 1) + text.substr(digits)).value();
  p.cents = static_cast<std::int16_t>(100 * sign * static_cast<int>(digits - 1));
  return p;
}

tonality in(std::string_view text) { return *parse_tonality(text); }

std::vector<pitch> all_spellings() {
  std::vector<pitch> pitches;
  for (int place = -15; place < 20; ++place)
    for (std::int16_t octave = 1; octave <= 6; ++octave) {
      auto name = from_line_of_fifths(place);
      pitches.push_back({name.letter, name.cents, octave});
    }
  return pitches;
}

}  // namespace

TEST_CASE("transposing by an interval agrees with tonal's table") {
  auto rows = test::theory_table("tonal_transpose.tsv");
  REQUIRE(rows.size() == 735);
  for (auto& row : rows) {
    INFO(row["note"] << " " << row["interval"]);
    // tonal writes the number first: 2m is our m2, 4A is aug4.
    auto number = row["interval"].substr(0, row["interval"].find_first_not_of("-0123456789"));
    auto quality = row["interval"].substr(number.size());
    auto down = number.front() == '-';
    if (down) number.erase(0, 1);
    auto text = (down ? "-" : "") + quality + number;
    auto i = parse_interval(text, true);
    REQUIRE(i.has_value());
    CHECK(transposed(tonal_note(row["note"]), *i) == tonal_note(row["result"]));
    CHECK(std::to_string(midi_key(transposed(tonal_note(row["note"]), *i))) == row["midi"]);
  }
}

TEST_CASE("intervals between pitches agree with tonal's table") {
  // Accepted difference: where the higher letter sounds lower (D flat above C double sharp), tonal
  // goes round by an octave or gives up; an interval here has as many semitones as it sounds.
  int compared = 0;
  auto rows = test::theory_table("tonal_intervals.tsv");
  REQUIRE(rows.size() == 1225);
  for (auto& row : rows) {
    INFO(row["from"] << " " << row["to"]);
    auto i = between(tonal_note(row["from"]), tonal_note(row["to"]));
    if (i.steps * i.semitones < 0 || row["semitones"] == "NaN") continue;
    ++compared;
    CHECK(std::to_string(i.semitones) == row["semitones"]);
    CHECK(std::abs(std::stoi(row["interval"])) == std::abs(i.steps) + 1);
  }
  CHECK(compared > 1000);
}

TEST_CASE("semitones are spelled in the key") {
  CHECK(transposed_in_key(at("c4"), 2, in("C")) == at("d4"));
  CHECK(transposed_in_key(at("c4"), 1, in("C")) == at("c#4"));
  CHECK(transposed_in_key(at("c4"), 1, in("Ab")) == at("db4"));
  CHECK(transposed_in_key(at("b4"), 1, in("C")) == at("c5"));
  CHECK(transposed_in_key(at("a4"), -1, in("a")) == at("g#4"));  // the leading tone
  CHECK(transposed_in_key(at("d4"), 1, in("Eb")) == at("eb4"));
  CHECK(transposed_in_key(at("gb4"), -12, in("C")) == at("gb3"));
  CHECK(transposed_in_key(at("c4"), -13, in("C")) == at("b2"));
  for (auto p : all_spellings())
    for (int n = -14; n <= 14; ++n)
      CHECK(midi_cents(transposed_in_key(p, n, in("E"))) == midi_cents(p) + 100 * n);
  CHECK(transposed_in_key(at("c+4"), 2, in("C")) == at("d+4"));
}

TEST_CASE("a whole passage moves to the nearest key that is easy to read") {
  CHECK(transposition_interval(1, in("C")) == interval{1, 1});
  CHECK(transposition_interval(1, in("B")) == interval{1, 1});
  CHECK(transposition_interval(1, in("Db")) == interval{0, 1});  // D flat to D
  CHECK(transposition_interval(-1, in("C")) == interval{-1, -1});
  CHECK(transposition_interval(-1, in("D")) ==
        interval{0, -1});  // D to D flat: five flats, not seven sharps
  CHECK(transposition_interval(2, in("E")) == interval{1, 2});
  CHECK(transposition_interval(12, in("F#")) == interval{7, 12});
  CHECK(transposition_interval(6, in("C")).semitones == 6);
}

TEST_CASE("scale steps stay in the key and keep what is chromatic") {
  CHECK(transposed_by_steps(at("e4"), 2, in("D")) == at("g4"));
  CHECK(transposed_by_steps(at("e4"), 1, in("D")) == at("f#4"));
  CHECK(transposed_by_steps(at("f#4"), 1, in("C")) == at("g#4"));
  CHECK(transposed_by_steps(at("c4"), -1, in("C")) == at("b3"));
  CHECK(transposed_by_steps(at("c4"), 7, in("C")) == at("c5"));
  for (auto p : all_spellings())
    for (int n = -9; n <= 9; ++n)
      CHECK(transposed_by_steps(transposed_by_steps(p, n, in("A")), -n, in("A")) == p);
}

TEST_CASE("a melody is mirrored about its axis and twice is as before") {
  CHECK(mirrored(at("e4"), at("c4")) == at("ab3"));  // the example of the language reference
  CHECK(mirrored(at("c4"), at("c4")) == at("c4"));
  CHECK(mirrored(at("f#4"), at("c4")) == at("gb3"));
  CHECK(mirrored(at("b4"), at("g4")) == at("eb4"));
  CHECK(mirrored(at("e+4"), at("c4")) == at("adb3"));
  for (auto p : all_spellings())
    for (auto axis : {"c4", "f#3", "bb5", "g4"}) {
      CHECK(mirrored(mirrored(p, at(axis)), at(axis)) == p);
      CHECK(midi_cents(mirrored(p, at(axis))) == 2 * midi_cents(at(axis)) - midi_cents(p));
      CHECK(mirrored_in_key(mirrored_in_key(p, at(axis), in("d")), at(axis), in("d")) == p);
    }
  CHECK(mirrored_in_key(at("e4"), at("c4"), in("C")) == at("a3"));
  CHECK(mirrored_in_key(at("f#4"), at("g4"), in("C")) == at("ab4"));
}

}  // namespace fermata::transposition_test
