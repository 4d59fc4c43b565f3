#include "io/files/inotify.hpp"

#include <catch2/catch.hpp>
#include <stdlib.h>
#include <sys/inotify.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

namespace fermata::io::inotify_test {

namespace fs = std::filesystem;

namespace {

/// An event as inotify(7) lays it out: the name is padded with zeroes to `padded` bytes.
std::string event_bytes(int watch, std::uint32_t what, std::string name, std::size_t padded) {
  inotify_event e{};
  e.wd = watch;
  e.mask = what;
  e.len = static_cast<std::uint32_t>(padded);
  name.resize(padded, '\0');
  std::string out(sizeof e, '\0');
  std::memcpy(out.data(), &e, sizeof e);
  return out + name;
}

struct scratch_folder {
  scratch_folder() {
    auto name = (fs::temp_directory_path() / "fermata-inotify-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()));
    path = name;
  }
  ~scratch_folder() {
    std::error_code ec;
    fs::remove_all(path, ec);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  fs::path path;
};

void touch(const fs::path& file) { std::ofstream{file} << "x"; }

constexpr std::uint32_t all_kinds =
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;

}  // namespace

TEST_CASE("events are decoded with their names, and what is cut off is left out") {
  const auto bytes = event_bytes(1, IN_DELETE, "repl.sock", 16) +
                     event_bytes(2, IN_DELETE_SELF, "", 0) + event_bytes(-1, IN_Q_OVERFLOW, "", 0) +
                     event_bytes(1, IN_MOVED_TO, "sixteen-letters.", 32);
  const std::vector<raw_inotify_event> all{{1, IN_DELETE, "repl.sock"},
                                           {2, IN_DELETE_SELF},
                                           {-1, IN_Q_OVERFLOW},
                                           {1, IN_MOVED_TO, "sixteen-letters."}};
  CHECK(decode_inotify(bytes) == all);
  CHECK(decode_inotify({}).empty());
  CHECK(decode_inotify(std::string_view{bytes}.substr(0, bytes.size() - 1)).size() == 3);
  CHECK(decode_inotify(std::string_view{bytes}.substr(0, 10)).empty());
}

TEST_CASE("changes in a folder are reported with its path, and none when nothing happened") {
  scratch_folder home;
  inotify changes;
  REQUIRE(changes.is_open());
  REQUIRE(changes.add(home.path, all_kinds));
  CHECK(changes.read().empty());
  touch(home.path / "a");
  fs::rename(home.path / "a", home.path / "b");
  fs::remove(home.path / "b");
  using change = inotify::change;
  CHECK(
      changes.read() ==
      std::vector<change>{{home.path, "a"}, {home.path, "a"}, {home.path, "b"}, {home.path, "b"}});
  CHECK(changes.read().empty());
}

TEST_CASE("a folder that is gone reports itself once and is forgotten") {
  scratch_folder home;
  const auto run = home.path / "run";
  fs::create_directory(run);
  inotify changes;
  REQUIRE(changes.add(run, all_kinds));
  fs::remove(run);
  // IN_DELETE_SELF, then IN_IGNORED.
  CHECK(changes.read() == std::vector<inotify::change>{{run, ""}, {run, ""}});
  CHECK(changes.folders().empty());
  CHECK_FALSE(changes.add(run, all_kinds));
}

TEST_CASE("a folder that took the place of another is watched in its place") {
  scratch_folder home;
  const auto run = home.path / "run", away = home.path / "away";
  fs::create_directory(run);
  inotify changes;
  REQUIRE(changes.add(run, all_kinds));
  fs::rename(run, away);
  fs::create_directory(run);
  REQUIRE(changes.add(run, all_kinds));
  CHECK(changes.folders() == std::vector{run});
  changes.read();
  touch(away / "old");
  touch(run / "new");
  CHECK(changes.read() == std::vector<inotify::change>{{run, "new"}});
}

TEST_CASE("nothing is reported of a folder that is not watched any more") {
  scratch_folder home;
  inotify changes;
  REQUIRE(changes.add(home.path, all_kinds));
  touch(home.path / "a");
  changes.remove(home.path);
  CHECK(changes.read().empty());
}

}  // namespace fermata::io::inotify_test
