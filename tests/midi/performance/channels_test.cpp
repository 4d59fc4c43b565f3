#include "midi/performance/channels.hpp"

#include "midi/performance/lanes.hpp"
#include "tests/midi/performance/heard.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace fermata::midi::channels_test {

using namespace testing;

namespace {

note raised(const char* pitch_text, int cents) {
  auto n = tone_note(pitch_text);
  std::get<pitch>(n.tone).cents = static_cast<std::int16_t>(cents);
  return n;
}

/// A measure of quarter notes, each so many cents above c4.
measure microtones(const std::vector<int>& cents) {
  measure m;
  measure_position at;
  for (auto c : cents) {
    chord_rest x;
    x.length = quarters{1};
    x.written = note_value{};
    x.notes.push_back(raised("c4", c));
    m.items.push_back({at, x});
    at += x.length;
  }
  return m;
}

/// The bend of each note as it begins, and whether it changes while the note sounds.
std::string bends_of_notes(const performance& p) {
  std::map<std::pair<int, int>, int> bends, sounding;
  std::string text;
  for (auto& e : p.events) {
    int port = p.tracks[e.track].port;
    if (auto* b = std::get_if<pitch_bend>(&e.what)) {
      if (sounding[{port, b->channel}] > 0) text += "detuned ";
      bends[{port, b->channel}] = b->value;
    } else if (auto* on = std::get_if<note_on>(&e.what)) {
      ++sounding[{port, on->channel}];
      text += std::to_string(on->key) + "^" + std::to_string(bends[{port, on->channel}]) + " ";
    } else if (auto* off = std::get_if<note_off>(&e.what)) {
      --sounding[{port, off->channel}];
    }
  }
  return text;
}

score_ptr parts_named(const std::vector<std::string>& names) {
  std::vector<part_ptr> parts;
  for (std::size_t i = 0; i < names.size(); ++i)
    parts.push_back(make_part({bar("c4:w")}, "P" + std::to_string(i + 1), names[i]));
  return make_score(parts);
}

}  // namespace

TEST_CASE("seventeen parts go on to a second port, and none of them on the drum channel") {
  auto p = render_or_throw(*parts_named(std::vector<std::string>(17, "Violin")), exact());
  std::set<std::pair<int, int>> used;
  for (auto& n : notes_of(p)) {
    CHECK(n.channel != percussion_channel);
    CHECK(used.insert({n.port, n.channel}).second);
  }
  CHECK(used.size() == 17);
  CHECK(p.ports() == 2);
  CHECK(p.tracks.size() == 18);
  CHECK(p.tracks[17].port == 1);
  CHECK(p.tracks[17].part == 16u);
}

TEST_CASE("the channel that a score asks for is given to the first who asks") {
  part_instrument i;
  i.id = "I1";
  i.midi_channel = 5;
  auto s = make_score({with_instrument(make_part({bar("c4:w")}, "P1"), i),
                       with_instrument(make_part({bar("d4:w")}, "P2"), i)});
  auto notes = notes_of(render_or_throw(*s, exact()));
  CHECK(notes[0].channel == 4);
  CHECK(notes[1].channel == 0);
}

TEST_CASE("more parts than 128 ports have channels for are an error") {
  std::vector<channel_request> requests;
  std::vector<std::string> names(128 * 15 + 1, "Violin");
  auto s = parts_named(names);
  for (std::uint32_t i = 0; i < names.size(); ++i)
    requests.push_back({i, {}, 1});
  auto plan = channels_for(*s, requests);
  REQUIRE_FALSE(plan);
  CHECK(plan.error().first().code == errc::out_of_range);
  CHECK(plan.error().first().message ==
        "the score needs more MIDI channels than 128 ports have: part 1921 has none");
  requests.pop_back();
  CHECK(channels_for(*s, requests));
}

TEST_CASE("a quarter tone is a bend of a quarter of the range") {
  // General MIDI: 2 semitones are 8192, so 50 cents are 2048.
  auto p = render_or_throw(*one_measure(microtones({0, 50, 0, -50})), exact());
  CHECK(bends_of_notes(p) == "60^0 60^2048 60^0 59^2048 ");
}

