#include "actors/front_end.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "io/store/folder_lock.hpp"
#include "io/store/home.hpp"
#include "io/store/archive/session_archive.hpp"
#include "io/store/session_list.hpp"
#include "tests/actors/managed_sessions.hpp"

#include <catch2/catch.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

// Sessions that are made, named, put away and brought back, one directly after the other and
// several at a time.

namespace fermata::actors {

namespace {

/// While it lives no file grows beyond so many bytes: the same failing write as on a full disk.
class small_disk {
public:
  explicit small_disk(std::uintmax_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~small_disk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  small_disk(const small_disk&) = delete;
  small_disk& operator=(const small_disk&) = delete;

private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

summaries listed(managed_sessions& m) { return *m.ask<summaries>(m.manager, atom::list_v); }
summaries aside(managed_sessions& m) { return *m.ask<summaries>(m.manager, atom::archived_v); }

/// Several requests that are all on their way before the first is looked at.
template <class R, class... Ts>
auto asked(managed_sessions& m, const Ts&... what) {
  return m.self->request(m.manager, caf::infinite, what...);
}

template <class R, class Pending>
caf::expected<R> answer_of(Pending& pending) {
  caf::expected<R> out{caf::sec::unexpected_response};
  pending.receive([&](R& x) { out = std::move(x); }, [&](caf::error& e) { out = std::move(e); });
  return out;
}

}  // namespace

TEST_CASE("a session that puts itself away is archived for everybody at once") {
  managed_sessions m;
  auto first = *m.create("First");
  m.submit(first, "(def x 1)");
  m.create("Second");
  auto answer = m.ask<archive_answer>(m.manager, atom::archive_session_v,
                                      archive_request{"first", "first", false});
  REQUIRE(answer);
  CHECK(answer->next == "second");
  // It has not yet written down that it goes.
  CHECK(has(aside(m), "first"));
  CHECK_FALSE(has(listed(m), "first"));
  CHECK_FALSE(m.find("first"));
  CHECK_FALSE(m.ask<session_ref>(m.manager, atom::clone_v, std::string{"first"}, std::string{}));
  CHECK_FALSE(m.ask<archive_answer>(m.manager, atom::archive_session_v,
                                    archive_request{"first", "second", true}));
  CHECK(m.create("First")->slug == "first-2");
  auto back = asked<session_ref>(m, atom::restore_v, std::string{"first"});
  auto also = asked<session_ref>(m, atom::restore_v, std::string{"First"});
  m.sched.run();
  SECTION("it has: it comes back from the archive") {
    m.self->send(m.manager, atom::left_v, std::string{"first"}, true);
    m.sched.run();
  }
  SECTION("it could not: it is where it was") {
    m.self->send(m.manager, atom::left_v, std::string{"first"}, false);
    m.sched.run();
    CHECK(m.ask<session_ref>(m.manager, atom::active_v)->slug == "first");
  }
  CHECK(answer_of<session_ref>(back)->slug == "first");
  CHECK(answer_of<session_ref>(also)->slug == "first");
  CHECK(has(listed(m), "first"));
  CHECK(aside(m).empty());
  CHECK(output_of(m.submit(*m.find("first"), "x")) == "1");
}

TEST_CASE("a session that returns while another one has its id and name gets new ones") {
  managed_sessions m;
  m.submit(*m.create("First"), "(def x 7)");
  m.create("Second");
  auto away = m.ask<archive_answer>(m.manager, atom::archive_session_v,
                                    archive_request{"first", "second", false});
  REQUIRE(away);
  // As if another process had made a session of that name.
  std::filesystem::copy(m.home.path() / "archive" / "first", m.home.path() / "sessions" / "first",
                        std::filesystem::copy_options::recursive);
  auto back = m.ask<session_ref>(m.manager, atom::restore_v, std::string{"first"});
  REQUIRE(back);
  CHECK(back->slug == "first-2");
  CHECK(m.snapshot(*back)->meta.name == "First 2");
  CHECK(output_of(m.submit(*back, "x")) == "7");
}

TEST_CASE("opening an archived session reports where it is and creates no other") {
  managed_sessions m;
  auto first = *m.create("First");
  auto second = *m.create("Second");
  REQUIRE(m.submit(second, ":session archive first"));
  for (auto name : {"first", "First"}) {
    INFO(name);
    auto there = m.find(name);
    REQUIRE_FALSE(there);
    CHECK(problem_of(there.error()) == problem::invalid_state);
    auto words = detail_of(there.error());
    CHECK(words.message == "session first is archived");
    CHECK(words.advice.find("`:session unarchive first`") != std::string::npos);
    auto said = m.submit(second, ":session switch " + std::string{name});
    CHECK(output_of(said).find("is archived") != std::string::npos);
  }
  CHECK(m.ask<std::vector<session_summary>>(m.manager, atom::list_v)->size() == 1);
  auto other = m.find("firts");
  REQUIRE_FALSE(other);
  CHECK(problem_of(other.error()) == problem::not_found);
}

TEST_CASE("a session that was left without being closed is listed as it is") {
  managed_sessions m;
  auto first = *m.create("First");
  REQUIRE(m.submit(first, "(part :piano (measure (note c4 :w)) (measure (note d4 :w)))"));
  REQUIRE(m.submit(first, ":session new Second"));
  m.advance(std::chrono::seconds{2});
  // As another process sees it, or the next one after this was killed.
  auto seen = io::sessions_on_disk(m.home.path(), io::detail_level::summaries);
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].summary.score == summary(*m.snapshot(first)->score));
  CHECK(seen[0].summary.score_entries == seen[0].summary.entries);
}

TEST_CASE("a session that cannot write down that it goes stays") {
  managed_sessions m;
  auto first = *m.create("First");
  m.create("Second");
  m.submit(first, "(def x 1)");
  auto journal = m.home.path() / "sessions" / "first" / "history.jsonl";
  for (auto line : {":session archive", ":session delete --yes"}) {
    {
      small_disk full{std::filesystem::file_size(journal)};
      CHECK_FALSE(m.submit(first, line));
    }
    CHECK(has(listed(m), "first"));
    CHECK(aside(m).empty());
    CHECK(m.ask<session_ref>(m.manager, atom::active_v)->slug == "first");
    CHECK(output_of(m.submit(first, "x")) == "1");
  }
}

TEST_CASE("a session that crashes before it could write down that it goes stays") {
  managed_sessions m;
  auto first = *m.create("First");
  m.create("Second");
  REQUIRE(m.ask<archive_answer>(m.manager, atom::archive_session_v,
                                archive_request{"first", "first", false}));
  m.self->send_exit(first.actor, caf::exit_reason::kill);
  m.sched.run();
  m.advance(std::chrono::seconds{1});
  CHECK(has(listed(m), "first"));
  CHECK(aside(m).empty());
  CHECK(m.find("first"));
}

TEST_CASE("what cannot be moved is not ended, and nobody is sent away") {
  managed_sessions m;
  auto first = *m.create("First");
  auto second = *m.create("Second");
  m.submit(first, "(def x 1)");
  // Files where the folders should be: even for root nothing can be put there.
  for (auto name : {"archive", "trash"})
    std::ofstream{m.home.path() / name} << "in the way";
  for (auto line : {":session archive", ":session delete --yes"}) {
    auto t = m.submit(first, line);
    CHECK_FALSE(command_of(t).ok);
    CHECK(t->effect.kind == turn_effect::kind_t::none);
    CHECK(command_of(t).output.find("Not a directory") != std::string::npos);
  }
  for (auto line : {":session archive first", ":session delete first --yes"}) {
    auto t = m.submit(second, line);
    CHECK_FALSE(command_of(t).ok);
    CHECK(command_of(t).output.find("moved") == std::string::npos);
  }
  CHECK(output_of(m.submit(first, "x")) == "1");
  CHECK(has(listed(m), "first"));
}

TEST_CASE("a session that is open in another process cannot be archived") {
  managed_sessions m;
  m.create("First");
  auto second = *m.create("Second");
  m.end();
  m.begin();
  second = *m.find("second");
  {
    // Locks of one process on two descriptors exclude each other as those of two processes do.
    auto other = io::folder_lock::take(m.home.path() / "sessions" / "first");
    REQUIRE(other);
    for (auto line : {":session archive first", ":session delete first --yes"}) {
      auto t = m.submit(second, line);
      CHECK_FALSE(command_of(t).ok);
      CHECK(command_of(t).output.find("open in another process") != std::string::npos);
    }
    CHECK(has(listed(m), "first"));
  }
  CHECK(command_of(m.submit(second, ":session archive first")).ok);
}

TEST_CASE(
    "where the active session is put away from elsewhere, the one who did it has the active") {
  managed_sessions m;
  auto first = *m.create("First");
  m.create("Second");
  REQUIRE(m.ask<session_ref>(m.manager, atom::active_v)->slug == "second");
  CHECK(command_of(m.submit(first, ":session delete second --yes")).ok);
  CHECK(m.ask<session_ref>(m.manager, atom::active_v)->slug == "first");
}

TEST_CASE("a terminal whose session is put away from elsewhere goes where the others are") {
  front_end::inbox inbox;
  managed_sessions m;
  m.create("First");
  auto second = *m.create("Second");
  front_end end{m.sys, m.manager, inbox};
  end.open("First");
  m.sched.run();
  inbox.take();
  REQUIRE(command_of(m.submit(second, ":session archive first")).ok);
  m.sched.run();
  std::string now;
  for (auto& n : inbox.take()) {
    CHECK_FALSE(std::holds_alternative<front_end_events::lost>(n));
    if (auto opened = std::get_if<front_end_events::opened>(&n))
      now = opened->what.after->meta.slug;
  }
  CHECK(now == "second");
}

TEST_CASE("whoever has a session open keeps it when another one cannot be opened") {
  front_end::inbox inbox;
  managed_sessions m;
  m.create("First");
  auto second = *m.create("Second");
  REQUIRE(command_of(m.submit(*m.find("first"), ":session archive second")).ok);
  auto opened = [&](front_end& end, const std::string& name) {
    end.open(name);
    m.sched.run();
    std::string where = "nowhere";
    for (auto& n : inbox.take()) {
      if (auto now = std::get_if<front_end_events::opened>(&n)) where = now->what.after->meta.slug;
      if (std::holds_alternative<front_end_events::lost>(n)) where = "lost";
      if (std::holds_alternative<front_end_events::refused>(n)) where = "refused";
    }
    return where;
  };
  // At the start the user is told; later there is another one of that name.
  front_end begins{m.sys, m.manager, inbox};
  CHECK(opened(begins, "Second") == "lost");
  front_end end{m.sys, m.manager, inbox};
  REQUIRE(opened(end, "First") == "first");
  CHECK(opened(end, "Second") == "second-2");
  // What is no journal is left alone.
  auto foreign = m.home.path() / "sessions" / "foreign";
  std::filesystem::create_directories(foreign);
  REQUIRE(io::replace_file(foreign / "history.jsonl", "Dear Clara\n"));
  CHECK(opened(end, "foreign") == "refused");
  end.submit({"(+ 1 2)", {"user", "terminal"}, nullptr, false});
  m.sched.run();
  bool is_answered = false;
  for (auto& n : inbox.take())
    is_answered |= std::holds_alternative<front_end_events::answered>(n);
  CHECK(is_answered);
}

TEST_CASE("copies and imports that are made at the same time all have names of their own") {
  managed_sessions m;
  auto first = *m.create("First");
  m.submit(first, "(def x 1)");
  auto file = (m.home.path() / "first.fermata").string();
  REQUIRE(
      m.ask<exported_session>(m.manager, atom::export_session_v, export_request{"first", file}));
  auto slug = std::string{"first"};
  auto a = asked<session_ref>(m, atom::clone_v, slug, std::string{});
  auto b = asked<session_ref>(m, atom::clone_v, slug, std::string{"First copy"});
  auto c = asked<session_ref>(m, atom::import_session_v, file, std::string{});
  auto d = asked<session_ref>(m, atom::import_session_v, file, std::string{"first"});
  auto e = asked<session_ref>(m, atom::create_v, std::string{"FIRST"});
  auto f = asked<std::string>(m, atom::rename_v, slug, std::string{"First copy"});
  m.sched.run();
  std::vector<session_ref> made;
  for (auto* pending : {&a, &b, &c, &d, &e}) {
    auto ref = answer_of<session_ref>(*pending);
    REQUIRE(ref);
    made.push_back(*ref);
  }
  std::vector<std::string> names{*answer_of<std::string>(f)}, slugs{slug};
  for (auto& ref : made) {
    auto state = m.snapshot(ref);
    names.push_back(state->meta.name);
    slugs.push_back(ref.slug);
    if (&ref != &made.back()) CHECK(output_of(m.submit(ref, "x")) == "1");
  }
  for (auto* all : {&names, &slugs}) {
    std::sort(all->begin(), all->end());
    CHECK(std::adjacent_find(all->begin(), all->end()) == all->end());
  }
}

TEST_CASE("two sessions never have one name, whatever gave it to them") {
  managed_sessions m;
  auto bach = *m.create("Bach");
  auto other = *m.create("Other");
  auto name_of = [&](const std::string& slug) { return m.snapshot(*m.find(slug))->meta.name; };
  SECTION("new") {
    CHECK(output_of(m.submit(other, ":session new Bach")) == "created bach-2");
    CHECK(name_of("bach-2") == "Bach 2");
    CHECK(m.find("Bach 2")->slug == "bach-2");
  }
  SECTION("rename") {
    auto said = output_of(m.submit(other, ":session rename bach"));
    CHECK(said.find("renamed to bach 2;") != std::string::npos);
    CHECK(said.find("there is already a session called bach") != std::string::npos);
    CHECK(m.find("bach 2")->slug == "other");
    // Its own name in other letters is no other session's.
    CHECK(output_of(m.submit(bach, ":session rename BACH")).find("renamed to BACH;") !=
          std::string::npos);
    // A name that is free again can be taken.
    m.submit(bach, ":session rename Händel");
    CHECK(output_of(m.submit(other, ":session rename Bach 3")).find("renamed to Bach 3;") !=
          std::string::npos);
  }
  SECTION("copy") {
    CHECK(output_of(m.submit(other, ":session clone Bach")) == "copied to bach-2");
    CHECK(name_of("bach-2") == "Bach 2");
  }
  SECTION("import, also of what lies in the archive") {
    auto file = (m.home.path() / "b.fermata").string();
    m.submit(bach, ":session export " + file);
    m.submit(other, ":session archive bach");
    CHECK(output_of(m.submit(other, ":session import " + file)) == "created bach-2");
    CHECK(name_of("bach-2") == "Bach 2");
  }
  SECTION("back from the archive") {
    m.submit(other, ":session archive bach");
    // Somebody has copied the folder of a session of that name here.
    auto theirs = m.home.path() / "sessions" / "copied";
    REQUIRE(io::copy_session(m.home.path() / "archive" / "bach", theirs,
                             {"copied", "Bach", {}, {}, {}}));
    m.submit(other, ":session unarchive bach");
    CHECK(name_of("bach") == "Bach 2");
    CHECK(name_of("copied") == "Bach");
    CHECK(m.find("Bach 2")->slug == "bach");
  }
  SECTION("an id is a name too") {
    m.submit(bach, ":session rename Fugue");
    CHECK(m.create("bach")->slug == "bach-2");
    CHECK(m.find("bach")->slug == "bach");
  }
}

TEST_CASE("a name that could not be written down is free for others") {
  managed_sessions m;
  auto first = *m.create("First");
  auto second = *m.create("Second");
  m.submit(first, "(def x 1)");
  {
    small_disk full{std::filesystem::file_size(m.home.path() / "sessions/first/history.jsonl")};
    CHECK_FALSE(m.submit(first, ":session rename Fugue"));
  }
  CHECK(m.snapshot(first)->meta.name == "First");
  SECTION("for another session") {
    CHECK(output_of(m.submit(second, ":session rename Fugue")).find("already") ==
          std::string::npos);
    CHECK(m.snapshot(second)->meta.name == "Fugue");
  }
  SECTION("for a new one") { CHECK(m.create("Fugue")->slug == "fugue"); }
  SECTION("for the same one, when there is room again") {
    CHECK(output_of(m.submit(first, ":session rename Fugue")).find("renamed to Fugue;") !=
          std::string::npos);
  }
}

TEST_CASE("a name that a session asked for before it crashed is free for others") {
  managed_sessions m;
  auto first = *m.create("First");
  REQUIRE(
      m.ask<std::string>(m.manager, atom::rename_v, std::string{"first"}, std::string{"Fugue"}));
  CHECK(m.create("Fugue")->slug == "fugue-2");  // it is about to be called that
  m.self->send_exit(first.actor, caf::exit_reason::kill);
  m.sched.run();
  m.advance(std::chrono::seconds{1});
  CHECK(m.create("Fugue")->slug == "fugue");
}

TEST_CASE("a new name is on the disk when it is said") {
  managed_sessions m;
  auto s = *m.create("Sketch");
  auto stored = [&] {
    auto summary = io::read_summary(m.home.path() / "sessions" / "sketch");
    REQUIRE(summary);
    return summary->meta;
  };
  m.submit(s, ":session rename Chorale");
  CHECK(stored().name == "Chorale");
  m.submit(s, ":session tag draft");
  CHECK(stored().tags == std::vector<std::string>{"draft"});
}

TEST_CASE("a session that is being read is not moved before it has been read") {
  managed_sessions m;
  auto first = *m.create("First");
  m.submit(first, "(def x 1)");
  m.create("Second");
  auto slug = std::string{"first"}, file = (m.home.path() / "f.fermata").string();
  auto copied = asked<session_ref>(m, atom::clone_v, slug, std::string{"Copy"});
  auto packed = asked<exported_session>(m, atom::export_session_v, export_request{slug, file});
  auto gone =
      asked<archive_answer>(m, atom::archive_session_v, archive_request{slug, "second", true});
  m.sched.run();
  REQUIRE(answer_of<session_ref>(copied));
  REQUIRE(answer_of<exported_session>(packed));
  REQUIRE(answer_of<archive_answer>(gone));
  CHECK(output_of(m.submit(*m.find("copy"), "x")) == "1");
  CHECK(std::filesystem::exists(file));
  CHECK_FALSE(m.find("first"));
}

TEST_CASE("the name of a session that is being deleted is free for the next") {
  managed_sessions m;
  m.create("Draft");
  m.create("Other");
  auto slug = std::string{"draft"};
  auto gone =
      asked<archive_answer>(m, atom::archive_session_v, archive_request{slug, "other", true});
  auto made = asked<session_ref>(m, atom::create_v, std::string{"Draft"});
  m.sched.run();
  REQUIRE(answer_of<archive_answer>(gone));
  CHECK(answer_of<session_ref>(made)->slug == "draft");
  CHECK(m.snapshot(*m.find("draft"))->history.empty());
}

TEST_CASE("both names of a session that was renamed are free when it is deleted") {
  managed_sessions m;
  auto other = *m.create("Other");
  auto foo = *m.create("Foo");
  m.submit(foo, ":session rename Bar");
  // Its name is Bar and its folder foo; the first is another's now only by number.
  CHECK(m.create("Bar")->slug == "bar-2");
  REQUIRE(command_of(m.submit(other, ":session delete foo --yes")).ok);
  REQUIRE(command_of(m.submit(other, ":session delete bar-2 --yes")).ok);
  CHECK(m.create("Bar")->slug == "bar");
  CHECK(m.create("Foo")->slug == "foo");
}

TEST_CASE("what was put away once can be put away again, and everything is kept") {
  managed_sessions m;
  auto other = *m.create("Other");
  for (int i = 0; i < 3; ++i) {
    REQUIRE(m.create("Draft")->slug == "draft");
    // The same moment for all: the clock stands.
    m.clock = timestamp{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1}};
    REQUIRE(command_of(m.submit(other, ":session delete draft --yes")).ok);
  }
  std::size_t kept = 0;
  for (auto& item : std::filesystem::directory_iterator{m.home.path() / "trash"})
    kept += std::filesystem::exists(item.path() / "history.jsonl") ? 1 : 0;
  CHECK(kept == 3);
}

