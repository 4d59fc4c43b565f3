#include "midi/smf/read.hpp"

#include "midi/smf/meta.hpp"
#include "tests/midi/smf/bytes.hpp"

#include <catch2/catch.hpp>

namespace fermata::smf_read_test {

using namespace fermata::midi::smf;
using namespace fermata::testing::smf;

namespace {

const std::string one_track = bytes("4D546864 00000006 0001 0001 0060");
const std::string two_tracks = bytes("4D546864 00000006 0001 0002 0060");
const char* const quarter = "00 903C40 60 803C40 00 FF2F00";

/// The remarks as text, one a line.
std::string remarks(const reading& r) {
  std::string out;
  for (auto& x : r.remarks)
    out += to_string(x) + "\n";
  return out;
}

reading read_well(const std::string& file) {
  auto found = read(file);
  REQUIRE(found);
  CHECK(remarks(*found) == "");
  return *found;
}

}  // namespace

TEST_CASE("the example of the standard in format 0") {
  // SMF 1.0, appendix "Program Fragments and Example MIDI Files".
  auto found = read_well(
      bytes("4D546864 00000006 0000 0001 0060 4D54726B 0000003B"
            "00 FF580404021808 00 FF510307A120 00 C005 00 C12E 00 C246"
            "00 923060 00 3C60 60 914340 60 904C20 8140 823040 00 3C40 00 814340 00 804C40"
            "00 FF2F00"));
  CHECK(found.file.format == 0);
  CHECK(found.file.division == time_division{ticks_per_quarter{96}});
  CHECK(shown(found.file) ==
        "0 FF 58 04 02 18 08, 0 FF 51 07 A1 20, 0 C0 05, 0 C1 2E, 0 C2 46, 0 92 30 60, "
        "0 92 3C 60, 96 91 43 40, 192 90 4C 20, 384 82 30 40, 384 82 3C 40, 384 81 43 40, "
        "384 80 4C 40, 384 end");
}

TEST_CASE("the example of the standard in format 1") {
  auto found =
      read_well(bytes("4D546864 00000006 0001 0004 0060"
                      "4D54726B 00000014 00 FF580404021808 00 FF510307A120 8300 FF2F00"
                      "4D54726B 00000010 00 C005 8140 904C20 8140 4C00 00 FF2F00"
                      "4D54726B 0000000F 00 C12E 60 914340 8220 4300 00 FF2F00"
                      "4D54726B 00000015 00 C246 00 923060 00 3C60 8300 3000 00 3C00 00 FF2F00"));
  CHECK(found.file.format == 1);
  CHECK(shown(found.file) ==
        "0 FF 58 04 02 18 08, 0 FF 51 07 A1 20, 384 end | "
        "0 C0 05, 192 90 4C 20, 384 90 4C 00, 384 end | "
        "0 C1 2E, 96 91 43 40, 384 91 43 00, 384 end | "
        "0 C2 46, 0 92 30 60, 0 92 3C 60, 384 92 30 00, 384 92 3C 00, 384 end");
}

TEST_CASE("the sysex examples of the standard") {
  // SMF 1.0, "MTrk events": a whole message, one in three packets, and bytes sent as they are.
  auto found = read_well(one_track + track_chunk("00 F0 05 431200 07F7"
                                                 "00 F0 03 431200 8148 F7 06 431200431200"
                                                 "64 F7 04 431200F7 00 F7 02 F304 00 FF2F00"));
  CHECK(shown(found.file) ==
        "0 F0 43 12 00 07 F7, 0 F0 43 12 00, 200 F7 43 12 00 43 12 00, 300 F7 43 12 00 F7, "
        "300 F7 F3 04, 300 end");
}

TEST_CASE("a length that is too long does not hide the next track") {
  auto second = track_chunk("00 904340 30 804340 00 FF2F00");
  for (auto length : {"00000020", "7FFFFFFF", "FFFFFFFF"}) {
    auto found = read(two_tracks + "MTrk" + bytes(length) + bytes(quarter) + second);
    REQUIRE(found);
    CHECK(shown(found->file) ==
          "0 90 3C 40, 96 80 3C 40, 96 end | 0 90 43 40, 48 80 43 40, 48 end");
    CHECK(found->remarks.back() == remark{remark_kind::track_length_too_long, 1, 34});
  }
}

TEST_CASE("a length that is too long does not hide the next track where the end is missing") {
  auto found = read(two_tracks + "MTrk" + bytes("0000000C 00 903C40 60 803C40") +
                    track_chunk("00 904340 30 804340 00 FF2F00"));
  REQUIRE(found);
  CHECK(shown(found->file) == "0 90 3C 40, 96 80 3C 40, 96 end | 0 90 43 40, 48 80 43 40, 48 end");
  CHECK(remarks(*found) ==
        "track 1, byte 30: the next track begins before the length says; it was read\n"
        "track 1, byte 30: the track has no end of track event; it ends with its last event\n");
}

TEST_CASE("a length that is too long does not hide the next track where the first cannot be read") {
  auto found = read(two_tracks + "MTrk" + bytes("FFFFFFFF 00 3C40 60 3C40") +
                    track_chunk("00 904340 30 804340 00 FF2F00"));
  REQUIRE(found);
  CHECK(shown(found->file) == "0 end | 0 90 43 40, 48 80 43 40, 48 end");
  CHECK(remarks(*found) ==
        "track 1, byte 18: the track is shorter than its length; what exists was read\n"
        "track 1, byte 23: a data byte without a status; the rest of the track was skipped\n");
}

TEST_CASE("a length that is too short does not end the music") {
  auto found = read(two_tracks + "MTrk" + bytes("00000006") + bytes(quarter) +
                    track_chunk("00 904340 30 804340 00 FF2F00"));
  REQUIRE(found);
  CHECK(shown(found->file) == "0 90 3C 40, 96 80 3C 40, 96 end | 0 90 43 40, 48 80 43 40, 48 end");
  CHECK(remarks(*found) ==
        "track 1, byte 28: the track is longer than its length; it was read to its end\n");
}

TEST_CASE("a track whose last event is cut short does not run into the next one") {
  auto found = read(two_tracks + track_chunk("00 903C40 60 80") + track_chunk(quarter));
  REQUIRE(found);
  CHECK(shown(found->file) == "0 90 3C 40, 0 end | 0 90 3C 40, 96 80 3C 40, 96 end");
  CHECK(remarks(*found) == "track 1, byte 26: an event is cut short; the rest of the track was "
                           "skipped\n");
}

TEST_CASE("chunks of other programs are skipped") {
  auto found = read(one_track + "XFIH" + bytes("00000003 414243") + track_chunk(quarter) + "XFKM" +
                    bytes("00000001 00"));
  REQUIRE(found);
  CHECK(shown(found->file) == "0 90 3C 40, 96 80 3C 40, 96 end");
  CHECK(remarks(*found) == "byte 14: a chunk of an unknown type; it was skipped\n"
                           "byte 45: a chunk of an unknown type; it was skipped\n");
}

TEST_CASE("padding between tracks is skipped") {
  auto found = read(two_tracks + track_chunk(quarter) + std::string(3, '\0') +
                    track_chunk("00 904340 30 804340 00 FF2F00"));
  REQUIRE(found);
  CHECK(found->file.tracks.size() == 2);
  CHECK(remarks(*found) ==
        "byte 34: bytes that are not a chunk; they were skipped up to the next track\n");
}

TEST_CASE("what follows the data of an RMID file is not read as MIDI") {
  // The RIFF numbers begin with the low byte: 34 bytes of data, then an INFO list.
  auto found = read("RIFF" + bytes("3E000000") + "RMIDdata" + bytes("22000000") + one_track +
                    track_chunk(quarter) + "LIST" + bytes("04000000") + "INFO");
  REQUIRE(found);
  CHECK(found->file.riff);
  CHECK(remarks(*found) == "byte 0: the file is wrapped in RIFF; it was unwrapped\n");
}

TEST_CASE("bytes before the header are skipped, but not many") {
  CHECK(read(std::string(64, 'x') + one_track + track_chunk(quarter)));
  auto far = read(std::string(65, 'x') + one_track + track_chunk(quarter));
  REQUIRE_FALSE(far);
  CHECK(far.error().first().code == errc::unsupported_format);
  CHECK_FALSE(read(""));
  CHECK_FALSE(read("MThd"));
  CHECK_FALSE(read("this is not a MIDI file at all"));
}

TEST_CASE("system messages in a track are skipped with their data") {
  auto found = read(one_track + track_chunk("00 903C40 00 F8 00 F20102 00 F303 00 F6 60 803C40"
                                            "00 FF2F00"));
  REQUIRE(found);
  CHECK(shown(found->file) == "0 90 3C 40, 96 80 3C 40, 96 end");
  CHECK(found->remarks.size() == 4);
}

TEST_CASE("a sysex message without its end is kept") {
  auto found = read(one_track + track_chunk("00 F0 02 4310 00 903C40 60 803C40 00 FF2F00"));
  REQUIRE(found);
  CHECK(shown(found->file) == "0 F0 43 10, 0 90 3C 40, 96 80 3C 40, 96 end");
  CHECK(remarks(*found) == "track 1, byte 27: a sysex message without its end (F7); it was kept\n");
}

TEST_CASE("a sequence number may be empty, a time signature may not") {
  auto found = read(one_track + track_chunk("00 FF0000 00 FF580104 00 FF59020001 00 FF2F00"));
  REQUIRE(found);
  CHECK(remarks(*found) ==
        "track 1, byte 27: a meta event of the wrong length; it was kept and has no effect\n");
}

TEST_CASE("a million statuses that interrupt each other are read in one pass") {
  std::string events(1'000'000, '\x90');
  events[0] = '\0';
  auto found = read(one_track + "MTrk" + bytes("000F4240") + events);
  REQUIRE(found);
  CHECK(found->file.tracks.front().events.empty());
  CHECK(found->remarks.size() == 1000);
  CHECK(found->remarks_left_out > 990'000);
}

TEST_CASE("a file beyond the limits is read up to them") {
  auto file = bytes("4D546864 00000006 0001 0003 0060");
  for (int i = 0; i < 3; ++i)
    file += track_chunk(quarter);
  read_limits limits;
  limits.tracks = 2;
  auto two = read(file, limits);
  REQUIRE(two);
  CHECK(two->file.tracks.size() == 2);
  CHECK(remarks(*two) == "byte 54: too many tracks; the rest was skipped\n");
  limits = {};
  limits.events = 3;
  auto three = read(file, limits);
  REQUIRE(three);
  CHECK(shown(three->file) == "0 90 3C 40, 96 80 3C 40, 96 end | 0 90 3C 40, 0 end");
  CHECK(remarks(*three) == "track 2, byte 46: too many events; the rest was skipped\n");
  limits = {};
  limits.bytes = file.size() - 1;
  auto none = read(file, limits);
  REQUIRE_FALSE(none);
  CHECK(none.error().first().code == errc::input_too_large);
}

TEST_CASE("no time lies beyond 2^40 ticks") {
  // 4096 deltas of 2^28 - 1 ticks are just below, the next one is beyond.
  std::string events;
  for (int i = 0; i < 4097; ++i)
    events += "FFFFFF7F FF0100 ";
  auto found = read(one_track + track_chunk(events));
  REQUIRE(found);
  CHECK(found->file.tracks.front().events.size() == 4096);
  CHECK(found->file.tracks.front().end == 4096ull * 0x0FFFFFFF);
  CHECK(found->remarks.back().kind == remark_kind::time_too_large);
}

TEST_CASE("meta events mean what the standard says") {
  auto meta = [](const char* hex_bytes) {
    auto data = bytes(hex_bytes);
    return meta_event{static_cast<std::uint8_t>(data[0]), data.substr(1)};
  };
  CHECK(tempo_of(meta("51 07A120")) == 500'000u);
  CHECK_FALSE(tempo_of(meta("51 000000")));
  CHECK_FALSE(tempo_of(meta("51 07A1")));
  CHECK(port_of(meta("21 03")) == 3);
  // 6/8: 6, 2 to the power of 3, a click of 36 clocks, 8 32nds to a quarter.
  CHECK(to_string(*time_signature_of(meta("58 06 03 24 08"))) == "6/8");
  CHECK_FALSE(time_signature_of(meta("58 00 02 18 08")));
  // Three flats, minor: C minor.
  auto key = key_signature_of(meta("59 FD 01"));
  REQUIRE(key);
  CHECK(key->fifths == -3);
  CHECK(key->mode == mode::minor);
  CHECK_FALSE(key_signature_of(meta("59 08 00")));
}

TEST_CASE("texts are UTF-8 or Latin-1, without control characters") {
  CHECK(text_of("Glück") == "Glück");
  CHECK(text_of("Gl\xFC\x63k") == "Glück");
  CHECK(text_of(std::string_view{"a\0b\r\n", 5}) == "ab");
}

}  // namespace fermata::smf_read_test
