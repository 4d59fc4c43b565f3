#include "midi/smf/read.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

/// Files that others made to test readers with, beside what midicsv says they hold. Origin and
/// licence: tests/data/midi/SOURCES.txt.
namespace fermata::smf_public_files_test {

using namespace fermata::midi::smf;

namespace {

const std::filesystem::path folder = std::filesystem::path{FERMATA_TEST_DATA} / "midi/midifile";

std::string contents(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>{in}, {}};
}

// --- events as lines of midicsv 1.1 (midicsv(5)) ---

std::string line_of(const channel_message& m) {
  auto both = [&](const char* name) {
    return fmt::format("{}, {}, {}, {}", name, m.channel(), m.data1, m.data2);
  };
  auto one = [&](const char* name, int value) {
    return fmt::format("{}, {}, {}", name, m.channel(), value);
  };
  switch (m.command()) {
    case 0x80: return both("Note_off_c");
    case 0x90: return both("Note_on_c");
    case 0xA0: return both("Poly_aftertouch_c");
    case 0xB0: return both("Control_c");
    case 0xC0: return one("Program_c", m.data1);
    case 0xD0: return one("Channel_aftertouch_c", m.data1);
    default: return one("Pitch_bend_c", m.data1 | m.data2 << 7);
  }
}

/// Meta events of the kinds that occur in the files.
std::string line_of(const meta_event& m) {
  auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(m.data.at(i)); };
  auto text = [&](const char* name) {
    std::string quoted;
    for (auto c : m.data)
      quoted += c == '\\' ? std::string{"\\\\"} : std::string(1, c);
    return fmt::format("{}, \"{}\"", name, quoted);
  };
  switch (m.type) {
    case 0x01: return text("Text_t");
    case 0x05: return text("Lyric_t");
    case 0x51: return fmt::format("Tempo, {}", byte(0) << 16 | byte(1) << 8 | byte(2));
    case 0x58:
      return fmt::format("Time_signature, {}, {}, {}, {}", byte(0), byte(1), byte(2), byte(3));
    default: return fmt::format("Unknown_meta_event, {}, {}", m.type, m.data.size());
  }
}

std::string line_of(const sysex_event& e) {
  return fmt::format("System_exclusive, {}", e.data.size());
}

/// The number that the header has for the division, with its sign.
int header_number(const time_division& d) {
  if (auto* quarter = std::get_if<ticks_per_quarter>(&d)) return quarter->ticks;
  auto& frame = std::get<ticks_per_frame>(d);
  return -frame.frames * 256 + frame.ticks;
}

/// The file as midicsv writes it.
std::string csv(const file& f) {
  auto text = fmt::format("0, 0, Header, {}, {}, {}\n", f.format, f.tracks.size(),
                          header_number(f.division));
  for (std::size_t i = 0; i < f.tracks.size(); ++i) {
    auto& t = f.tracks[i];
    text += fmt::format("{}, 0, Start_track\n", i + 1);
    for (auto& e : t.events)
      text += fmt::format("{}, {}, {}\n", i + 1, e.at,
                          std::visit([](auto& m) { return line_of(m); }, e.message));
    text += fmt::format("{}, {}, End_track\n", i + 1, t.end);
  }
  return text + "0, 0, End_of_file\n";
}

// --- the files ---

struct public_file {
  const char* name;
  const char* events;  ///< the CSV file; "": no tracks; null: the file is refused
  std::vector<remark> remarks;
};

// Offsets are those of the bytes that differ from MIDIOkFormat0: compare them in a hexadecimal
// dump.
std::vector<public_file> public_files() {
  using k = remark_kind;
  return {
      {"MIDIOkFormat0", "MIDIOkFormat0", {}},
      {"MIDIOkFormat1", "MIDIOkFormat1", {}},
      {"MIDIOkFormat1-lyrics", "MIDIOkFormat1-lyrics", {}},
      {"MIDIOkFormat2", "MIDIOkFormat2", {}},
      // "MT0d".
      {"MIDIBadHeaderChunk", nullptr, {}},
      // 22 bytes, though the track begins after 6.
      {"MIDIBadHeaderLength", "MIDIBadHeaderLength", {{k::header_length, 0, 4}}},
      // Format 3.
      {"MIDIBadHeaderFormat", nullptr, {}},
      // F0 60: 16 frames a second.
      {"MIDIBadHeaderSMTPE", "MIDIBadHeaderSMTPE", {{k::frame_rate, 0, 12}}},
      // Two tracks announced for format 0, and one there: the music is that of the good file.
      {"MIDIBadHeaderTracksNum", "MIDIOkFormat0", {{k::track_count, 0, 10}}},
      // "mTrk": a chunk of another type, and nothing else.
      {"MIDIBadTrackHdr", "", {{k::unknown_chunk, 0, 14}, {k::track_count, 0, 10}}},
      // 0100003B instead of 0000003B.
      {"MIDIBadTrackLength", "MIDIBadTrackLength", {{k::track_length_beyond_file, 1, 18}}},
      // The first track announces 20 bytes and has them, with a delta of two bytes: not bad.
      {"MIDIBadFormat1", "MIDIBadFormat1", {}},
  };
}

void check(const public_file& f) {
  INFO(f.name);
  auto found = read(contents(folder / (std::string{f.name} + ".mid")));
  REQUIRE(found.has_value() == (f.events != nullptr));
  if (!found) {
    CHECK(found.error().first().code == errc::unsupported_format);
    return;
  }
  std::vector<std::string> remarks, expected;
  for (auto& r : found->remarks)
    remarks.push_back(to_string(r));
  for (auto& r : f.remarks)
    expected.push_back(to_string(r));
  CHECK(remarks == expected);
  if (*f.events == '\0')
    CHECK(found->file.tracks.empty());
  else
    CHECK(csv(found->file) == contents(folder / (std::string{f.events} + ".csv")));
}

}  // namespace

TEST_CASE("public test files hold what midicsv says") {
  for (auto& f : public_files())
    check(f);
}

TEST_CASE("every public test file is in the table") {
  std::vector<std::string> there, listed;
  for (auto& entry : std::filesystem::directory_iterator{folder})
    if (entry.path().extension() == ".mid") there.push_back(entry.path().stem().string());
  for (auto& f : public_files())
    listed.push_back(f.name);
  std::sort(there.begin(), there.end());
  std::sort(listed.begin(), listed.end());
  CHECK(there == listed);
}

}  // namespace fermata::smf_public_files_test
