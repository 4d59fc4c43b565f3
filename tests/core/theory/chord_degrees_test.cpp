#include "core/theory/chord_degrees.hpp"

#include "core/theory/chord_quality.hpp"
#include "core/theory/chord_type.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace fermata::chord_degrees_test {

namespace {

/// "dominant add 9 -100"
std::string divided(std::string_view quality) {
  auto intervals = parse_chord_quality(quality);
  if (!intervals) return "cannot be read";
  auto [kind, degrees] = chord_as_degrees(*intervals);
  std::string text{kind};
  for (const auto& d : degrees)
    text += " " + std::string{d.type} + " " + std::to_string(d.number) +
            (d.cents == 0 ? "" : " " + std::to_string(d.cents));
  return text;
}

}  // namespace

TEST_CASE("a chord that MusicXML has no kind for is the nearest kind and what differs") {
  // By hand from MusicXML 4.0: kind-value, and degree-alter "relative to a dominant chord" for add,
  // "relative to the degree already in the chord" for alter.
  for (auto [quality, expected] : {std::pair{"", "major"},
                                   {"m7", "minor-seventh"},
                                   {"7b9", "dominant add 9 -100"},
                                   {"7#9", "dominant add 9 100"},
                                   {"7b5", "dominant alter 5 -100"},
                                   {"7#11", "dominant add 11 100"},
                                   {"7b9#9", "dominant add 9 -100 add 9 100"},
                                   {"add9", "major add 9"},
                                   {"6/9", "major-sixth add 9"},
                                   {"m(add9)", "minor add 9"},
                                   {"7sus4", "suspended-fourth add 7"},
                                   {"9sus4", "suspended-fourth add 7 add 9"},
                                   {"M7sus4", "suspended-fourth add 7 100"},
                                   {"maj7#11", "major-seventh add 11 100"},
                                   {"maj7#5", "major-seventh alter 5 100"},
                                   {"13#11", "dominant-ninth add 11 100 add 13"},
                                   {"7alt", "augmented-seventh add 9 100"},
                                   {"7omit3", "dominant subtract 3"},
                                   {"7no5", "dominant subtract 5"},
                                   {"m7add11", "minor-seventh add 11"},
                                   {"m9b5", "half-diminished add 9"},
                                   {"9b5", "dominant-ninth alter 5 -100"}}) {
    INFO(quality);
    CHECK(divided(quality) == expected);
  }
}

TEST_CASE("kind and degrees together are the tones of every chord of the table") {
  // The other way, as a reader of MusicXML goes: the tones of the kind, then one degree after
  // another.
  for (const auto& type : chord_table()) {
    INFO(type.symbol);
    auto [kind, degrees] = chord_as_degrees(type.intervals);
    auto from = find_musicxml_kind(kind);
    REQUIRE(from);
    auto tones = from->intervals;
    for (const auto& d : degrees) {
      auto at = std::find_if(tones.begin(), tones.end(),
                             [&](interval i) { return i.steps == d.number - 1; });
      if (d.type == "add") {
        static constexpr int dominant[] = {0, 2, 4, 5, 7, 9, 10};
        tones.push_back({d.number - 1,
                         dominant[(d.number - 1) % 7] + 12 * ((d.number - 1) / 7) + d.cents / 100});
        continue;
      }
      REQUIRE(at != tones.end());
      if (d.type == "alter")
        at->semitones += d.cents / 100;
      else
        tones.erase(at);
    }
    CHECK(std::is_permutation(tones.begin(), tones.end(), type.intervals.begin(),
                              type.intervals.end()));
  }
}

TEST_CASE("a tone that is given twice is a mistake") {
  for (auto text : {"m99", "1313", "maj77", "7b9b9", "9add9", "6add6"}) {
    INFO(text);
    CHECK_FALSE(parse_chord_quality(text).has_value());
  }
  for (auto text : {"m9", "13", "7b9#9", "7add9", "m7b5"}) {
    INFO(text);
    CHECK(parse_chord_quality(text).has_value());
  }
}

}  // namespace fermata::chord_degrees_test