TEST_CASE("a copy that is to have the name of the session it is made of does not wait for itself") {
  managed_sessions m;
  auto first = *m.create("First");
  m.submit(first, "(def x 1)");
  m.create("Other");
  auto slug = std::string{"first"};
  auto copied = asked<session_ref>(m, atom::clone_v, slug, std::string{"First"});
  auto gone =
      asked<archive_answer>(m, atom::archive_session_v, archive_request{slug, "other", true});
  m.sched.run();
  auto copy = answer_of<session_ref>(copied);
  REQUIRE(copy);
  CHECK(output_of(m.submit(*copy, "x")) == "1");
  REQUIRE(answer_of<archive_answer>(gone));
  CHECK(m.create("First")->slug == "first");
}

TEST_CASE("at the end everybody who waits for a session to move is answered") {
  managed_sessions m;
  m.create("First");
  m.create("Other");
  // It puts itself away, but its turn never ends: nothing says whether it is gone.
  auto gone = asked<archive_answer>(m, atom::archive_session_v,
                                    archive_request{std::string{"first"}, "first", false});
  m.sched.run();
  REQUIRE(answer_of<archive_answer>(gone));
  auto back = asked<session_ref>(m, atom::restore_v, std::string{"First"});
  m.sched.run();
  m.end();
  auto answer = answer_of<session_ref>(back);
  REQUIRE_FALSE(answer);
  CHECK(detail_of(answer.error()).message == "the program is shutting down");
}

