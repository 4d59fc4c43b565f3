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

}  // namespace fermata::midi::device_choice_test
