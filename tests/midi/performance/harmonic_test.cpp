#include "midi/performance/harmonic.hpp"

#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::harmonic_test {

using namespace testing;

namespace {

/// The keys that are heard of a chord whose notes are harmonics with these children.
std::string keys(const char* chord, const std::vector<std::vector<std::string>>& children) {
  auto m = bar(chord);
  auto& notes = chord_in(m, 0).notes;
  for (std::size_t i = 0; i < notes.size(); ++i)
    if (!children[i].empty())
      notes[i].marks.push_back({mark_kind::harmonic, "", with_children(children[i])});
  std::string text;
  for (auto& n : notes_of(render_or_throw(*one_measure(m), exact())))
    text += (text.empty() ? "" : " ") + std::to_string(n.key);
  return text;
}

const std::vector<std::string> base{"<artificial/>", "<base-pitch/>"},
    touching{"<artificial/>", "<touching-pitch/>"}, sounding{"<artificial/>", "<sounding-pitch/>"};

}  // namespace

TEST_CASE("of an artificial harmonic only the sounding pitch is heard") {
  CHECK(keys("<c4_f4_c6>:w", {base, touching, sounding}) == "84");
}

TEST_CASE("without one, the touched interval decides how high the harmonic sounds") {
  // Partials: a fourth touches the fourth one, two octaves above; a fifth the third one, an octave
  // and a fifth; a third the fifth one, two octaves and a major third; a minor third the sixth one.
  CHECK(keys("<c4_f4>:w", {base, touching}) == "84");
  CHECK(keys("<c4_g4>:w", {base, touching}) == "79");
  CHECK(keys("<c4_e4>:w", {base, touching}) == "88");
  CHECK(keys("<c4_eb4>:w", {base, touching}) == "91");
  CHECK(keys("<c4_c5>:w", {base, touching}) == "72");
  CHECK(keys("<c4_a4>:w", {base, touching}) == "88");
}

TEST_CASE("double stops of harmonics sound as two") {
  // c4 touched a fourth above and a4 touched a fifth above: c6 (84), and e6 (88).
  CHECK(keys("<c4_f4_a4_e5>:w", {base, touching, base, touching}) == "84 88");
}

TEST_CASE("of two notes that are only called artificial the lower one is stopped") {
  CHECK(keys("<c4_f4>:w", {{"<artificial/>"}, {"<artificial/>"}}) == "84");
  CHECK(keys("<c4_f4>:w", {{}, {"<artificial/>"}}) == "84");
}

TEST_CASE("harmonics that do not say how they sound are named") {
  auto left_out = [](const char* chord, const std::vector<std::vector<std::string>>& children) {
    auto m = bar(chord);
    auto& notes = chord_in(m, 0).notes;
    for (std::size_t i = 0; i < notes.size(); ++i)
      notes[i].marks.push_back({mark_kind::harmonic, "", with_children(children[i])});
    return render_or_throw(*one_measure(m), performed()).left_out;
  };
  CHECK(left_out("<c4_f4>:w", {base, touching}).empty());
  CHECK(left_out("c4:w", {{"<natural/>"}}).empty());
  auto pinched = left_out("c4:w", {base});
  REQUIRE(pinched.size() == 1);
  CHECK(pinched[0].message == "not played: harmonic (in measure 1)");
  CHECK(left_out("<c4_d4>:w", {base, touching}).size() == 1);
}

TEST_CASE("harmonics that say too little are heard as written") {
  CHECK(keys("c4:w", {{"<natural/>"}}) == "60");
  CHECK(keys("c4:w", {base}) == "60");
  CHECK(keys("<c4_d4>:w", {base, touching}) == "60 62");
  // The third note is not a harmonic.
  CHECK(keys("<c4_f4_a5>:w", {base, touching, {}}) == "81 84");
}

}  // namespace fermata::midi::harmonic_test
