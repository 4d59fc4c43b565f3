#include "midi/performance/instrument_sound.hpp"

#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::instrument_sound_test {

using namespace testing;

namespace {

std::string programs(const score& s) {
  return events_of<program_change>(render_or_throw(s, exact()), [](auto& p, auto& e) {
    return std::to_string(e.track) + "=" + std::to_string(p.program);
  });
}

part_ptr named(const std::string& name) { return make_part({bar("c4:w")}, "P1", name); }

chord_rest struck(const std::string& instrument, const char* shown = "c5") {
  chord_rest x;
  x.length = quarters{1};
  note n;
  auto p = *parse_pitch(shown);
  n.tone = unpitched{p.letter, p.octave};
  n.instrument = instrument;
  x.notes.push_back(n);
  return x;
}

}  // namespace

TEST_CASE("a part is played by the instrument that its name means") {
  // General MIDI level 1, from 0: violin 40, flute 73, clarinet 71, trumpet 56, piano 0, cello 42.
  struct row {
    const char *name, *programs;
  };
  for (auto& r :
       {row{"Violin II", "0:1=40"}, row{"Flutes", "0:1=73"}, row{"Clarinet in A", "0:1=71"},
        row{"Clarinet in B-flat 1", "0:1=71"}, row{"Trumpet in B 2", "0:1=56"},
        row{"Violoncello", "0:1=42"}, row{"Music", "0:1=0"}, row{"", "0:1=0"}})
    CHECK(programs(*make_score({named(r.name)})) == r.programs);
}

TEST_CASE("the program that the score says counts more, then the sound, then the name") {
  part_instrument i;
  i.id = "I1";
  i.name = "Violin";
  i.sound = "wind.reed.oboe.baroque";
  CHECK(programs(*make_score({with_instrument(named("Piano"), i)})) == "0:1=68");  // an oboe
  i.midi_program = 105;                                                            // sitar, from 1
  CHECK(programs(*make_score({with_instrument(named("Piano"), i)})) == "0:1=104");
  i.midi_program.reset();
  i.sound = "";
  CHECK(programs(*make_score({with_instrument(named("Piano"), i)})) == "0:1=40");
}

TEST_CASE("volume, pan and bank are set before the first note") {
  part_instrument i;
  i.id = "I1";
  i.volume = "80";    // 101.6 of 127
  i.pan = "-90";      // hard left
  i.midi_bank = 130;  // from 1: 129 is 1 and 1 in two sevens of bits
  i.midi_channel = 3;
  auto p = render_or_throw(*make_score({with_instrument(named("Piano"), i)}), exact());
  std::string text;
  for (auto& e : p.events) {
    if (auto* c = std::get_if<controller>(&e.what))
      text += std::to_string(c->channel) + ":" + std::to_string(c->number) + "=" +
              std::to_string(c->value) + " ";
    if (std::holds_alternative<program_change>(e.what)) text += "program ";
    if (std::holds_alternative<note_on>(e.what)) text += "note ";
  }
  CHECK(text == "2:0=1 2:32=1 program 2:7=102 2:10=0 note ");
}

TEST_CASE("degrees from the front become left and right") {
  part_instrument i;
  struct row {
    const char* degrees;
    int value;
  };
  for (auto& r : {row{"0", 64}, row{"90", 127}, row{"-45", 32}, row{"135", 96}, row{"180", 64}}) {
    i.pan = r.degrees;
    CHECK(sound_of(*named("Piano"), &i, false).pan == r.value);
  }
  i.pan = "left";
  CHECK_FALSE(sound_of(*named("Piano"), &i, false).pan);
}

TEST_CASE("drums are played on channel 10, by midi-unpitched, which counts from 1") {
  auto m = bar("r:w");
  m.items.clear();
  m.items.push_back({measure_position{}, struck("I1")});
  m.items.push_back({measure_position{1}, struck("I2")});
  auto p = make_part({m}, "P1", "Drumset");
  part_instrument snare, hi_hat;
  snare.id = "I1";
  snare.midi_unpitched = 39;
  hi_hat.id = "I2";
  hi_hat.name = "Open Hi-Hat";
  auto s = make_score({with_instrument(with_instrument(p, snare), hi_hat)});
  // 39 is key 38, the acoustic snare; the open hi-hat of General MIDI is 46.
  CHECK(heard(*s, exact()) == "0+1:38 1+1:46");
  for (auto& n : notes_of(render_or_throw(*s, exact())))
    CHECK(n.channel == 9);
}

TEST_CASE("a drum is known by its name") {
  // General MIDI level 1, percussion key map.
  struct row {
    const char* name;
    int key;
  };
  for (auto& r : {row{"Snare Drum", 38}, row{"Bass Drum", 36}, row{"Acoustic Bass Drum", 35},
                  row{"Pedal Hi-Hat", 44}, row{"Closed Hi-Hat", 42}, row{"Crash Cymbal 1", 49},
                  row{"Crash Cymbal 2", 57}, row{"Ride Cymbal", 51}, row{"Triangle", 81},
                  row{"Mute Triangle", 80}, row{"Tambourine", 54}, row{"Low Floor Tom", 41},
                  row{"High Tom", 50}, row{"Side Stick", 37}, row{"Cowbell", 56}, row{"Claves", 75},
                  row{"drum.snare-drum", 38}})
    CHECK(drum_key(r.name) == r.key);
  CHECK_FALSE(drum_key("Violin"));
}

TEST_CASE("a drum that nobody knows has the key of the place where it is drawn") {
  auto m = bar("r:w");
  m.items.clear();
  m.items.push_back({measure_position{}, struck("", "e4")});
  CHECK(heard(*make_score({make_part({m}, "P1", "Anvil")}), exact()) == "0+1:64");
}

}  // namespace fermata::midi::instrument_sound_test