TEST_CASE(
    "of two who make a session the active one the later decides, however long loading takes") {
  managed_sessions m;
  m.create("A");
  m.create("B");
  m.end();
  m.begin();
  m.find("a");  // loaded; b has to be read
  auto first = asked<session_ref>(m, atom::activate_v, std::string{"b"});
  auto second = asked<session_ref>(m, atom::activate_v, std::string{"a"});
  m.sched.run();
  CHECK(answer_of<session_ref>(first)->slug == "b");
  CHECK(answer_of<session_ref>(second)->slug == "a");
  CHECK(m.ask<session_ref>(m.manager, atom::active_v)->slug == "a");
  CHECK(io::active_session(m.home.path()) == "a");
}

TEST_CASE("several who ask for the active session while it is open elsewhere all get that one") {
  managed_sessions m;
  m.create("First");
  m.end();
  auto other_process = io::folder_lock::take(m.home.path() / "sessions" / "first");
  REQUIRE(other_process);
  m.begin();
  std::vector<decltype(asked<session_ref>(m, atom::active_v))> asking;
  for (int i = 0; i < 3; ++i)
    asking.push_back(asked<session_ref>(m, atom::active_v));
  m.sched.run();
  std::set<std::string> slugs;
  for (auto& a : asking)
    slugs.insert(answer_of<session_ref>(a)->slug);
  CHECK(slugs == std::set<std::string>{"first"});
}

TEST_CASE("who asks for the active session while it is being put away gets the one that stays") {
  for (bool is_loaded : {true, false}) {
    INFO(is_loaded);
    managed_sessions m;
    m.create("Other");
    m.create("First");  // the active one
    if (!is_loaded) {
      m.end();
      m.begin();
      m.find("other");
    }
    // Whichever comes first.
    auto before = asked<session_ref>(m, atom::active_v);
    auto gone = asked<archive_answer>(m, atom::archive_session_v,
                                      archive_request{std::string{"first"}, "other", false});
    auto after = asked<session_ref>(m, atom::active_v);
    m.sched.run();
    REQUIRE(answer_of<archive_answer>(gone));
    CHECK(answer_of<session_ref>(before));
    CHECK(answer_of<session_ref>(after));
    CHECK(m.ask<session_ref>(m.manager, atom::active_v)->slug == "other");
    auto all = m.ask<std::vector<session_summary>>(m.manager, atom::list_v);
    REQUIRE(all);
    CHECK(all->size() == 1);
  }
}

}  // namespace fermata::actors
