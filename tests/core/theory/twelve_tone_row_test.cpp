#include "core/theory/twelve_tone_row.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

namespace fermata::twelve_tone_row_test {

namespace {

/// A row from note names without octave.
twelve_tone_row row_of(std::initializer_list<const char*> names) {
  std::vector<int> classes;
  for (auto n : names)
    classes.push_back(pitch_class(*parse_pitch_name(n)));
  return twelve_tone_row::make(classes).value();
}

// Rows as given in the literature on each work (Perle, Serial Composition and Atonality).
const auto webern_21 = [] {
  return row_of({"a", "f#", "g", "g#", "e", "f", "b", "bb", "d", "c#", "c", "eb"});
};
const auto webern_24 = [] {
  return row_of({"b", "bb", "d", "eb", "g", "f#", "g#", "e", "f", "c", "c#", "a"});
};
const auto schoenberg_25 = [] {
  return row_of({"e", "f", "g", "c#", "f#", "d#", "g#", "d", "b", "c", "a", "bb"});
};
const auto schoenberg_33a = [] {
  return row_of({"bb", "f", "c", "b", "a", "f#", "c#", "d#", "g", "ab", "d", "e"});
};
const auto berg_lyric_suite = [] {
  return row_of({"f", "e", "c", "a", "g", "d", "ab", "db", "eb", "gb", "bb", "b"});
};

bool has(const std::vector<row_form>& forms, std::string_view name) {
  return std::find(forms.begin(), forms.end(), parse_row_form(name).value()) != forms.end();
}

}  // namespace

TEST_CASE("a row needs each pitch class exactly once") {
  auto repeated = twelve_tone_row::make({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10});
  REQUIRE_FALSE(repeated.has_value());
  CHECK(repeated.error().first().message ==
        "a row has each pitch class once: missing 11, repeated 10");
  CHECK_FALSE(twelve_tone_row::make(std::vector<int>{0, 1, 2}).has_value());
  CHECK(twelve_tone_row::make({12, -11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 23}).has_value());
}

TEST_CASE("the Suite op. 25 uses P4, P10, I4 and I10 as Schoenberg wrote them") {
  // The four forms of the Prelude; both inversions and primes keep the dyad G - C# in place.
  auto row = schoenberg_25();
  CHECK(form_of(row, parse_row_form("P4").value()) == row.classes());
  CHECK(form_of(row, parse_row_form("P10").value()) ==
        row_of({"bb", "b", "c#", "g", "c", "a", "d", "g#", "f", "f#", "eb", "e"}).classes());
  CHECK(form_of(row, parse_row_form("I4").value()) ==
        row_of({"e", "eb", "c#", "g", "d", "f", "c", "f#", "a", "g#", "b", "bb"}).classes());
  CHECK(form_of(row, parse_row_form("R4").value()).back() == 4);
  CHECK(form_of(row, parse_row_form("RI10").value()).back() == 10);
}

TEST_CASE("the matrix has the row on top, the inversion down the left and its first class on the "
          "diagonal") {
  for (auto row : {webern_21(), webern_24(), schoenberg_33a()}) {
    auto m = matrix(row);
    REQUIRE(m.size() == 12);
    CHECK(m.front() == row.classes());
    for (std::size_t i = 0; i < 12; ++i) {
      CHECK(m[i][i] == row.classes().front());
      std::set<int> across(m[i].begin(), m[i].end()), down;
      std::vector<int> column;
      for (const auto& line : m) {
        down.insert(line[i]);
        column.push_back(line[i]);
      }
      CHECK(across.size() == 12);
      CHECK(down.size() == 12);
      CHECK(column == form_of(row, {row_operation::inversion, column.front()}));
    }
  }
}

TEST_CASE("Webern's op. 21 row is its own retrograde at the tritone") {
  // P and R at the distance of a tritone coincide, so there are 24 forms only (Perle).
  auto row = webern_21();
  auto same = equal_forms(row);
  REQUIRE(same.size() == 1);
  CHECK(same.front().operation == row_operation::retrograde);
  CHECK(same.front().number == 3);
  CHECK(equal_forms(schoenberg_25()).empty());
}

TEST_CASE("Webern's op. 24 row is made of one trichord class") {
  CHECK(is_derived(webern_24(), 3));
  CHECK_FALSE(is_derived(schoenberg_25(), 3));
}

TEST_CASE("Schoenberg's op. 33a row is combinatorial with its inversion a fifth below") {
  // P10 and I3 share the aggregate between their hexachords (Perle; the row begins on B flat).
  auto forms = combinatorial_forms(schoenberg_33a());
  CHECK(has(forms, "I3"));
  CHECK(has(forms, "R10"));
  CHECK_FALSE(is_all_combinatorial(schoenberg_33a()));
  // The chromatic hexachord is one of Babbitt's all-combinatorial source sets.
  CHECK(
      is_all_combinatorial(twelve_tone_row::make({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}).value()));
}

TEST_CASE("the row of the Lyric Suite has all eleven intervals") {
  CHECK(is_all_interval(berg_lyric_suite()));
  CHECK_FALSE(is_all_interval(webern_21()));
}

TEST_CASE("forms that share a segment with the row are found") {
  // Op. 25: G and C# stand next to each other as third and fourth note in P10, I4 and I10 too.
  auto shared = invariant_segments(schoenberg_25(), 2);
  for (auto name : {"P10", "I4", "I10"}) {
    INFO(name);
    CHECK(std::any_of(shared.begin(), shared.end(), [&](const shared_segment& s) {
      return s.form == parse_row_form(name).value() && s.position == 2 && s.original_position == 2;
    }));
  }
  CHECK(invariant_segments(schoenberg_25(), 1).empty());
  CHECK(invariant_segments(schoenberg_25(), 12).empty());
}

TEST_CASE("row forms are read in either case and nothing else is one") {
  CHECK(to_string(parse_row_form("ri11").value()) == "RI11");
  for (auto text : {"", "P", "P12", "X3", "P-1", "P03", "RIR1"})
    CHECK_FALSE(parse_row_form(text).has_value());
}

}  // namespace fermata::twelve_tone_row_test
