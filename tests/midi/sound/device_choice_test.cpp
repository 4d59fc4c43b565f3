#include "midi/sound/device_choice.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::device_choice_test {

namespace {

const std::vector<device> devices{{"virtual", "Fermata, a port", "JACK"},
                                  {"jack:a2j:Nord Piano 5", "Nord Piano 5", "JACK"},
                                  {"jack:qsynth:midi", "qsynth", "JACK"},
                                  {"alsa:Nord:Nord Stage", "Nord Stage", "ALSA"}};

std::string chosen(const std::string& word) {
  auto d = chosen_device(devices, word);
  return d ? d->id : "! " + d.error().message + " | " + d.error().advice;
}

}  // namespace

TEST_CASE("a device is chosen by id, name or a part of them") {
  CHECK(chosen("jack:qsynth:midi") == "jack:qsynth:midi");
  CHECK(chosen("NORD STAGE") == "alsa:Nord:Nord Stage");
  CHECK(chosen("piano") == "jack:a2j:Nord Piano 5");
  CHECK(chosen("qsy") == "jack:qsynth:midi");
}

TEST_CASE("without a word it is the first one that is heard") {
  CHECK(chosen("") == "jack:a2j:Nord Piano 5");
  CHECK_FALSE(chosen_device({devices.front()}, ""));
  CHECK(chosen_device({}, "").error().message == "no synthesizer and no MIDI ports");
}

TEST_CASE("an unknown or ambiguous word is refused, with the nearest name") {
  CHECK(chosen("nord").starts_with("! ambiguous device name `nord` | "));
  CHECK(chosen("qsinth") == "! unknown device `qsinth` | Did you mean `qsynth`?");
  CHECK(chosen("zzzzzz") == "! unknown device `zzzzzz` | ");
}

TEST_CASE("all inputs are each instrument once, without what only repeats") {
  std::vector<device> inputs{
      {"jack:a2j:Keystation [20] (capture)", "Keystation", "JACK"},
      {"jack:system:midi_capture_2", "alsa_pcm:USB-Pad/midi_capture_1", "JACK"},
      {"jack:a2j:Midi Through [14] (capture)", "Midi Through", "JACK"},
      {"alsa:Midi Through:Midi Through Port-0", "Midi Through Port-0", "ALSA"},
      {"alsa:Keystation:Keystation MIDI 1", "Keystation MIDI 1", "ALSA"},
      {"alsa:USB Pad:USB Pad MIDI 1", "USB Pad MIDI 1", "ALSA"},
      {"alsa:Nord:Nord Stage", "Nord Stage", "ALSA"},
      {"alsa:Nord:Nord Stage", "Nord Stage", "ALSA"},
      {virtual_id, "Fermata input", "JACK"}};
  std::vector<std::string> ids;
  for (auto& d : all_inputs(inputs))
    ids.push_back(d.id);
  CHECK(ids == std::vector<std::string>{"jack:a2j:Keystation [20] (capture)",
                                        "jack:system:midi_capture_2", "alsa:Nord:Nord Stage"});
  CHECK(all_inputs({}).empty());
}

}  // namespace fermata::midi::device_choice_test
