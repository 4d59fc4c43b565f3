#include "core/music/instruments.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>

namespace fermata::instruments_test {

TEST_CASE("every instrument of the original has a row") {
  // The shortcuts listed in the original's reference, `show instruments` included.
  for (auto name :
       {"piano",      "violin",      "viola",      "cello",    "violoncello", "bass",
        "contrabass", "double-bass", "flute",      "oboe",     "clarinet",    "bassoon",
        "horn",       "french-horn", "trumpet",    "trombone", "tuba",        "voice",
        "vocal",      "soprano",     "alto",       "tenor",    "baritone",    "guitar",
        "harp",       "timpani",     "percussion", "perc",     "organ",       "harpsichord",
        "saxophone",  "drums",       "bass-voice"}) {
    INFO(name);
    CHECK(find_instrument(name));
  }
}

TEST_CASE("a name means one instrument only") {
  std::set<std::string_view> names;
  for (const auto& row : instrument_table()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    for (auto alias : row.aliases)
      CHECK(names.insert(alias).second);
  }
}

TEST_CASE("every instrument has clefs that exist, a program and a playable range") {
  for (const auto& row : instrument_table()) {
    INFO(row.name);
    REQUIRE_FALSE(row.clefs.empty());
    for (auto c : row.clefs)
      CHECK(find_clef(c));
    CHECK(row.midi_program >= 1);
    CHECK(row.midi_program <= 128);
    CHECK_FALSE(row.sound.empty());
    if (row.percussion) continue;
    REQUIRE(row.lowest_pitch());
    REQUIRE(row.highest_pitch());
    CHECK(midi_cents(*row.lowest_pitch()) < midi_cents(*row.highest_pitch()));
  }
}

TEST_CASE("transposing instruments sound where orchestration books say") {
  struct row {
    std::string_view name;
    int semitones;
  };
  // Adler, The Study of Orchestration, appendix A.
  for (auto [name, semitones] :
       {row{"clarinet", -2}, row{"clarinet-a", -3}, row{"horn", -7}, row{"english-horn", -7},
        row{"saxophone", -9}, row{"tenor-saxophone", -14}, row{"baritone-saxophone", -21},
        row{"bass-clarinet", -14}, row{"piccolo", 12}, row{"contrabass", -12},
        row{"glockenspiel", 24}, row{"alto-flute", -5}, row{"trumpet", -2}, row{"flute", 0}}) {
    INFO(name);
    auto i = find_instrument(name);
    REQUIRE(i);
    CHECK(i->chromatic + 12 * i->octaves == semitones);
  }
}

}  // namespace fermata::instruments_test
