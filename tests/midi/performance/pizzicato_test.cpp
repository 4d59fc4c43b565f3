#include "midi/performance/pizzicato.hpp"

#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

#include <map>

namespace fermata::midi::pizzicato_test {

using namespace testing;

namespace {

/// The program of each note, counted from 1 as General MIDI does.
std::string programs(const score& s) {
  auto p = render_or_throw(s, performed());
  std::map<int, int> of_channel;
  std::string text;
  for (auto& e : p.events) {
    if (auto* c = std::get_if<program_change>(&e.what)) of_channel[c->channel] = c->program + 1;
    if (auto* n = std::get_if<note_on>(&e.what))
      text += (text.empty() ? "" : " ") + std::to_string(of_channel.at(n->channel));
  }
  return text;
}

/// Four quarter notes with this at the second and that at the fourth.
score_ptr changing(const char* instrument, measure_content second, measure_content fourth) {
  auto m = bar("c4:q d4:q e4:q f4:q");
  put(m, 1, std::move(second));
  put(m, 3, std::move(fourth));
  return make_score({make_part({m}, "P1", instrument)});
}

}  // namespace

// General MIDI level 1: 41 Violin, 43 Cello, 46 Pizzicato Strings, 1 Acoustic Grand Piano.
TEST_CASE("strings are plucked from pizz. to arco") {
  CHECK(programs(*changing("Violin", text("pizz."), text("arco"))) == "41 46 46 41");
  CHECK(programs(*changing("Cello", text("Pizzicato"), text("Arco"))) == "43 46 46 43");
  CHECK(programs(*changing("Violin", sound_saying("pizzicato", "yes"),
                           sound_saying("pizzicato", "no"))) == "41 46 46 41");
}

TEST_CASE("what a sound says counts more than words") {
  auto d = text("pizz.");
  d.sound = sound_saying("pizzicato", "no");
  CHECK(programs(*changing("Violin", d, text("arco"))) == "41 41 41 41");
}

TEST_CASE("other instruments and other words change nothing") {
  CHECK(programs(*changing("Piano", text("pizz."), text("arco"))) == "1 1 1 1");
  CHECK(programs(*changing("Violin", text("dolce"), text("arco"))) == "41 41 41 41");
}

TEST_CASE("a snap pizzicato is plucked among bowed notes") {
  auto m = bar("c4:q d4:q e4:h");
  mark_note(m, 1, mark_kind::snap_pizzicato);
  CHECK(programs(*make_score({make_part({m}, "P1", "Violin")})) == "41 46 41");
}

TEST_CASE("pizzicato lasts into the next measures, and a repeat begins as it is written") {
  auto first = bar("c4:w"), second = bar("d4:h e4:h", "2");
  put(second, 2, text("pizz."));
  auto third = bar("f4:w", "3");
  CHECK(programs(*make_score({make_part({first, second, third}, "P1", "Violin")})) ==
        "41 41 46 46");
}

}  // namespace fermata::midi::pizzicato_test
