#include "midi/smf/read.hpp"
#include "midi/smf/write.hpp"
#include "tests/midi/smf/bytes.hpp"

#include <catch2/catch.hpp>

namespace fermata::smf_bad_files_test {

using namespace fermata::midi::smf;
using namespace fermata::testing::smf;

namespace {

/// A file that somebody's program wrote, and what is left of it.
struct bad_file {
  const char* fault;
  std::string bytes;
  const char* events;  ///< null: the file is refused
  std::vector<remark> remarks;
};

// 96 ticks per quarter (0x60). The header is 14 bytes, so the first track begins at byte 14 and its
// events at byte 22.
const std::string format_0 = bytes("4D546864 00000006 0000 0001 0060");
// One quarter of middle C: 12 bytes.
const char* const quarter = "00 903C40 60 803C40 00 FF2F00";
const char* const quarter_events = "0 90 3C 40, 96 80 3C 40, 96 end";

/// The quarter with a length that is not 12.
std::string quarter_with_length(std::string_view length) {
  return format_0 + "MTrk" + bytes(length) + bytes(quarter);
}

std::vector<bad_file> bad_files() {
  using k = remark_kind;
  return {
      {"track length too long",
       quarter_with_length("00000020"),
       quarter_events,
       {{k::track_length_beyond_file, 1, 18}}},
      {"track length too short",
       quarter_with_length("00000006"),
       quarter_events,
       {{k::track_length_too_short, 1, 28}}},
      {"track length FFFFFFFF",
       quarter_with_length("FFFFFFFF"),
       quarter_events,
       {{k::track_length_beyond_file, 1, 18}}},
      {"no end of track",
       format_0 + track_chunk("00 903C40 60 803C40"),
       quarter_events,
       {{k::no_end_of_track, 1, 30}}},
      {"division 0", bytes("4D546864 00000006 0000 0001 0000") + track_chunk(quarter), nullptr, {}},
      {"format 9", bytes("4D546864 00000006 0009 0001 0060") + track_chunk(quarter), nullptr, {}},
      {"65535 tracks announced, one there",
       bytes("4D546864 00000006 0001 FFFF 0060") + track_chunk(quarter),
       quarter_events,
       {{k::track_count, 0, 10}}},
      {"a meta event of 268435455 bytes",
       format_0 + track_chunk("00 903C40 60 803C40 00 FF01 FFFFFF7F 41 42"),
       quarter_events,
       {{k::event_cut_short, 1, 30}}},
      {"a sysex message of 268435455 bytes",
       format_0 + track_chunk("00 903C40 60 803C40 00 F0 FFFFFF7F 7E 7F"),
       quarter_events,
       {{k::event_cut_short, 1, 30}}},
      {"a delta of six bytes",
       format_0 + track_chunk("00 903C40 60 803C40 818080808000 903E40 00 FF2F00"),
       quarter_events,
       {{k::long_quantity, 1, 30}}},
      {"running status without a status",
       format_0 + track_chunk("00 3C40 60 3C00 00 FF2F00"),
       "0 end",
       {{k::data_without_status, 1, 23}}},
      {"running status after a meta event",
       format_0 + track_chunk("00 903C40 00 FF0100 60 3C00 00 FF2F00"),
       "0 90 3C 40, 0 FF 01, 96 90 3C 00, 96 end",
       {{k::running_status_kept, 1, 31}}},
      {"running status after a sysex message",
       format_0 + track_chunk("00 903C40 00 F00343 10F7 60 3C00 00 FF2F00"),
       "0 90 3C 40, 0 F0 43 10 F7, 96 90 3C 00, 96 end",
       {{k::running_status_kept, 1, 33}}},
      {"a data byte above 127",
       format_0 + track_chunk("00 903C 903C40 60 803C40 00 FF2F00"),
       quarter_events,
       {{k::status_in_data, 1, 25}}},
      {"SMPTE time, 25 frames of 40 ticks",
       bytes("4D546864 00000006 0000 0001 E728") + track_chunk(quarter),
       quarter_events,
       {}},
      {"a line end behind the last track",
       format_0 + track_chunk(quarter) + "\r\n",
       quarter_events,
       {{k::no_chunk, 0, 34}}},
      {"RMID: wrapped in RIFF",
       bytes("52494646 2E000000 524D4944 64617461 22000000") + format_0 + track_chunk(quarter),
       quarter_events,
       {{k::riff_wrapper, 0, 0}}},
      {"a header of 10 bytes",
       bytes("4D546864 0000000A 0000 0001 0060 00000000") + track_chunk(quarter),
       quarter_events,
       {{k::header_length, 0, 4}}},
      {"zero tracks", bytes("4D546864 00000006 0001 0000 0060"), "", {}},
      {"half a header", bytes("4D546864 00000006 0000"), nullptr, {}},
      {"tempo 0",
       format_0 + track_chunk("00 FF5103000000 00 903C40 60 803C40 00 FF2F00"),
       "0 FF 51 00 00 00, 0 90 3C 40, 96 80 3C 40, 96 end",
       {{k::tempo_zero, 1, 23}}},
      {"a tempo of one byte",
       format_0 + track_chunk("00 FF510107 00 903C40 60 803C40 00 FF2F00"),
       "0 FF 51 07, 0 90 3C 40, 96 80 3C 40, 96 end",
       {{k::meta_length, 1, 23}}},
      {"the longest delta",
       format_0 + track_chunk("00 903C40 FFFFFF7F 803C40 00 FF2F00"),
       "0 90 3C 40, 268435455 80 3C 40, 268435455 end",
       {}},
      {"format 0 with two tracks",
       bytes("4D546864 00000006 0000 0002 0060") + track_chunk(quarter) +
           track_chunk("00 904340 30 804340 00 FF2F00"),
       "0 90 3C 40, 96 80 3C 40, 96 end | 0 90 43 40, 48 80 43 40, 48 end",
       {{k::format_0_tracks, 0, 8}}},
      {"an empty track",
       bytes("4D546864 00000006 0001 0002 0060") + track_chunk("") + track_chunk(quarter),
       "0 end | 0 90 3C 40, 96 80 3C 40, 96 end",
       {{k::empty_track, 1, 22}}},
      {"the file ends in a note on",
       format_0 + "MTrk" + bytes("0000000C 00 903C40 60 903C"),
       "0 90 3C 40, 0 end",
       {{k::track_length_beyond_file, 1, 18}, {k::event_cut_short, 1, 26}}},
      {"two headers",
       format_0 + format_0 + track_chunk(quarter),
       quarter_events,
       {{k::second_header, 0, 14}}},
      {"a track of bytes FF",
       format_0 + track_chunk("FFFFFFFFFFFFFFFF"),
       "0 end",
       {{k::long_quantity, 1, 22}}},
      {"events after the end of the track",
       format_0 + track_chunk("00 903C40 60 803C40 00 FF2F00 00 903E40 60 803E40"),
       quarter_events,
       {{k::after_end_of_track, 1, 34}}},
  };
}

}  // namespace

TEST_CASE("files with a fault keep the music that can be read") {
  auto files = bad_files();
  CHECK(files.size() == 29);
  for (auto& f : files) {
    INFO(f.fault);
    auto found = read(f.bytes);
    REQUIRE(found.has_value() == (f.events != nullptr));
    if (!found) {
      CHECK(found.error().first().code == errc::unsupported_format);
      continue;
    }
    CHECK(shown(found->file) == f.events);
    CHECK(found->remarks.size() == f.remarks.size());
    CHECK(found->remarks == f.remarks);
    CHECK(found->remarks_left_out == 0);
  }
}

TEST_CASE("a file that was read with remarks is written without faults") {
  for (auto& f : bad_files()) {
    INFO(f.fault);
    auto found = read(f.bytes);
    if (!found) continue;
    auto text = write(found->file);
    auto again = read(text);
    REQUIRE(again);
    CHECK(write(again->file) == text);
    for (auto& r : again->remarks)
      CHECK((r.kind == remark_kind::riff_wrapper || r.kind == remark_kind::tempo_zero ||
             r.kind == remark_kind::meta_length));
  }
}

}  // namespace fermata::smf_bad_files_test
