// Other processes in the same home do something at every moment of what we do.

#include "io/store/folder_lock.hpp"
#include "io/store/home.hpp"
#include "messages/errors.hpp"
#include "tests/actors/managed_sessions.hpp"

namespace fermata::actors {

namespace {

constexpr int moments = 40;  // more than any of the requests here has

struct home_of_two : managed_sessions {
  std::filesystem::path place(const std::string& slug) { return home.path() / "sessions" / slug; }

  /// Asks, lets the other process do its work after so many steps, and waits for the answer.
  template <class... Ts>
  caf::expected<session_ref> meanwhile(int steps, const std::function<void()>& other,
                                       const Ts&... what) {
    auto pending = self->request(manager, caf::infinite, what...);
    for (int i = 0; i < steps && sched.has_job(); ++i)
      sched.run_once();
    other();
    sched.run();
    caf::expected<session_ref> got{caf::sec::runtime_error};
    pending.receive([&](session_ref& ref) { got = ref; }, [&](caf::error& e) { got = e; });
    return got;
  }
  bool is_kept(const session_ref& s) {
    submit(s, "(def kept 1)");
    auto text = io::read_file(place(s.slug) / "history.jsonl");
    return text && text->find("(def kept 1)") != std::string::npos;
  }
};

}  // namespace

TEST_CASE("a new session takes the next name when another process takes its own") {
  for (int steps = 0; steps < moments; ++steps) {
    home_of_two m;
    INFO("after " << steps << " steps");
    std::optional<io::folder_lock> other;
    auto take = [&] {
      std::filesystem::create_directories(m.place("song"));
      if (auto lock = io::folder_lock::take(m.place("song"))) other = std::move(*lock);
    };
    auto made = m.meanwhile(steps, take, atom::create_v, std::string{"Song"});
    REQUIRE(made);
    CHECK(made->slug == (other ? "song-2" : "song"));
    CHECK(m.is_kept(*made));
    CHECK(io::is_session(m.place("song")) == !other);
  }
}

TEST_CASE("in a new home I am given the next session when another process begins the first") {
  for (int steps = 0; steps < moments; ++steps) {
    home_of_two m;
    INFO("after " << steps << " steps");
    std::optional<io::folder_lock> other;
    auto take = [&] {
      std::filesystem::create_directories(m.place("session-1"));
      if (auto lock = io::folder_lock::take(m.place("session-1"))) other = std::move(*lock);
    };
    auto active = m.meanwhile(steps, take, atom::active_v);
    REQUIRE(active);
    CHECK(active->slug == (other ? "session-2" : "session-1"));
    CHECK(m.is_kept(*active));
    auto again = m.ask<session_ref>(m.manager, atom::active_v);
    REQUIRE(again);
    CHECK(again->slug == active->slug);
  }
}

TEST_CASE("a copy and an import take the next name when another process takes their own") {
  auto imported = GENERATE(false, true);
  for (int steps = 0; steps < moments; ++steps) {
    home_of_two m;
    INFO("after " << steps << " steps" << (imported ? " of an import" : ""));
    auto first = *m.create("First");
    m.submit(first, "(def x 7)");
    m.submit(first, ":session rename Foo");
    auto file = (m.home.path() / "first.fermata").string();
    REQUIRE(m.ask<std::string>(m.manager, atom::pack_v, std::string{"first"}, file));
    auto theirs = false;
    auto take = [&] {
      theirs = !std::filesystem::exists(m.place("song"));
      if (!theirs) return;
      std::filesystem::create_directories(m.place("song"));
      REQUIRE(io::replace_file(m.place("song") / "journal.lock", "process 1"));
    };
    auto made = imported ? m.meanwhile(steps, take, atom::unpack_v, file, std::string{"Song"})
                         : m.meanwhile(steps, take, atom::clone_v, std::string{"first"},
                                       std::string{"Song"});
    REQUIRE(made);
    CHECK(made->slug == (theirs ? "song-2" : "song"));
    CHECK(output_of(m.submit(*made, "x")) == "7");
    CHECK(m.snapshot(*made)->meta.name == (theirs ? "Song 2" : "Song"));
    CHECK(m.is_kept(*made));
  }
}

TEST_CASE("a session that another process moves away while I open it is not made anew") {
  for (int steps = 0; steps < moments; ++steps) {
    home_of_two m;
    INFO("after " << steps << " steps");
    m.submit(*m.create("First"), "(def x 7)");
    m.create("Second");
    m.end();
    m.begin();
    auto moved = false;
    auto move = [&] {
      moved =
          io::put_folder_away(m.place("first"), m.home.path() / "archive" / "first").has_value();
    };
    auto opened = m.meanwhile(steps, move, atom::find_v, std::string{"first"});
    CHECK(static_cast<bool>(opened) == !moved);
    CHECK(io::is_session(m.place("first")) == !moved);
    CHECK(std::filesystem::exists(m.place("first")) == !moved);
    if (opened) {
      CHECK(output_of(m.submit(*opened, "x")) == "7");
      CHECK(m.is_kept(*opened));
    }
  }
}

}  // namespace fermata::actors
