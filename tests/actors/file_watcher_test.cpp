#include "actors/ipc/file_watcher.hpp"

#include "actors/system_config.hpp"

#include <caf/actor_system.hpp>
#include <caf/io/middleman.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <catch2/catch.hpp>
#include <stdlib.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fermata::file_watcher_test {

using namespace fermata::actors;
namespace fs = std::filesystem;

namespace {

struct networked : system_config {
  networked() { load<caf::io::middleman>(); }
};

/// A watcher whose owner is the test. Waiting has no limit of its own: the whole run has one.
struct watched_folder {
  networked config;
  caf::actor_system sys{config};
  caf::scoped_actor self{sys, true};
  fs::path home;
  file_watcher_actor watcher;

  watched_folder() {
    auto name = (fs::temp_directory_path() / "fermata-watch-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()));
    home = name;
    watcher = spawn_file_watcher(sys, caf::actor_cast<file_watch_owner_actor>(self));
  }
  ~watched_folder() {
    end();
    std::error_code ec;
    fs::remove_all(home, ec);
  }
  watched_folder(const watched_folder&) = delete;
  watched_folder& operator=(const watched_folder&) = delete;

  void end() {
    if (!watcher) return;
    self->monitor(watcher);
    self->unlink_from(watcher);
    self->send_exit(watcher, caf::exit_reason::user_shutdown);
    self->receive([](const caf::down_msg&) {});
    watcher = nullptr;
  }

  void watch(std::vector<std::string> names) {
    for (auto& n : names)
      n = (home / n).string();
    self->request(watcher, caf::infinite, atom::watch_v, std::move(names))
        .receive([] {}, [](caf::error& e) { FAIL(caf::to_string(e)); });
  }
  void write(const std::string& name) const { std::ofstream{home / name} << "x"; }
  /// The names in the next notification.
  std::vector<std::string> changed() {
    std::vector<std::string> names;
    self->receive([&](atom::changed, const std::vector<std::string>& paths) {
      for (const auto& p : paths)
        names.push_back(fs::relative(p, home).string());
    });
    return names;
  }
  /// Whether a notification has come; the watcher has handled everything before.
  bool was_told() {
    bool told = false;
    self->receive([&](atom::changed, const std::vector<std::string>&) { told = true; },
                  caf::after(std::chrono::seconds{0}) >> [] {});
    return told;
  }
};

using names = std::vector<std::string>;

}  // namespace

TEST_CASE("the owner of a file watcher hears of removed, moved and replaced files") {
  watched_folder f;
  f.write("a");
  f.write("b");
  f.write("c");
  f.watch({"a", "b", "c"});
  fs::remove(f.home / "a");
  CHECK(f.changed() == names{"a"});
  fs::rename(f.home / "b", f.home / "elsewhere");
  CHECK(f.changed() == names{"b"});
  f.write("new");
  fs::rename(f.home / "new", f.home / "c");
  CHECK(f.changed() == names{"c"});
}

TEST_CASE("a file watcher says nothing of other files") {
  watched_folder f;
  f.write("a");
  f.write("other");
  f.watch({"a"});
  fs::remove(f.home / "other");
  fs::remove(f.home / "a");
  // The first that is told.
  CHECK(f.changed() == names{"a"});
}

TEST_CASE("when a folder is removed, all files in it have changed") {
  watched_folder f;
  fs::create_directory(f.home / "run");
  f.write("a");
  f.watch({"a", "run/x", "run/y"});
  fs::remove(f.home / "run");
  CHECK(f.changed() == names{"run/x", "run/y"});
}

TEST_CASE("a file watcher can be given other files, also in a folder that was made again") {
  watched_folder f;
  fs::create_directory(f.home / "run");
  f.write("a");
  f.write("run/x");
  f.watch({"run/x"});
  fs::rename(f.home / "run", f.home / "away");
  CHECK(f.changed() == names{"run/x"});
  fs::create_directory(f.home / "run");
  f.write("run/x");
  f.watch({"run/x"});
  fs::remove(f.home / "away" / "x");
  fs::remove(f.home / "run" / "x");
  CHECK(f.changed() == names{"run/x"});
  f.watch({"a"});
  f.write("run/x");
  fs::remove(f.home / "run" / "x");
  fs::remove(f.home / "a");
  CHECK(f.changed() == names{"a"});
}

TEST_CASE("a file watcher ends with its owner and closes its descriptor") {
  auto descriptors = [] {
    std::vector<std::string> all;
    for (auto& d : fs::directory_iterator{"/proc/self/fd"}) {
      std::error_code ec;
      all.push_back(fs::read_symlink(d, ec).string());
    }
    return std::count(all.begin(), all.end(), "anon_inode:inotify");
  };
  const auto before = descriptors();
  {
    watched_folder f;
    {
      caf::scoped_actor owner{f.sys, true};
      auto watcher = spawn_file_watcher(f.sys, caf::actor_cast<file_watch_owner_actor>(owner));
      f.self->monitor(watcher);
      owner->request(watcher, caf::infinite, atom::watch_v, names{(f.home / "a").string()})
          .receive([] {}, [](caf::error& e) { FAIL(caf::to_string(e)); });
      CHECK(descriptors() == before + 1);
    }
    f.self->receive([](const caf::down_msg&) {});
    f.watch({"a"});
  }
  // The end of the actor system waits for the multiplexer.
  CHECK(descriptors() == before);
}

TEST_CASE("where the system cannot watch, a file watcher answers and is silent") {
  watched_folder f;
  f.write("a");
  rlimit limit{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &limit) == 0);
  auto none = limit;
  none.rlim_cur = 0;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  f.watch({"a"});
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &limit) == 0);
  fs::remove(f.home / "a");
  CHECK_FALSE(f.was_told());
  // The next time it can.
  f.write("a");
  f.watch({"a"});
  fs::remove(f.home / "a");
  CHECK(f.changed() == names{"a"});
}

}  // namespace fermata::file_watcher_test
