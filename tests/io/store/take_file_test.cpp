#include "io/store/take_file.hpp"

#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <random>

namespace fermata::io::take_file_test {

using namespace std::chrono_literals;

namespace {

const timestamp some_time{
    std::chrono::milliseconds{1'764'520'800'123}};  // 2025-11-30T16:40:00.123Z

/// The example of the header file.
constexpr auto example = "fermata-take 2\n"
                         "started 2025-11-30T16:40:00.123Z\n"
                         "part P2\n"
                         "measures 5 8\n"
                         "port jack:piano:out\n"
                         "beat 0 1 3/4\n"
                         "0 0 903c50\n"
                         "512345678 0 803c40\n"
                         "end 900000000\n";

const midi::take music{{"jack:piano:out"},
                       {{0ns, 0, {0x90, 60, 0x50}}, {512'345'678ns, 0, {0x80, 60, 0x40}}},
                       900ms,
                       {{0ns, 1, {3, 4}}}};
const stored_take stored{music, some_time, {"P2", std::pair{5, 8}}};

std::string fault_of(const std::string& text) {
  auto read = read_take(text);
  if (read) CHECK_FALSE((read->is_complete && !read->damage.empty()));
  return read ? read->damage : read.error().first().message;
}

}  // namespace

TEST_CASE("a take is written and read line by line") {
  CHECK(take_text(stored) == example);
  auto read = read_take(example);
  REQUIRE(read);
  CHECK(read->is_complete);
  CHECK(read->started == some_time);
  CHECK(read->music.ports == music.ports);
  CHECK(read->music.events == music.events);
  CHECK(read->music.end == music.end);
  CHECK(read->music.beats == music.beats);
  CHECK(read->place == stored.place);
}

TEST_CASE("a take of version 1 is read, one of a newer version is refused") {
  auto old =
      read_take("fermata-take 1\nstarted 2025-11-30T16:40:00.123Z\nport a\n0 0 903c50\nend 9\n");
  REQUIRE(old);
  CHECK(old->is_complete);
  CHECK(old->music.events.size() == 1);
  CHECK(old->place == take_place{});
  CHECK(fault_of("fermata-take 3\n") ==
        "line 1: this take was recorded by a newer version of Fermata");
}

TEST_CASE("a take that was cut off at any byte has all of its complete lines") {
  std::string text = example;
  auto whole = read_take(text);
  for (std::size_t length = 0; length < text.size(); ++length) {
    INFO(length);
    auto read = read_take(text.substr(0, length));
    REQUIRE(read);
    CHECK_FALSE(read->is_complete);
    auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), '\n');
    CHECK(read->music.events.size() == static_cast<std::size_t>(std::clamp<long>(lines - 6, 0, 2)));
  }
}

TEST_CASE("what comes before a wrong line is kept, and the line is named") {
  auto read = read_take("fermata-take 1\nport a\n0 0 903c50\n5 0 803c\n9 0 903c50\nend 9\n");
  REQUIRE(read);
  CHECK(read->music.events.size() == 1);
  CHECK_FALSE(read->is_complete);
  CHECK(read->damage == "line 4: not one MIDI message");
  CHECK_FALSE(read_take("hello\n"));
}

