// Other processes in the same home do something at every moment of what we do.

#include "io/store/folder_lock.hpp"
#include "io/store/home.hpp"
#include "io/store/archive/session_archive.hpp"
#include "messages/errors.hpp"
#include "tests/actors/managed_sessions.hpp"

#include <unistd.h>

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
    REQUIRE(
        m.ask<exported_session>(m.manager, atom::export_session_v, export_request{"first", file}));
    auto theirs = false;
    auto take = [&] {
      theirs = !std::filesystem::exists(m.place("song"));
      if (!theirs) return;
      std::filesystem::create_directories(m.place("song"));
      REQUIRE(io::replace_file(m.place("song") / "journal.lock", "process 1"));
    };
    auto made =
        imported
            ? m.meanwhile(steps, take, atom::import_session_v, file, std::string{"Song"})
            : m.meanwhile(steps, take, atom::clone_v, std::string{"first"}, std::string{"Song"});
    REQUIRE(made);
    CHECK(made->slug == (theirs ? "song-2" : "song"));
    CHECK(output_of(m.submit(*made, "x")) == "7");
    CHECK(m.snapshot(*made)->meta.name == (theirs ? "Song 2" : "Song"));
    CHECK(m.is_kept(*made));
  }
}

TEST_CASE("a session comes back from the archive under the next name when another process takes "
          "its own") {
  for (int steps = 0; steps < moments; ++steps) {
    home_of_two m;
    INFO("after " << steps << " steps");
    m.submit(*m.create("Song"), "(def x 7)");
    auto other = *m.create("Other");
    REQUIRE(m.ask<archive_answer>(m.manager, atom::archive_session_v,
                                  archive_request{"song", "other", false}));
    auto archived = m.home.path() / "archive" / "song";
    auto theirs = false;
    auto take = [&] {
      session_meta meta;
      meta.slug = "song";
      meta.name = "Song";
      theirs = io::copy_session(archived, m.place("song"), meta).has_value();
    };
    auto back = m.meanwhile(steps, take, atom::restore_v, std::string{"song"});
    REQUIRE(back);
    CHECK(back->slug == (theirs ? "song-2" : "song"));
    CHECK(back->instead_of == (theirs ? "song" : ""));
    CHECK(output_of(m.submit(*back, "x")) == "7");
    CHECK(m.snapshot(*back)->meta.name == (theirs ? "Song 2" : "Song"));
    CHECK(m.is_kept(*back));
    CHECK_FALSE(std::filesystem::exists(archived));
    CHECK(io::is_session(m.place("song")));
  }
}

