// The meters in which takes are recorded and transcribed, which `core`, `midi` and the texts of the
// commands and methods name each for themselves.

#include "io/protocol/method.hpp"
#include "midi/transcription/counted_metre.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace fermata::io {

namespace {

std::vector<std::string> transcribed_meters() {
  std::vector<std::string> names;
  for (auto& m : midi::counted_metres)
    names.push_back(to_string(midi::signature_of(m)));
  return names;
}

void names_all_meters(std::string_view text) {
  CAPTURE(text);
  for (auto& name : transcribed_meters())
    CHECK(text.find(name) != text.npos);
}

}  // namespace

TEST_CASE("takes are recorded in the meters in which they can be transcribed") {
  auto known = transcribed_meters();
  musician s;
  for (int beats = 1; beats <= 16; ++beats)
    for (int type : {1, 2, 4, 8, 16}) {
      auto name = std::to_string(beats) + '/' + std::to_string(type);
      CAPTURE(name);
      auto is_known = std::find(known.begin(), known.end(), name) != known.end();
      CHECK(run_command("record --metronome --meter " + name, s.state, {}, s.clock).ok == is_known);
      CHECK(midi::metre_called(name).has_value() == is_known);
    }
}

TEST_CASE("texts about meters name each of them") {
  int options = 0, parameters = 0;
  for (auto& c : command_table())
    for (auto& o : c.options)
      if (o.name == "meter") {
        names_all_meters(o.help);
        ++options;
      }
  CHECK(options == 2);  // of `:record` and `:quantize`
  for (auto* m : protocol::methods())
    for (auto& p : m->params)
      if (p.name == "meter") {
        names_all_meters(p.doc);
        ++parameters;
      }
  CHECK(parameters == 1);  // of `midi_get_recording`
  musician s;
  names_all_meters(run_command("record --metronome --meter 7/8", s.state, {}, s.clock).output);
}

}  // namespace fermata::io
