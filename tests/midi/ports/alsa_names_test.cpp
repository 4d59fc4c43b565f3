#include "midi/ports/alsa_names.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::alsa_names_test {

namespace {

using strings = std::vector<std::string>;

strings ids(alsa_names& names, const strings& full_names) {
  strings all;
  for (auto& p : names.of(full_names))
    all.push_back(p.as_device.id);
  return all;
}

}  // namespace

TEST_CASE("the id of an ALSA port has no numbers of the client") {
  alsa_names names;
  auto ports = names.of({"Midi Through:Midi Through Port-0 14:0", "Nord:Nord Stage 128:12"});
  REQUIRE(ports.size() == 2);
  CHECK(ports[0].full_name == "Midi Through:Midi Through Port-0 14:0");
  CHECK(ports[0].as_device ==
        device{"alsa:Midi Through:Midi Through Port-0", "Midi Through Port-0", "ALSA"});
  CHECK(ports[1].as_device == device{"alsa:Nord:Nord Stage", "Nord Stage", "ALSA"});
}

TEST_CASE("ports of Fermata are no devices") {
  alsa_names names;
  CHECK(ids(names, {"Fermata:Fermata input 128:0", "Fermata:in 129:0"}).empty());
}

TEST_CASE("two keyboards of one name have two ids and two names") {
  alsa_names names;
  auto ports = names.of({"Keystation:Keystation MIDI 1 20:0", "Keystation:Keystation MIDI 1 24:0"});
  REQUIRE(ports.size() == 2);
  CHECK(ports[0].as_device.id == "alsa:Keystation:Keystation MIDI 1");
  CHECK(ports[1].as_device.id == "alsa:Keystation:Keystation MIDI 1 (2)");
  CHECK(ports[1].as_device.name == "Keystation MIDI 1 (2)");
}

TEST_CASE("a port keeps its id when another one of its name comes or goes") {
  alsa_names names;
  CHECK(ids(names, {"K:in 20:0", "K:in 24:0", "K:in 28:0"}) ==
        strings{"alsa:K:in", "alsa:K:in (2)", "alsa:K:in (3)"});
  CHECK(ids(names, {"K:in 24:0", "K:in 28:0"}) == strings{"alsa:K:in (2)", "alsa:K:in (3)"});
  // The one that returns has another number of the client.
  CHECK(ids(names, {"K:in 16:0", "K:in 24:0", "K:in 28:0"}) ==
        strings{"alsa:K:in", "alsa:K:in (2)", "alsa:K:in (3)"});
}

TEST_CASE("a name that looks like one with a number is not taken for it") {
  alsa_names names;
  CHECK(ids(names, {"K:in (2) 20:0", "K:in 24:0", "K:in 28:0"}) ==
        strings{"alsa:K:in (2)", "alsa:K:in", "alsa:K:in (3)"});
}

}  // namespace fermata::midi::alsa_names_test
