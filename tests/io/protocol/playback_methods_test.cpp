#include "io/protocol/dispatch.hpp"

#include <boost/json/parse.hpp>
#include <catch2/catch.hpp>

namespace fermata::io::playback_methods_test {

using namespace fermata::io::protocol;

namespace {

call called(std::string_view method, std::string_view params) {
  static std::vector<std::shared_ptr<incoming>> alive;
  alive.push_back(incoming::read("{\"id\":1,\"method\":\"" + std::string{method} +
                                 "\",\"params\":" + std::string{params} + "}"));
  return prepare(alive.back()->requests().front());
}

answer<command> asked(std::string_view method, std::string_view params) {
  auto c = called(method, params);
  if (c.refused) return refuse(*c.refused);
  return command_of(*c.row, c.params);
}

/// The command of the prompt that a request becomes.
std::string line_of(std::string_view method, std::string_view params) {
  auto c = asked(method, params);
  REQUIRE(c);
  return command_line_of(std::get<control_playback>(*c).command).text;
}

fault refusal(std::string_view method, std::string_view params) {
  auto c = asked(method, params);
  INFO(params);
  REQUIRE_FALSE(c);
  return c.error();
}

fault_code refused(std::string_view method, std::string_view params) {
  return refusal(method, params).code;
}

}  // namespace

TEST_CASE("midi_play becomes the command :play") {
  CHECK(line_of("midi_play", "{}") == "play");
  CHECK(line_of("midi_play", R"({"measures":"5-8"})") == "play 5-8");
  CHECK(line_of("midi_play", R"({"part":"Violin \"1\"","measures":"2"})") ==
        "play \"Violin \\\"1\\\"\" 2");
  CHECK(line_of("midi_play", R"j({"text":"(note c4 :q)","tempo":50,"loop":true})j") ==
        "play (do (note c4 :q)\n) --loop --tempo 50%");
  CHECK(line_of("midi_play", R"({"proposal":3})") == "play \u03943");
  CHECK(line_of("midi_stop", "{}") == "stop");
}

TEST_CASE("midi_play plays one thing") {
  CHECK(refused("midi_play", R"({"part":"Flute","text":"c4"})") == fault_code::invalid_params);
  CHECK(refused("midi_play", R"({"measures":"1","proposal":1})") == fault_code::invalid_params);
  CHECK(refused("midi_play", R"({"tempo":0})") != fault_code::none);
  CHECK(refused("midi_play", R"({"tempo":5000})") != fault_code::none);
  for (auto wrong : {R"({"part":"--loop"})", R"({"measures":"--loop"})", R"j({"text":"(note c4"})j",
                     R"j({"text":"c4) --loop (x"})j", R"({"text":"\"x"})"})
    CHECK(refused("midi_play", wrong) == fault_code::invalid_params);
  CHECK(refused("midi_play", R"({"loud":true})") == fault_code::invalid_params);
}

TEST_CASE("midi_send takes complete MIDI messages in hexadecimal") {
  auto c = asked("midi_send", R"({"messages":["90 3C 40","803c40","F0 7E 7F 06 01 F7","F8"]})");
  REQUIRE(c);
  CHECK(std::get<send_midi>(*c).messages ==
        std::vector<std::vector<std::uint8_t>>{
            {0x90, 0x3C, 0x40}, {0x80, 0x3C, 0x40}, {0xF0, 0x7E, 0x7F, 0x06, 0x01, 0xF7}, {0xF8}});
  for (auto wrong :
       {R"({"messages":["90 3C"]})", R"({"messages":["3C 40"]})", R"({"messages":["90 3C 80"]})",
        R"({"messages":["9G 3C 40"]})", R"({"messages":["9 03C40"]})", R"({"messages":[""]})",
        R"({"messages":["F0 41"]})", R"({"messages":[]})", R"({})"})
    CHECK(refused("midi_send", wrong) != fault_code::none);
  CHECK(refusal("midi_send", R"({"messages":["F8","90 3C"]})").data.at("param") == "messages[1]");
}

}  // namespace fermata::io::playback_methods_test