TEST_CASE("what is wrong in a take is told with its line") {
  CHECK(fault_of("hello\n") == "line 1: this is not a take");
  CHECK(fault_of("fermata-take 1\n0 0 903c50\n") == "line 2: unknown port");
  CHECK(fault_of("fermata-take 1\nport a\n0 1 903c50\n") == "line 3: unknown port");
  CHECK(fault_of("fermata-take 1\nport a\n0 0 903c\n") == "line 3: not one MIDI message");
  CHECK(fault_of("fermata-take 1\nport a\n0 0 903c5\n") == "line 3: not one MIDI message");
  CHECK(fault_of("fermata-take 1\nport a\n0 0 xy3c50\n") == "line 3: not one MIDI message");
  CHECK(fault_of("fermata-take 1\nport a\n0 0\n") == "line 3: not one MIDI message");
  CHECK(fault_of("fermata-take 1\nport a\n-1 0 903c50\n") ==
        "line 3: expected a time in nanoseconds");
  CHECK(fault_of("fermata-take 1\nport a\n99999999999999999999 0 903c50\n") ==
        "line 3: expected a time in nanoseconds");
  CHECK(fault_of("fermata-take 1\nport a\n5 0 903c50\n4 0 803c50\n") ==
        "line 4: the time is before that of the line above");
  CHECK(fault_of("fermata-take 1\nend 5\nport a\n") == "line 3: there is nothing after `end`");
  CHECK(fault_of("fermata-take 1\nstarted yesterday\n").find("line 2: ") == 0);
  for (auto line : {"measures 5", "measures 0 3", "measures 5 4", "measures a b"})
    CHECK(fault_of(std::string{"fermata-take 2\n"} + line + '\n') ==
          "line 2: expected the first and the last measure");
  for (auto line : {"beat 5", "beat 5 0 4/4", "beat 5 1", "beat 5 1 4", "beat 5 1 0/4",
                    "beat 5 1 4/3", "beat 5 1 4/0", "beat x 1 4/4"})
    CHECK(fault_of(std::string{"fermata-take 2\n"} + line + '\n') ==
          "line 2: expected a time, a beat and a time signature");
  CHECK(fault_of("fermata-take 2\nbeat -5 1 4/4\nbeat -5 2 4/4\n") ==
        "line 3: the beat is not after the one before");
}

TEST_CASE("names with bytes that are not UTF-8 are read as they would be written") {
  auto read = read_take("fermata-take 2\nstarted 2025-11-30T16:40:00.123Z\npart P\xff\n"
                        "port a\xd4\x52:keys\nend 5\n");
  REQUIRE(read);
  CHECK(read->place.part == "P\uFFFD");
  CHECK(read->music.ports == std::vector<std::string>{"a\uFFFDR:keys"});
}

TEST_CASE("changed bytes of a take never do harm") {
  std::mt19937 random{1};
  for (int i = 0; i < 20'000; ++i) {
    std::string text = example;
    for (auto n = random() % 4; n-- > 0;)
      text[random() % text.size()] = static_cast<char>(random() % 256);
    auto read = read_take(text);
    if (!read) continue;
    for (auto& e : read->music.events)
      CHECK(e.port < read->music.ports.size());
    (void)midi::performed_parts_of(read->music);
  }
}

TEST_CASE("a take can be written again as a whole") {
  temporary_folder folder;
  auto writer = take_writer::create(folder.path(), some_time);
  REQUIRE(writer);
  REQUIRE(writer->append("1 0 90"));  // the disk was full
  REQUIRE(writer->rewrite(example));
  REQUIRE(writer->append("more\n"));
  CHECK(read_file(take_path(folder.path(), 1)) == example + std::string{"more\n"});
}

TEST_CASE("takes are numbered, and found by number") {
  temporary_folder folder;
  CHECK(take_numbers(folder.path()).empty());
  auto missing = load_take(folder.path(), 1);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().first().message == "there is no take 1");
  for (int number : {1, 2}) {
    auto writer = take_writer::create(folder.path(), some_time);
    REQUIRE(writer);
    CHECK(writer->number() == number);
    CHECK(writer->append(take_port_line("a port\nof two lines")));
    CHECK(writer->append(take_event_line({5ns, 0, {0x90, 60, 1}})));
    CHECK(writer->append(take_end_line(7ns)));
    CHECK(writer->sync());
  }
  // Others' files are left alone, and a number is not used again while a later one is there.
  std::ofstream{take_folder(folder.path()) / "notes.txt"} << "x";
  std::ofstream{take_folder(folder.path()) / "03.take"} << "x";
  std::filesystem::create_directory(take_folder(folder.path()) / "9.take");
  std::filesystem::remove(take_path(folder.path(), 1));
  CHECK(take_numbers(folder.path()) == std::vector<int>{2});
  CHECK(take_writer::create(folder.path(), some_time)->number() == 3);
  auto read = load_take(folder.path(), 2);
  REQUIRE(read);
  CHECK(read->music.ports == std::vector<std::string>{"a port of two lines"});
  CHECK(read->music.end == 7ns);
  std::ofstream{take_path(folder.path(), 4)} << "garbage\n";
  auto bad = load_take(folder.path(), 4);
  REQUIRE_FALSE(bad);
  CHECK(bad.error().first().message ==
        take_path(folder.path(), 4).string() + ": line 1: this is not a take");
}

}  // namespace fermata::io::take_file_test
