#include "io/mcp/record_watch.hpp"

#include "io/protocol/instance.hpp"

#include <catch2/catch.hpp>
#include <poll.h>
#include <stdlib.h>

#include <fstream>

namespace fermata::io::record_watch_test {

using namespace fermata::io::mcp;
namespace fs = std::filesystem;

namespace {

struct watched_home {
  watched_home() {
    auto name = (fs::temp_directory_path() / "fermata-records-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()));
    path = name;
    run = protocol::run_folder(path);
  }
  ~watched_home() {
    std::error_code ec;
    fs::remove_all(path, ec);
  }
  watched_home(const watched_home&) = delete;
  watched_home& operator=(const watched_home&) = delete;

  /// Whether anything has changed since the last time; the changes are taken.
  bool changed() {
    pollfd waiting{watch.fd(), POLLIN, 0};
    if (::poll(&waiting, 1, 0) <= 0) return false;
    watch.drain();
    return true;
  }

  fs::path path, run;
  record_watch watch;
};

}  // namespace

TEST_CASE("a record is noticed in a folder that is there") {
  watched_home h;
  fs::create_directory(h.run);
  CHECK(h.watch.begin(h.path));
  CHECK_FALSE(h.watch.begin(h.path));
  CHECK_FALSE(h.changed());
  std::ofstream{h.run / "1.json"} << "{}";
  CHECK(h.changed());
  CHECK_FALSE(h.changed());
}

TEST_CASE("a folder that is made later is noticed, and watched from then on") {
  watched_home h;
  CHECK(h.watch.begin(h.path));
  CHECK_FALSE(h.watch.begin(h.path));
  fs::create_directory(h.run);
  CHECK(h.changed());
  CHECK(h.watch.begin(h.path));
  std::ofstream{h.run / "1.json"} << "{}";
  CHECK(h.changed());
}

TEST_CASE("a folder that is removed and made again is watched again") {
  watched_home h;
  fs::create_directory(h.run);
  h.watch.begin(h.path);
  fs::remove(h.run);
  CHECK(h.changed());
  CHECK_FALSE(h.watch.begin(h.path));
  fs::create_directory(h.run);
  CHECK(h.changed());
  CHECK(h.watch.begin(h.path));
  h.changed();
  std::ofstream{h.run / "1.json"} << "{}";
  CHECK(h.changed());
}

}  // namespace fermata::io::record_watch_test
