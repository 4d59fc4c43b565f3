#include "midi/smf/write.hpp"

#include "midi/smf/meta.hpp"
#include "midi/smf/read.hpp"
#include "tests/midi/smf/bytes.hpp"

#include <catch2/catch.hpp>

namespace fermata::smf_write_test {

using namespace fermata::midi::smf;
using namespace fermata::testing::smf;

namespace {

/// A file of one track at 96 ticks per quarter.
file one_track(std::vector<event> events, ticks end = 0) {
  return {0, ticks_per_quarter{96}, {{std::move(events), end}}};
}

/// The bytes of the events of the first track.
std::string written_events(const file& f, write_options options = {}) {
  return hex(std::string_view{write(f, options)}.substr(22));
}

channel_message note(int status, int key, int velocity) {
  return {static_cast<std::uint8_t>(status), static_cast<std::uint8_t>(key),
          static_cast<std::uint8_t>(velocity)};
}

}  // namespace

TEST_CASE("the examples of the standard are written as they are printed there") {
  // SMF 1.0, appendix; they use running status.
  auto format_0 =
      bytes("4D546864 00000006 0000 0001 0060 4D54726B 0000003B"
            "00 FF580404021808 00 FF510307A120 00 C005 00 C12E 00 C246"
            "00 923060 00 3C60 60 914340 60 904C20 8140 823040 00 3C40 00 814340 00 804C40"
            "00 FF2F00");
  auto format_1 = bytes("4D546864 00000006 0001 0004 0060"
                        "4D54726B 00000014 00 FF580404021808 00 FF510307A120 8300 FF2F00"
                        "4D54726B 00000010 00 C005 8140 904C20 8140 4C00 00 FF2F00"
                        "4D54726B 0000000F 00 C12E 60 914340 8220 4300 00 FF2F00"
                        "4D54726B 00000015 00 C246 00 923060 00 3C60 8300 3000 00 3C00 00 FF2F00");
  for (auto& example : {format_0, format_1}) {
    write_options options;
    options.running_status = true;
    CHECK(hex(write(read(example)->file, options)) == hex(example));
  }
}

TEST_CASE("statuses are repeated unless running status is wanted") {
  auto f = one_track({{0, note(0x90, 60, 64)}, {96, note(0x90, 60, 0)}});
  CHECK(written_events(f) == "00 90 3C 40 60 90 3C 00 00 FF 2F 00");
  write_options running;
  running.running_status = true;
  CHECK(written_events(f, running) == "00 90 3C 40 60 3C 00 00 FF 2F 00");
}

TEST_CASE("a meta or sysex event ends the running status") {
  auto f = one_track({{0, note(0x90, 60, 64)},
                      {0, text_meta(meta_type::marker, "A")},
                      {96, note(0x90, 60, 0)},
                      {96, sysex_event{false, bytes("43 10 F7")}},
                      {96, note(0x90, 62, 64)}});
  write_options running;
  running.running_status = true;
  CHECK(written_events(f, running) == "00 90 3C 40 00 FF 06 01 41 60 90 3C 00 00 F0 03 43 10 F7 "
                                      "00 90 3E 40 00 FF 2F 00");
}

TEST_CASE("times are quantities of variable length") {
  // The table of SMF 1.0, "Variable length quantity".
  struct row {
    ticks number;
    const char* quantity;
  };
  const row rows[] = {{0x00, "00"},
                      {0x40, "40"},
                      {0x7F, "7F"},
                      {0x80, "81 00"},
                      {0x2000, "C0 00"},
                      {0x3FFF, "FF 7F"},
                      {0x4000, "81 80 00"},
                      {0x100000, "C0 80 00"},
                      {0x1FFFFF, "FF FF 7F"},
                      {0x200000, "81 80 80 00"},
                      {0x8000000, "C0 80 80 00"},
                      {0xFFFFFFF, "FF FF FF 7F"}};
  for (auto& r : rows) {
    auto f = one_track({}, r.number);
    CHECK(written_events(f) == std::string{r.quantity} + " FF 2F 00");
    CHECK(read(write(f))->file.tracks.front().end == r.number);
  }
}

TEST_CASE("a longer time is divided by an empty text event") {
  auto f = one_track({{0x10000000, note(0x90, 60, 64)}}, 0x10000000);
  CHECK(written_events(f) == "FF FF FF 7F FF 01 00 01 90 3C 40 00 FF 2F 00");
}

TEST_CASE("programs and channel pressure have one data byte") {
  auto f = one_track({{0, note(0xC3, 12, 0)}, {0, note(0xD3, 99, 0)}, {0, note(0xE3, 0, 64)}});
  CHECK(written_events(f) == "00 C3 0C 00 D3 63 00 E3 00 40 00 FF 2F 00");
}

TEST_CASE("a track ends once, and not before its last event") {
  auto end = text_meta(meta_type::end_of_track, "");
  auto f = one_track({{0, end}, {96, note(0x80, 60, 64)}}, 48);
  CHECK(written_events(f) == "60 80 3C 40 00 FF 2F 00");
}

TEST_CASE("events are written in order of time, those of equal times as they are") {
  auto f = one_track({{96, note(0x80, 60, 64)}, {0, note(0x90, 60, 64)}, {96, note(0x90, 62, 64)}});
  CHECK(written_events(f) == "00 90 3C 40 60 80 3C 40 00 90 3E 40 00 FF 2F 00");
}

TEST_CASE("every value makes a file that can be read") {
  file f;
  f.format = 0;
  CHECK(hex(write(f)) == "4D 54 68 64 00 00 00 06 00 00 00 01 01 E0 "
                         "4D 54 72 6B 00 00 00 04 00 FF 2F 00");
  f.tracks.resize(2);
  f.tracks[0].events.push_back({ticks{1} << 50, channel_message{0x10, 200, 200}});
  f.tracks[0].events.push_back({0, channel_message{0x90, 0xBC, 0xC0}});
  CHECK(hex(write(f)) == "4D 54 68 64 00 00 00 06 00 01 00 02 01 E0 "
                         "4D 54 72 6B 00 00 00 08 00 90 3C 40 00 FF 2F 00 "
                         "4D 54 72 6B 00 00 00 04 00 FF 2F 00");
}

TEST_CASE("film time is written as a negative number of frames") {
  // SMF 1.0: 25 frames of 40 ticks, which are milliseconds, is E7 28.
  file f{1, ticks_per_frame{25, 40}, {}};
  CHECK(hex(write(f).substr(12, 2)) == "E7 28");
}

TEST_CASE("a file in RIFF stays in RIFF") {
  auto f = one_track({{0, text_meta(meta_type::text, "a")}});
  f.riff = true;
  // 14 + 8 + 9 bytes of MIDI (0x1F), an odd number, so there is one of padding.
  CHECK(hex(write(f)) == "52 49 46 46 2C 00 00 00 52 4D 49 44 64 61 74 61 1F 00 00 00 "
                         "4D 54 68 64 00 00 00 06 00 00 00 01 00 60 "
                         "4D 54 72 6B 00 00 00 09 00 FF 01 01 61 00 FF 2F 00 00");
  auto again = read(write(f));
  CHECK(again->file.riff);
  CHECK(again->remarks.size() == 1);
}

TEST_CASE("meta events are made as the standard says") {
  auto shown_meta = [](const std::optional<meta_event>& m) {
    return m ? hex(std::string(1, static_cast<char>(m->type)) + m->data) : std::string{"none"};
  };
  CHECK(shown_meta(tempo_meta(500'000)) == "51 07 A1 20");
  CHECK(shown_meta(port_meta(2)) == "21 02");
  auto metre = [](std::vector<int> beats, int beat_type) {
    return time_signature{{{std::move(beats), beat_type}}, {}, {}};
  };
  CHECK(shown_meta(time_signature_meta(metre({4}, 4))) == "58 04 02 18 08");
  // The example of the standard: 6/8 with a click for three eighths.
  CHECK(shown_meta(time_signature_meta(metre({6}, 8))) == "58 06 03 24 08");
  CHECK(shown_meta(time_signature_meta(metre({3, 2}, 8))) == "58 05 03 0C 08");
  CHECK(shown_meta(time_signature_meta(metre({2}, 2))) == "58 02 01 30 08");
  CHECK(shown_meta(time_signature_meta({{{{3}, 8}, {{2}, 4}}, {}, {}})) == "58 07 03 0C 08");
  CHECK(shown_meta(time_signature_meta(metre({4}, 3))) == "none");
  CHECK(shown_meta(time_signature_meta({{}, {}, {}})) == "none");
  key_signature key;
  key.fifths = -3;
  key.mode = mode::minor;
  CHECK(shown_meta(key_signature_meta(key)) == "59 FD 01");
  key.fifths = 8;
  CHECK(shown_meta(key_signature_meta(key)) == "none");
}

}  // namespace fermata::smf_write_test
