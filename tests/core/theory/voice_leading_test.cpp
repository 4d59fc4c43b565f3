#include "core/theory/voice_leading.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace fermata::voice_leading_test {

using kind = voice_leading_fault_kind;

namespace {

std::vector<pitch> chord(std::initializer_list<const char*> names) {
  std::vector<pitch> pitches;
  for (auto n : names)
    pitches.push_back(parse_pitch(n).value());
  return pitches;
}

std::string faults(const std::vector<std::vector<pitch>>& chords,
                   const voice_leading_rules& rules = {}) {
  std::string out;
  for (const auto& f : voice_leading_faults(chords, rules))
    out += (out.empty() ? "" : "; ") + std::string{to_string(f.kind)} + " " +
           std::to_string(f.moment) + " " + std::to_string(f.lower_voice) + "-" +
           std::to_string(f.upper_voice);
  return out;
}

}  // namespace

TEST_CASE("consecutive fifths and octaves are faults, by whatever motion") {
  CHECK(faults({chord({"c3", "g3"}), chord({"d3", "a3"})}) == "parallel fifths 1 0-1");
  CHECK(faults({chord({"c3", "c4"}), chord({"d3", "d4"})}) == "parallel octaves 1 0-1");
  CHECK(faults({chord({"c4", "c4"}), chord({"d4", "d4"})}) ==
        "parallel unisons 1 0-1; overlap 1 0-1");
  CHECK(faults({chord({"c3", "g4"}), chord({"d3", "a4"})}) == "parallel fifths 1 0-1");
  CHECK(faults({chord({"c4", "g4"}), chord({"f3", "c5"})}) == "contrary fifths 1 0-1");
  CHECK(faults({chord({"c4", "c5"}), chord({"f3", "f5"})}) == "contrary octaves 1 0-1");
}

TEST_CASE("fifths that do not move, or change size, are no fault") {
  CHECK(faults({chord({"c3", "g3"}), chord({"c3", "g3"})}).empty());
  CHECK(faults({chord({"b2", "f3"}), chord({"c3", "g3"})}).empty());  // diminished to perfect
  CHECK(faults({chord({"c3", "g3"}), chord({"b2", "f3"})}).empty());
  CHECK(faults({chord({"c3", "e3"}), chord({"d3", "f3"})}).empty());
}

TEST_CASE("outer voices that leap together into a fifth or octave are heard") {
  CHECK(faults({chord({"c3", "e4"}), chord({"f3", "c5"})}) == "hidden fifths 1 0-1");
  CHECK(faults({chord({"g3", "d4"}), chord({"c4", "c5"})}) == "hidden octaves 1 0-1");
  // With a step in the soprano it is the usual close.
  CHECK(faults({chord({"g2", "b3"}), chord({"c3", "c4"})}).empty());
  // Inner voices may do so.
  CHECK(faults({chord({"c3", "e3", "c5"}), chord({"f3", "c4", "c5"})}) == "overlap 1 0-1");
}

TEST_CASE("crossing, overlap, range and spacing") {
  CHECK(faults({chord({"c3", "g4", "e4", "c5"})}) == "crossing 0 1-2");
  CHECK(faults({chord({"c3", "e3"}), chord({"f3", "a3"})}) == "overlap 1 0-1");
  voice_leading_rules rules;
  rules.ranges = {satb_ranges().begin(), satb_ranges().end()};
  rules.spacing = true;
  CHECK(faults({chord({"c2", "c3", "g3", "b5"})}, rules) ==
        "out of range 0 0-0; wide spacing 0 2-3; out of range 0 3-3");
  rules = {};
  rules.key = parse_tonality("c");
  CHECK(faults({chord({"g2", "b3", "d4", "b4"})}, rules) == "doubled leading tone 0 3-3");
}

TEST_CASE(
    "voices with their own rhythm are cut where any of them moves, and rests break movement") {
  auto note = [](int onset, int length, const char* p) {
    return timed_note{quarters{onset}, quarters{length}, parse_pitch(p).value()};
  };
  auto moments = voice_moments({{note(0, 2, "c3"), note(2, 2, "d3")},
                                {note(0, 1, "e4"), note(1, 1, "g4"), note(2, 2, "a4")}});
  REQUIRE(moments.size() == 4);  // 0, 1, 2 and the end
  CHECK(moments[1].at == quarters{1});
  CHECK(moments[1].voices[0] == parse_pitch("c3"));
  auto found = voice_leading_faults(moments);
  REQUIRE(found.size() == 1);
  CHECK(found.front().kind == kind::parallel_fifths);
  CHECK(found.front().moment == 2);
  // A rest between the fifths: nothing moves in parallel.
  CHECK(voice_leading_faults(voice_moments({{note(0, 1, "c3"), note(2, 1, "d3")},
                                            {note(0, 1, "g4"), note(2, 1, "a4")}}))
            .empty());
}

}  // namespace fermata::voice_leading_test