TEST_CASE("a bend never detunes a note that still sounds") {
  auto m = bar("c4:w");
  auto above = microtones({50, 25, 50, 10});
  for (auto item : above.items) {
    std::get<chord_rest>(item.content).voice = "2";
    m.items.push_back(item);
  }
  auto p = render_or_throw(*one_measure(m), exact());
  CHECK(bends_of_notes(p).find("detuned") == std::string::npos);
  CHECK(notes_of(p).size() == 5);
}

TEST_CASE("a note in the pedal is not detuned either") {
  // More bends than lanes are kept for, with the pedal down all the time.
  std::vector<int> cents;
  for (int i = 1; i <= 20; ++i)
    cents.push_back(i);
  auto m = microtones(cents);
  pedal down;
  down.type = "start";
  lead(m, showing(down));
  std::set<int> channels;
  auto p = render_or_throw(*one_measure(m), exact());
  for (auto& n : notes_of(p))
    channels.insert(n.port * 16 + n.channel);
  CHECK(channels.size() == 20);
  // Without the pedal 14 lanes beside the straight one do.
  channels.clear();
  for (auto& n : notes_of(render_or_throw(*one_measure(microtones(cents)), exact())))
    channels.insert(n.port * 16 + n.channel);
  CHECK(channels.size() == 14);
}

TEST_CASE("a chord of microtones has a channel for each bend") {
  measure m;
  chord_rest x;
  x.length = quarters{4};
  for (int cents : {0, 50, 33, 150})
    x.notes.push_back(raised("c4", cents));
  m.items.push_back({measure_position{}, x});
  // 33 cents are 8192 * 0.33 / 2 = 1352; 150 cents are a key and 50.
  CHECK(bends_of_notes(render_or_throw(*one_measure(m), exact())) ==
        "60^0 60^1352 60^2048 61^2048 ");
}

TEST_CASE("a slide takes the lane that has been silent longest") {
  lane_set lanes;
  auto slide = [&](int from, int until) {
    return lanes.lane_for(quarters{from}, quarters{until}, 0, true).lane;
  };
  CHECK(slide(0, 2) == 1);
  CHECK(slide(1, 4) == 2);
  CHECK(slide(2, 6) == 1);
  // Both are silent: the first since 6, the second since 4.
  CHECK(slide(6, 7) == 2);
  // Equally long silent: the first.
  CHECK(slide(6, 7) == 1);
  CHECK(slide(7, 8) == 1);
  // A bend without a slide has a lane of its own, which stays bent.
  auto bent = lanes.lane_for(quarters{8}, quarters{9}, 50, false);
  CHECK(bent.lane == 3);
  CHECK(bent.bends);
  bent = lanes.lane_for(quarters{8}, quarters{9}, 50, false);
  CHECK(bent.lane == 3);
  CHECK_FALSE(bent.bends);
}

TEST_CASE("keys are rounded to the nearest, quarter tones down") {
  CHECK(bent_key_of(6050).key == 60);
  CHECK(bent_key_of(6050).cents == 50);
  CHECK(bent_key_of(6051).key == 61);
  CHECK(bent_key_of(6051).cents == -49);
  CHECK(bent_key_of(-30).key == 0);
  CHECK(bent_key_of(-50).key == -1);
  CHECK(bend_value(200, 2) == 8191);
  CHECK(bend_value(-200, 2) == -8192);
}

TEST_CASE("drum parts with the same kit share channel 10, others have another port") {
  std::vector<channel_request> requests;
  auto s = parts_named({"Snare", "Bass Drum", "Jazz Kit"});
  for (std::uint32_t i = 0; i < 3; ++i) {
    instrument_sound kit;
    kit.percussion = true;
    kit.program = i == 2 ? 32 : 0;
    requests.push_back({i, kit, 1});
  }
  auto plan = channels_for(*s, requests);
  REQUIRE(plan);
  CHECK(plan->places[0][0].channel == 9);
  CHECK(plan->places[1][0].port == 0);
  CHECK(plan->places[1][0].track == 2);
  CHECK(plan->places[2][0].port == 1);
}

}  // namespace fermata::midi::channels_test
