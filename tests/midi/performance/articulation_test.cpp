#include "midi/performance/articulation.hpp"

#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::articulation_test {

using namespace testing;

TEST_CASE("articulation marks shorten and stress notes as LilyPond has it") {
  struct row {
    mark_kind kind;
    const char* length;
    int velocity;  // 90 without dynamics, and more
  };
  // articulate.ly (lengths) and script-init.ly (velocities) of LilyPond 2.24.
  const row rows[] = {{mark_kind::staccato, "1/2", 94}, {mark_kind::staccatissimo, "1/4", 96},
                      {mark_kind::tenuto, "1", 90},     {mark_kind::detached_legato, "3/4", 90},
                      {mark_kind::accent, "7/8", 110},  {mark_kind::strong_accent, "7/8", 127},
                      {mark_kind::fingering, "7/8", 90}};
  for (auto& r : rows) {
    auto m = bar("c4:q r:q r:h");
    mark_note(m, 0, r.kind);
    INFO(info(r.kind).xml_name);
    CHECK(heard(*one_measure(m)) == std::string{"0+"} + r.length + ":60");
    CHECK(loud(*one_measure(m)) == std::to_string(r.velocity));
  }
}

TEST_CASE("stress and soft accents are louder than nothing and softer than accents") {
  auto loudness = [](mark_kind kind) {
    auto m = bar("c4:q r:q r:h");
    mark_note(m, 0, kind);
    return loud(*one_measure(m));
  };
  CHECK(loudness(mark_kind::stress) == "100");
  CHECK(loudness(mark_kind::soft_accent) == "100");
  CHECK(loudness(mark_kind::unstress) == "80");
}

TEST_CASE("staccato with tenuto is portato") {
  auto m = bar("c4:q r:q r:h");
  mark_note(mark_note(m, 0, mark_kind::staccato), 0, mark_kind::tenuto);
  CHECK(heard(*one_measure(m)) == "0+3/4:60");
}

TEST_CASE("under a slur notes join, and the last one does not") {
  CHECK(heard(*one_measure(bar("c4:q( d4:q e4:q) f4:q"))) == "0+1:60 1+1:62 2+7/8:64 3+7/8:65");
}

TEST_CASE("staccato under a slur is portato") {
  auto m = bar("c4:q( d4:q e4:q) r:q");
  mark_note(m, 1, mark_kind::staccato);
  CHECK(heard(*one_measure(m)) == "0+1:60 1+3/4:62 2+7/8:64");
}

TEST_CASE("before a breath mark a note ends an eighth early, but half of it is heard") {
  auto m = bar("c4:h d4:q e4:8 r:8");
  for (auto item : {0u, 1u, 2u})
    mark_note(m, item, mark_kind::breath_mark);
  CHECK(heard(*one_measure(m)) == "0+3/2:60 2+1/2:62 3+1/4:64");
}

TEST_CASE("machines get the whole lengths, and the accents") {
  auto m = bar("c4:q d4:q r:h");
  mark_note(m, 0, mark_kind::staccato);
  mark_note(m, 1, mark_kind::accent);
  CHECK(heard(*one_measure(m), exact()) == "0+1:60 1+1:62");
  CHECK(loud(*one_measure(m), exact()) == "94 110");
}

TEST_CASE("the attack and release of a note are obeyed") {
  auto m = bar("c4:q d4:q r:h");
  chord_in(m, 1).notes[0].extra = with_attributes({{"attack", "1/8"}, {"release", "-1/4"}});
  mark_note(m, 1, mark_kind::tenuto);
  CHECK(heard(*one_measure(m)) == "0+7/8:60 9/8+5/8:62");
  CHECK(heard(*one_measure(m), exact()) == "0+1:60 1+1:62");
}

}  // namespace fermata::midi::articulation_test
