#include "core/score/model/score.hpp"
#include "midi/performance/render.hpp"
#include "midi/smf/from_performance.hpp"
#include "midi/smf/read.hpp"
#include "midi/smf/to_score.hpp"
#include "midi/smf/write.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

namespace fermata::smf_round_trip_test {

using fermata::testing::one_part;
using fermata::testing::spelled;

namespace {

/// The measures of the first part of a score, " | " between them.
std::string measures(const score& s) {
  std::string out;
  for (auto& m : s.parts[0]->measures)
    out += (out.empty() ? "" : " | ") + spelled(*m);
  return out;
}

/// The score as it comes back from the MIDI file of a performance of it.
std::string through_a_file(const score& s, const midi::render_options& how, int format) {
  auto performance = midi::render(s, how);
  REQUIRE(performance);
  auto bytes = midi::smf::write(midi::smf::from_performance(*performance, {format}));
  auto found = midi::smf::read(bytes);
  REQUIRE(found);
  CHECK(found->remarks.empty());
  auto converted = midi::smf::to_score(found->file);
  if (!converted) FAIL(converted.error().first().message);
  return measures(*converted->score);
}

}  // namespace

TEST_CASE("a melody comes back from its own MIDI file") {
  const std::vector<std::vector<std::string>> melodies = {
      {"c4:q d4:q e4:h", "f4:h. g4:q", "a4:w"},
      {"c4:q. d4:8 e4:16 f4:16 g4:8 a4:q", "b4:h c5:8 d5:8 r:q"},
      {"c4:q <e4_g4>:q r:h", "r:q d4:q <f4_a4_c5>:h"}};
  for (auto& melody : melodies) {
    auto s = one_part(melody);
    auto wanted = measures(*s);
    for (auto format : {0, 1}) {
      CHECK(through_a_file(*s, midi::exact(), format) == wanted);
      CHECK(through_a_file(*s, midi::performed(), format) == wanted);
    }
  }
}

}  // namespace fermata::smf_round_trip_test
