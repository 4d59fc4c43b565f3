#include "actors/manager/session_manager.hpp"
#include "tests/actors/managed_sessions.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

// Looks at the disk that take long, and what is asked meanwhile.

namespace fermata::actors {

namespace {

constexpr std::chrono::minutes far_too_long{1};

/// Sessions on threads of their own, as in the program. One that is not loaded lies on a disk that
/// answers when it is told to: its meta.json is a pipe.
class slow_disk {
public:
  explicit slow_disk(std::string_view where) {
    manager_setup setup;
    setup.home = home.path();
    setup.evaluate = &fermata::evaluate;
    setup.now = [] {
      return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    };
    manager = sys.spawn(session_manager, setup);
    first = *ask<session_ref>(manager, atom::create_v, std::string{"First"});
    std::getline(std::ifstream{home.path() / "sessions" / "first" / "meta.json"}, said_);
    for (std::string_view name : {"First", "first"})
      said_.replace(said_.find(name), name.size(), name == "First" ? "Slow" : "slow");
    meta_ = home.path() / where / "slow" / "meta.json";
    std::filesystem::create_directories(meta_.parent_path());
    REQUIRE(::mkfifo(meta_.c_str(), 0600) == 0);
  }
  ~slow_disk() {
    if (pipe_ >= 0) answer();
    self->request(manager, caf::infinite, atom::stop_v).receive([] {}, [](caf::error&) {});
  }
  slow_disk(const slow_disk&) = delete;
  slow_disk& operator=(const slow_disk&) = delete;

  /// Somebody reads there and waits.
  void wait_until_looked_at() { pipe_ = ::open(meta_.c_str(), O_WRONLY | O_CLOEXEC); }
  /// Whoever waits goes on; from now on the disk is as fast as others.
  void answer() {
    auto file = home.path() / "meta.json";
    std::ofstream{file} << said_;
    std::filesystem::rename(file, meta_);
    REQUIRE(::write(pipe_, said_.data(), said_.size()) == static_cast<ssize_t>(said_.size()));
    ::close(std::exchange(pipe_, -1));
  }
  template <class R, class Handle, class... Ts>
  caf::expected<R> ask(const Handle& to, const Ts&... what) {
    caf::expected<R> out{caf::sec::unexpected_response};
    self->request(to, far_too_long, what...)
        .receive([&](R& x) { out = std::move(x); }, [&](caf::error& e) { out = std::move(e); });
    return out;
  }
  temporary_folder home;
  system_config config;
  caf::actor_system sys{config};
  caf::scoped_actor self{sys, true};
  session_manager_actor manager;
  session_ref first;

private:
  std::filesystem::path meta_;
  std::string said_;  ///< by a meta.json
  int pipe_ = -1;
};

}  // namespace

TEST_CASE("while sessions are listed from a slow disk, everything else is answered") {
  slow_disk d{"sessions"};
  auto line = session_under_test::line(":session list");
  auto listing = d.self->request(d.first.actor, caf::infinite, atom::submit_v, line);
  d.wait_until_looked_at();
  // The manager, and the session where the list was asked for.
  CHECK(d.ask<session_ref>(d.manager, atom::find_v, std::string{"first"})->slug == "first");
  CHECK(d.ask<session_snapshot>(d.first.actor, atom::snapshot_v));
  CHECK(d.ask<message_receipt>(d.first.actor, atom::enqueue_v,
                               incoming_message{"still there?", client}));
  // What needs the disk waits for it, and sees it as it is then.
  auto made = d.self->request(d.manager, caf::infinite, atom::create_v, std::string{"slow"});
  {
    caf::scoped_actor gone{d.sys, true};
    gone->send(d.manager, atom::list_v);
    gone->request(d.manager, caf::infinite, atom::list_v);
  }
  d.answer();
  listing.receive(
      [](turn& t) {
        auto& said = std::get<command_entry>(t.entries.back()->kind).output;
        CHECK(said.find("slow") != std::string::npos);
        CHECK(said.find("first") != std::string::npos);
      },
      [](caf::error& e) { FAIL(detail_of(e).message); });
  made.receive([](session_ref& ref) { CHECK(ref.slug == "slow-2"); },
               [](caf::error& e) { FAIL(detail_of(e).message); });
  auto all = d.ask<summaries>(d.manager, atom::list_v);
  REQUIRE(all);
  for (auto slug : {"first", "slow", "slow-2"})
    CHECK(has(*all, slug));
}

TEST_CASE("a program that ends while the disk is looked at answers whoever waits, and ends") {
  slow_disk d{"sessions"};
  auto listing = d.self->request(d.manager, caf::infinite, atom::list_v);
  d.wait_until_looked_at();
  auto stopped = d.self->request(d.manager, caf::infinite, atom::stop_v);
  d.answer();
  listing.receive([](summaries& all) { CHECK(all.size() == 2); },
                  [](caf::error& e) { CHECK(problem_of(e) == problem::invalid_state); });
  stopped.receive([] {}, [](caf::error& e) { FAIL(detail_of(e).message); });
}

TEST_CASE("the name of a session that goes to the archive during a look there stays its own") {
  slow_disk d{"archive"};
  auto second = d.self->request(d.manager, caf::infinite, atom::create_v, std::string{"First"});
  d.wait_until_looked_at();
  auto left = d.ask<archive_answer>(d.manager, atom::archive_session_v,
                                    archive_request{"first", "nobody", false});
  REQUIRE(left);
  CHECK(std::filesystem::exists(d.home.path() / "archive" / "first"));
  d.answer();
  second.receive([](session_ref& ref) { CHECK(ref.slug == "first-2"); },
                 [](caf::error& e) { FAIL(detail_of(e).message); });
}

}  // namespace fermata::actors
