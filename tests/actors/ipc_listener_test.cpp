#include "tests/actors/ipc_fixture.hpp"

#include <sys/stat.h>
#include <sys/un.h>

#include <set>
#include <thread>

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

TEST_CASE("a path is refused only when it is that of the socket that is made") {
  auto name = (fs::temp_directory_path() / "fermata-ipc-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()));
  const std::string_view socket = "/repl.sock";
  // sun_path of unix(7) has 108 bytes, the last one is the zero.
  for (std::size_t length : {102, 103, 106, 107, 108}) {
    INFO(length);
    const fs::path home = name + '/' + std::string(length - name.size() - 1 - socket.size(), 'y');
    REQUIRE((home / "repl.sock").native().size() == length);
    auto first = io::protocol::socket_file::listen(home);
    CHECK(first.has_value() == (length <= 107));
    if (!first) {
      CHECK(first.error().first().message.find((home / "repl.sock").string()) != std::string::npos);
      CHECK(first.error().first().message.find("108 bytes") != std::string::npos);
      continue;
    }
    CHECK(first->path() == home / "repl.sock");
    // A second one has a longer path, and is told which.
    auto second = io::protocol::socket_file::listen(home);
    auto own = (io::protocol::run_folder(home) / (std::to_string(::getpid()) + ".sock")).string();
    CHECK(second.has_value() == (own.size() <= 107));
    if (!second) CHECK(second.error().first().message.find(own + " has") != std::string::npos);
  }
  fs::remove_all(name);
}

TEST_CASE("when what is in the way of the socket goes, clients can connect without a restart") {
  struct row {
    std::string name;  ///< in the home
    bool is_folder = false;
  };
  for (auto& r : {row{"repl.sock"}, row{"repl.sock", true}, row{"run"}}) {
    INFO(r.name << (r.is_folder ? ", a folder" : ", a file"));
    served_sessions s{{}, std::make_shared<snapshot_board>(), {}, {}, [&](const fs::path& home) {
                        if (r.is_folder)
                          fs::create_directory(home / r.name);
                        else
                          std::fclose(std::fopen((home / r.name).c_str(), "w"));
                      }};
    REQUIRE(s.closed);
    CHECK(s.closed->first().message.find((s.home / r.name).string()) != std::string::npos);
    CHECK(s.closed->first().hint.find("move it away") != std::string::npos);
    CHECK(io::protocol::read_records(s.home).empty());
    CHECK(fs::exists(s.home / r.name));
    fs::rename(s.home / r.name, s.home / "away");
    // The limit of the whole test run is the limit here.
    while (io::protocol::read_records(s.home).empty())
      std::this_thread::yield();
    s.record = io::protocol::read_records(s.home).front();
    CHECK(s.record.socket == (s.home / "repl.sock").string());
    socket_client c{s};
    CHECK(c.ask("system.ping").at("result").at("pong") == true);
    c.close();
    s.close();
    CHECK_FALSE(fs::exists(s.home / "repl.sock"));
    CHECK(fs::exists(s.home / "away"));
  }
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

TEST_CASE("beyond the limit a client is told so at once, and let in when one has left") {
  ipc_options o;
  o.max_clients = 2;
  served_sessions s{o};
  socket_client a{s}, b{s};
  a.ask("system.ping");
  b.ask("system.ping");
  // Whether it asks for something or only listens; more than once, as nothing is kept of them.
  for (int i = 0; i < 20; ++i) {
    socket_client further{s};
    if (i % 2) further.send("{\"id\":1,\"method\":\"system.ping\"}\n");
    const auto v = further.read();
    CHECK(v.at("id").is_null());
    CHECK(v.at("error").at("code") == "busy");
    CHECK(v.at("error").at("data").at("max") == 2);
    CHECK_FALSE(v.at("error").at("data").at("hint").as_string().empty());
    CHECK(further.ended());
  }
  CHECK(b.ask("system.ping").at("result").at("pong") == true);
  a.close();
  // When the listener has heard of it; the limit of the whole test run is the limit here.
  for (;;) {
    socket_client next{s};
    if (next.send("{\"id\":1,\"method\":\"system.ping\"}\n") &&
        next.read().as_object().contains("result"))
      break;
  }
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

TEST_CASE("a socket or record that somebody removes is made again, and nobody is disconnected") {
  served_sessions s;
  socket_client before{s};
  before.ask("system.ping");
  const auto record = io::protocol::run_folder(s.home) / (std::to_string(s.record.pid) + ".json");
  auto wait_for = [&](auto condition) {
    // The limit of the whole test run is the limit here.
    while (!condition())
      std::this_thread::yield();
  };
  auto answers = [&] {
    auto fd = io::protocol::connect_socket(s.home / "repl.sock");
    if (fd >= 0) ::close(fd);
    return fd >= 0;
  };
  for (auto remove : {+[](const fs::path& p) { fs::remove(p); },
                      +[](const fs::path& p) { fs::rename(p, p.string() + ".away"); }}) {
    remove(s.home / "repl.sock");
    wait_for(answers);
    socket_client after{s};
    CHECK(after.ask("system.ping").at("result").at("pong") == true);
    CHECK(before.ask("system.ping").at("result").at("pong") == true);
    remove(record);
    wait_for([&] { return fs::exists(record); });
    CHECK(io::protocol::read_records(s.home) == std::vector{s.record});
  }
  s.close();
  CHECK_FALSE(fs::exists(s.home / "repl.sock"));
  CHECK_FALSE(fs::exists(record));
}

TEST_CASE("what killed instances have left is removed at the next start, and nothing else") {
  served_sessions s;  // whose record is one of a living process
  const auto run = io::protocol::run_folder(s.home);
  auto dead = s.record;
  dead.pid = 4'194'304;
  dead.id = "dead";
  dead.socket = (run / "4194304.sock").string();
  REQUIRE(io::protocol::write_record(s.home, dead));
  for (auto name : {"4194304.sock", ".4194304.json", "mine.json", "notes.txt"})
    std::fclose(std::fopen((run / name).c_str(), "w"));
  // Of a number that is none here, but somebody answers: a living one of another container.
  auto far_away = dead;
  far_away.pid = 4'194'303;
  far_away.socket = (s.home / "far.sock").string();
  REQUIRE(io::protocol::write_record(s.home, far_away));
  const auto listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  far_away.socket.copy(at.sun_path, sizeof at.sun_path - 1);
  REQUIRE(::bind(listening, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0);
  REQUIRE(::listen(listening, 1) == 0);
  REQUIRE(io::protocol::socket_file::listen(s.home));
  std::set<std::string> left;
  for (auto& f : fs::directory_iterator{run})
    left.insert(f.path().filename().string());
  CHECK(left == std::set<std::string>{".lock", std::to_string(s.record.pid) + ".json",
                                      "4194303.json", "mine.json", "notes.txt"});
  ::close(listening);
}