TEST_CASE("a session that another process brings back before me is not brought back twice") {
  for (int steps = 0; steps < moments; ++steps) {
    home_of_two m;
    INFO("after " << steps << " steps");
    m.submit(*m.create("Song"), "(def x 7)");
    m.create("Other");
    REQUIRE(m.ask<archive_answer>(m.manager, atom::archive_session_v,
                                  archive_request{"song", "other", false}));
    auto archived = m.home.path() / "archive" / "song";
    auto theirs = false;
    auto take = [&] { theirs = io::move_folder(archived, m.place("song")).has_value(); };
    auto back = m.meanwhile(steps, take, atom::restore_v, std::string{"song"});
    CHECK(static_cast<bool>(back) == !theirs);
    CHECK(io::is_session(m.place("song")));
    CHECK_FALSE(std::filesystem::exists(m.place("song-2")));
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
      moved = io::move_to_archive_or_trash(m.place("first"), m.home.path() / "archive" / "first")
                  .has_value();
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

namespace {

/// A session that another process has taken, and the home where it lies.
struct session_of_another : home_of_two {
  std::optional<io::folder_lock> other;

  session_of_another() {
    submit(*create("Song"), "(def x 7)");
    create("Other");
    end();
    take();
    begin();
  }
  void take() {
    auto lock = io::folder_lock::take(place("song"));
    REQUIRE(lock);
    other = std::move(*lock);
  }
  /// What the other process writes meanwhile.
  void write_there(const std::string& line) {
    auto journal = place("song") / "history.jsonl";
    other.reset();
    managed_sessions elsewhere;
    std::filesystem::create_directories(elsewhere.home.path() / "sessions");
    std::filesystem::copy(place("song"), elsewhere.home.path() / "sessions" / "song",
                          std::filesystem::copy_options::recursive);
    elsewhere.submit(*elsewhere.find("song"), line);
    elsewhere.end();
    std::filesystem::copy_file(elsewhere.home.path() / "sessions" / "song" / "history.jsonl",
                               journal, std::filesystem::copy_options::overwrite_existing);
    take();
  }
  caf::expected<session_ref> switch_to(const std::string& name) {
    return ask<session_ref>(manager, atom::activate_v, name);
  }
};

bool is_refused(const caf::expected<turn>& t) {
  return !t && problem_of(t.error()) == problem::invalid_state &&
         detail_of(t.error()).message.find("nothing can be changed here") != std::string::npos;
}

}  // namespace

TEST_CASE("a session of another process is shown, and changes of it are refused") {
  session_of_another m;
  auto song = m.switch_to("song");
  REQUIRE(song);
  auto entries = m.snapshot(*song)->history.size();
  CHECK(m.snapshot(*song)->written_by == "process " + std::to_string(::getpid()));
  CHECK(output_of(m.submit(*song, "x")) == "7");
  for (auto line : {"(def x 8)", "(note c4 :q)", "// hello", ":session rename Mine", ":save"})
    CHECK(is_refused(m.submit(*song, line)));
  auto message = m.ask<message_receipt>(song->actor, atom::enqueue_v,
                                        incoming_message{"hello", {"claude", "mcp"}, {}});
  REQUIRE_FALSE(message);
  CHECK(problem_of(message.error()) == problem::invalid_state);
  CHECK(m.snapshot(*song)->history.size() == entries);
  CHECK(m.snapshot(*song)->meta.name == "Song");
}

TEST_CASE("what clients evaluate in a session of another process is shown or refused") {
  session_of_another m;
  auto song = m.switch_to("song");
  REQUIRE(song);
  auto policy = GENERATE(false, true);
  auto eval = [&](const std::string& text) {
    return m.ask<remote_outcome>(
        song->actor, atom::propose_v,
        remote_evaluation{text, {"claude", "mcp"}, {}, {}, nullptr, policy});
  };
  auto refused = eval("(note c4 :q)");
  REQUIRE_FALSE(refused);
  CHECK(problem_of(refused.error()) == problem::invalid_state);
  CHECK(m.snapshot(*song)->proposals.empty());
  if (!policy) CHECK(eval("x")->output_text == "7");
}

TEST_CASE("a session of another process is read again, and can be written to once it is free") {
  session_of_another m;
  auto first = m.switch_to("song");
  REQUIRE(first);
  m.write_there("(def y 8)");
  CHECK(output_of(m.submit(*first, "y")) != "8");
  auto again = m.switch_to("song");
  REQUIRE(again);
  CHECK((again->actor.address() == first->actor.address()));
  CHECK(output_of(m.submit(*again, "y")) == "8");
  CHECK(is_refused(m.submit(*again, "(def z 9)")));
  m.other.reset();
  CHECK(is_refused(m.submit(*again, "(def z 9)")));
  auto ours = m.switch_to("song");
  REQUIRE(ours);
  REQUIRE(ours->remarks.size() == 1);
  CHECK(ours->remarks.front().find("it can now be written to here") != std::string::npos);
  CHECK(m.is_kept(*ours));
  CHECK(output_of(m.submit(*ours, "(+ x y)")) == "15");
  m.end();
  m.begin();
  CHECK(output_of(m.submit(*m.find("song"), "kept")) == "1");
}

TEST_CASE("the user opens it again from within it") {
  session_of_another m;
  auto song = m.switch_to("song");
  REQUIRE(song);
  m.other.reset();
  auto said = m.submit(*song, ":session switch song");
  CHECK(output_of(said).find("it can now be written to here") != std::string::npos);
  CHECK(m.is_kept(*song));
}

TEST_CASE("a session of another process that was used last is shown when I name none") {
  session_of_another m;
  REQUIRE(io::remember_active_session(m.home.path(), "song"));
  auto active = m.ask<session_ref>(m.manager, atom::active_v);
  REQUIRE(active);
  CHECK(active->slug == "song");
  CHECK_FALSE(m.is_kept(*active));
}

TEST_CASE("a session of another process that crashes here is shown again") {
  session_of_another m;
  auto song = m.switch_to("song");
  REQUIRE(song);
  m.self->send_exit(song->actor, caf::exit_reason::kill);
  m.sched.run();
  m.advance(std::chrono::seconds{1});
  auto again = m.find("song");
  REQUIRE(again);
  CHECK(output_of(m.submit(*again, "x")) == "7");
  CHECK(is_refused(m.submit(*again, "(def z 9)")));
}

TEST_CASE("a session that goes to another process while I open it is shown or mine") {
  for (int steps = 0; steps < moments; ++steps) {
    session_of_another m;
    INFO("after " << steps << " steps");
    auto leave = [&] { m.other.reset(); };
    auto got = m.meanwhile(steps, leave, atom::activate_v, std::string{"song"});
    REQUIRE(got);
    CHECK(output_of(m.submit(*got, "x")) == "7");
    auto is_ours = m.snapshot(*got)->written_by.empty();
    CHECK(is_refused(m.submit(*got, "(def z 9)")) == !is_ours);
  }
}

TEST_CASE("who puts a session away goes to the next one that is not another process's") {
  session_of_another m;  // has Song, which was used last by it; Other is free
  auto third = *m.create("Third");
  auto line = GENERATE(":session archive", ":session delete --yes");
  // Song is the newest on the disk beside Third.
  std::filesystem::last_write_time(m.place("song") / "history.jsonl",
                                   std::filesystem::file_time_type::clock::now() +
                                       std::chrono::hours{1});
  CHECK(output_of(m.submit(third, line)) == "switched to other");
  CHECK(m.ask<session_ref>(m.manager, atom::active_v)->slug == "other");
}

}  // namespace fermata::actors
