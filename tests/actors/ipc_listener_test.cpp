#include "tests/actors/ipc_fixture.hpp"

#include <sys/stat.h>

using namespace fermata;
using namespace fermata::actors;
namespace fs = std::filesystem;

namespace {

unsigned mode_of(const fs::path& path) {
  struct stat info {};
  REQUIRE(::lstat(path.c_str(), &info) == 0);
  return info.st_mode & 0777;
}

}  // namespace

TEST_CASE("the first instance owns the well-known socket, private to its user") {
  served_sessions s;
  CHECK(s.record.socket == (s.home / "repl.sock").string());
  CHECK(mode_of(s.home / "repl.sock") == 0600);
  CHECK(mode_of(s.home) == 0700);
  CHECK(mode_of(s.home / "run") == 0700);
  auto records = io::protocol::read_records(s.home);
  REQUIRE(records.size() == 1);
  CHECK(records.front() == s.record);
}

TEST_CASE("at the end socket and record are gone and open connections are closed") {
  served_sessions s;
  socket_client c{s};
  c.ask("system.ping");
  s.close();
  CHECK(c.ended());
  CHECK_FALSE(fs::exists(s.home / "repl.sock"));
  CHECK(io::protocol::read_records(s.home).empty());
}

TEST_CASE("a second instance leaves the first one's socket alone") {
  served_sessions first;
  auto second = io::protocol::socket_file::listen(first.home);
  REQUIRE(second);
  CHECK(second->path() != first.home / "repl.sock");
  socket_client c{first};
  CHECK(c.ask("system.ping").at("result").at("pong") == true);
}

TEST_CASE("a socket that a dead instance left behind is replaced") {
  auto name = (fs::temp_directory_path() / "fermata-ipc-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()));
  const fs::path home = name;
  {
    auto dead = io::protocol::socket_file::listen(home);
    REQUIRE(dead);
    ::close(dead->release());
    // Nobody listens any more, but the file is there.
    auto next = io::protocol::socket_file::listen(home);
    REQUIRE(next);
    CHECK(next->path() == home / "repl.sock");
    auto fd = io::protocol::connect_socket(home / "repl.sock");
    CHECK(fd >= 0);
    ::close(fd);
  }
  fs::remove_all(home);
}

TEST_CASE("the dead one does not remove its successor's socket") {
  auto name = (fs::temp_directory_path() / "fermata-ipc-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()));
  const fs::path home = name;
  {
    std::optional<io::protocol::socket_file> old;
    {
      auto made = io::protocol::socket_file::listen(home);
      REQUIRE(made);
      ::close(made->release());
      old.emplace(std::move(*made));
    }
    auto next = io::protocol::socket_file::listen(home);
    REQUIRE(next);
    old.reset();
    CHECK(fs::exists(home / "repl.sock"));
  }
  fs::remove_all(home);
}

TEST_CASE("a path that no socket can have is refused with what to do") {
  const fs::path home = fs::temp_directory_path() / std::string(100, 'x');
  auto s = io::protocol::socket_file::listen(home);
  REQUIRE_FALSE(s);
  CHECK(s.error().first().hint.find("FERMATA_HOME") != std::string::npos);
  fs::remove_all(home);
}

TEST_CASE("a file in the way of the socket is not deleted") {
  auto name = (fs::temp_directory_path() / "fermata-ipc-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()));
  const fs::path home = name;
  {
    std::FILE* f = std::fopen((home / "repl.sock").c_str(), "w");
    std::fputs("mine", f);
    std::fclose(f);
  }
  CHECK_FALSE(io::protocol::socket_file::listen(home));
  CHECK(fs::file_size(home / "repl.sock") == 4);
  fs::remove_all(home);
}

TEST_CASE("beyond the limit clients wait their turn instead of failing") {
  ipc_options o;
  o.max_clients = 2;
  served_sessions s{o};
  socket_client a{s}, b{s}, waiting{s};
  a.ask("system.ping");
  b.ask("system.ping");
  waiting.send("{\"id\":1,\"method\":\"system.ping\"}\n");
  a.close();
  CHECK(waiting.read().at("result").at("pong") == true);
}

TEST_CASE("records of processes that are gone are passed over") {
  served_sessions s;
  auto dead = s.record;
  // The largest number that is no process here.
  dead.pid = 4'194'304;
  dead.id = "dead";
  REQUIRE(io::protocol::write_record(s.home, dead));
  CHECK(io::protocol::read_records(s.home).size() == 1);
}
