#include "actors/manager/session_manager.hpp"

#include "core/session/commands/query.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "tests/actors/managed_sessions.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

namespace fermata::actors {

TEST_CASE("the first session is made by itself and becomes active") {
  managed_sessions m;
  auto ref = m.ask<session_ref>(m.manager, atom::active_v);
  REQUIRE(ref);
  CHECK(ref->slug == "session-1");
  auto again = m.ask<session_ref>(m.manager, atom::active_v);
  CHECK(again->actor == ref->actor);
}

TEST_CASE("sessions get slugs from their names, and a number when the name is taken") {
  managed_sessions m;
  CHECK(m.create("My Session #1")->slug == "my-session-1");
  CHECK(m.create("My Session #1")->slug == "my-session-1-2");
  CHECK(m.create("")->slug == "session-1");
}

TEST_CASE("a session that is not there is refused with the nearest name") {
  managed_sessions m;
  REQUIRE(m.create("chorale"));
  auto missing = m.find("chorael");
  REQUIRE_FALSE(missing);
  CHECK(problem_of(missing.error()) == problem::not_found);
  CHECK(detail_of(missing.error()).advice.find("chorale") != std::string::npos);
}

TEST_CASE("sessions are kept: definitions, values, undo and words are there after a restart") {
  managed_sessions m;
  {
    auto s = *m.create("sketch");
    REQUIRE(m.submit(s, "(def x 7)"));
    REQUIRE(m.submit(s, "(def double (fn [n] (* 2 n)))"));
    REQUIRE(m.submit(s, "(def adder (let [k 10] (fn [n] (+ k n))))"));
    REQUIRE(m.submit(s, "(list 1/3 \"text\" :q)"));
    REQUIRE(m.submit(s, "// nice"));
    REQUIRE(m.ask<message_receipt>(s.actor, atom::enqueue_v, incoming_message{"hello", client}));
  }
  m.end();
  m.begin();
  auto s = *m.find("sketch");
  CHECK(m.snapshot(s)->queue.size() == 1);
  auto turn = m.submit(s, "(double x)");
  REQUIRE(turn);
  REQUIRE(turn->entries.size() == 2);
  CHECK(std::get<ai_message_entry>(turn->entries[0]->kind).content == "hello");
  CHECK(output_of(turn) == "14");
  CHECK(output_of(m.submit(s, "(adder 5)")) == "15");
  CHECK(output_of(m.submit(s, "(nth 0 $Out[4])")) == "1/3");
  CHECK(output_of(m.submit(s, ":undo")) == "Undid In[3]: adder forgotten");
  CHECK(output_of(m.submit(s, "(adder 5)")).find("adder") != std::string::npos);
}

TEST_CASE("a session that crashes is restored from its journal and says so") {
  managed_sessions m;
  auto s = *m.create("sketch");
  REQUIRE(m.submit(s, "(def x 7)"));
  m.self->send_exit(s.actor, caf::exit_reason::kill);
  m.sched.run();
  m.advance(std::chrono::seconds{1});
  auto again = m.find("sketch");
  REQUIRE(again);
  CHECK(again->actor != s.actor);
  auto x = output_of(m.submit(*again, "x"));
  auto& entries = m.snapshot(*again)->history;
  bool told = false;
  for (std::int64_t i = 1; i <= entries.size(); ++i)
    UNSCOPED_INFO(to_text(*entries.at(i)));
  for (std::int64_t i = 1; i <= entries.size(); ++i)
    if (auto system = std::get_if<system_entry>(&entries.at(i)->kind))
      told = told || system->event == "session-restarted";
  CHECK(told);
  CHECK(x == "7");
}

TEST_CASE("a second process does not write into my session") {
  managed_sessions m;
  REQUIRE(m.create("sketch"));
  auto meta = session_meta{"sketch", "sketch", {}, {}, {}};
  auto other = io::session_directory::open(m.home.path() / "sessions" / "sketch", meta);
  REQUIRE_FALSE(other);
  CHECK(other.error().why.first().message.find("another process") != std::string::npos);
  // What it tells to do can be done.
  CHECK(other.error().why.first().hint.find("`:quit`") != std::string::npos);
}

TEST_CASE("the list names every session, those on disk as well") {
  managed_sessions m;
  REQUIRE(m.create("one"));
  m.end();
  m.begin();
  REQUIRE(m.create("two"));
  auto all = m.ask<std::vector<session_summary>>(m.manager, atom::list_v);
  REQUIRE(all);
  REQUIRE(all->size() == 2);
  CHECK((*all)[0].meta.slug == "one");
  CHECK_FALSE((*all)[0].loaded);
  CHECK((*all)[0].entries == 0);
  CHECK((*all)[1].loaded);
  CHECK((*all)[1].active);
}

TEST_CASE("the list tells how many entries a session has that is open in another process") {
  managed_sessions m;
  auto one = *m.create("one");
  REQUIRE(m.submit(one, "(note c4 :q)"));
  m.end();
  // The other process: it holds the lock, and has not saved since.
  io::stored_session_by_hand other{m.home.path() / "sessions" / "one"};
  other.line("(note d4 :q)");
  other.line("(note e4 :q)");
  m.begin();
  auto two = *m.create("two");
  auto all = m.ask<std::vector<session_summary>>(m.manager, atom::list_v);
  REQUIRE(all);
  CHECK((*all)[0].entries == 3);
  CHECK((*all)[0].score.ends_with(", at entry 1"));
  CHECK(output_of(m.submit(two, ":session list")).find("  3 entries, ") != std::string::npos);
  other.line("(note f4 :q)");
  CHECK(output_of(m.submit(two, ":session list")).find("  4 entries, ") != std::string::npos);
}

TEST_CASE("a command makes a session and tells the terminal to go there") {
  managed_sessions m;
  auto s = *m.create("one");
  auto turn = m.submit(s, ":session new Bach chorale");
  REQUIRE(turn);
  CHECK(turn->effect.kind == turn_effect::kind_t::switch_session);
  CHECK(turn->effect.argument == "bach-chorale");
  auto back = m.submit(*m.find("bach-chorale"), ":session switch one");
  REQUIRE(back);
  CHECK(back->effect.argument == "one");
}

TEST_CASE("a long session keeps its old entries on disk, where they are found") {
  managed_sessions m;
  m.end();
  session_limits limits;
  limits.entries_in_memory = 100;
  limits.entries_between_checkpoints = 500;
  m.begin(limits);
  auto s = *m.create("long");
  for (int i = 1; i <= 1'300; ++i)
    REQUIRE(m.submit(s, "// " + std::to_string(i)));
  auto state = m.snapshot(s);
  CHECK(state->history.size() == 1'300);
  CHECK(state->history.resident() < 400);
  CHECK(std::get<user_message_entry>(state->history.at(2)->kind).content == "2");
  auto third = m.submit(s, ":history 3");
  CHECK(output_of(third) == "(1 entry of the timeline)");
  CHECK(to_text(*third->listing->at(0)) == "[3] [you]: 3");
}

TEST_CASE("values of another session are at hand") {
  managed_sessions m;
  auto one = *m.create("one");
  REQUIRE(m.submit(one, "(+ 20 2)"));
  auto two = *m.create("two");
  CHECK(output_of(m.submit(two, "(+ $Out[one:1] 1)")) == "23");
  // Also when that one lies on disk only.
  m.end();
  m.begin();
  CHECK(output_of(m.submit(*m.find("two"), "(+ $Out[one:1] 2)")) == "24");
}

TEST_CASE("entries of another session are counted back from its end") {
  managed_sessions m;
  auto alpha = *m.create("alpha");
  for (auto line : {"(+ 20 2)", "(+ 30 3)", "// words"})
    REQUIRE(m.submit(alpha, line));
  REQUIRE(m.create("two"));
  auto from_elsewhere = [&] {
    auto s = *m.find("two");
    CHECK(output_of(m.submit(s, "(+ $Out[alpha:-2] 1)")) == "34");
    CHECK(output_of(m.submit(s, "$In[alpha:-3]")) == "(+ 20 2)");
    CHECK(output_of(m.submit(s, "$Out[alpha:-3:-2]")) == "(22 33)");
    CHECK(output_of(m.submit(s, "$Out[alpha:-1]")) == "entry $Out[alpha:-1] has no value");
    CHECK(output_of(m.submit(s, "$Out[alpha:-4]")) == "no such entry: $Out[alpha:-4]");
  };
  from_elsewhere();
  // Also when that one lies on disk only.
  m.end();
  m.begin();
  from_elsewhere();
}

TEST_CASE("a session is copied with its timeline, and both go on by themselves") {
  managed_sessions m;
  auto first = *m.create("Sketch");
  m.submit(first, "(def x 1)");
  auto t = m.submit(first, ":session clone Another ending");
  CHECK(output_of(t) == "copied to another-ending");
  CHECK(t->effect == turn_effect{turn_effect::kind_t::switch_session, "another-ending"});
  auto copy = *m.find("another-ending");
  CHECK(output_of(m.submit(copy, "x")) == "1");
  m.submit(copy, "(def x 2)");
  CHECK(output_of(m.submit(first, "x")) == "1");
  CHECK(m.snapshot(copy)->meta.name == "Another ending");
}

TEST_CASE("an archived session is not listed, and is restored unchanged") {
  managed_sessions m;
  auto first = *m.create("First");
  m.submit(first, "(def x 1)");
  auto second = *m.create("Second");
  SECTION("from another one, while it is loaded") {
    auto t = m.submit(second, ":session archive first");
    CHECK(output_of(t).find(":session unarchive first") != std::string::npos);
    CHECK(t->effect.kind == turn_effect::kind_t::none);
  }
  SECTION("from another one, while it lies on disk") {
    m.end();
    m.begin();
    second = *m.find("second");
    REQUIRE(m.submit(second, ":s archive first"));
  }
  SECTION("from itself: the user goes to another one") {
    auto t = m.submit(first, ":session archive");
    REQUIRE(t);
    CHECK(t->effect == turn_effect{turn_effect::kind_t::switch_session, "second"});
    // Not there yet, so not said; where the user is then it is said once it is.
    CHECK(output_of(t) == "switched to second");
    m.sched.run();
    auto& last = m.snapshot(second)->history.last()->kind;
    REQUIRE(std::holds_alternative<system_entry>(last));
    CHECK(std::get<system_entry>(last).text ==
          "Session first was moved to the archive; `:session unarchive first` restores it");
  }
  CHECK_FALSE(m.find("first"));
  CHECK(std::filesystem::exists(m.home.path() / "archive" / "first" / "history.jsonl"));
  CHECK(output_of(m.submit(second, ":session list")).find("first") == std::string::npos);
  CHECK(output_of(m.submit(second, ":session list --archived")).find("first") != std::string::npos);
  // Its id is not given away meanwhile.
  CHECK(m.create("First")->slug == "first-2");
  CHECK(output_of(m.submit(second, ":session unarchive frist")).find("`first`") !=
        std::string::npos);
  REQUIRE(m.submit(second, ":session unarchive first"));
  auto back = m.find("first");
  REQUIRE(back);
  CHECK(output_of(m.submit(*back, "x")) == "1");
}

TEST_CASE("a session is deleted only when it is confirmed, and lies in the trash then") {
  managed_sessions m;
  auto first = *m.create("First");
  auto second = *m.create("Second");
  // Not even put into the line: an Enter too many would do it.
  auto asked = m.submit(second, ":session delete first");
  CHECK(asked->effect == turn_effect{});
  CHECK(output_of(asked).find("`:session delete first --yes`") != std::string::npos);
  CHECK(m.find("first"));
  submission from_script{":session delete first", {"user", "script"}, nullptr, false};
  auto refused = m.ask<turn>(second.actor, atom::submit_v, from_script);
  CHECK_FALSE(std::get<command_entry>(refused->entries.back()->kind).ok);
  CHECK(output_of(m.submit(second, ":session delete frist --yes")).find("`first`") !=
        std::string::npos);
  REQUIRE(m.submit(second, ":session delete first --yes"));
  CHECK_FALSE(m.find("first"));
  auto kept = 0;
  for (auto& item : std::filesystem::directory_iterator{m.home.path() / "trash"}) {
    CHECK(item.path().filename().string().substr(0, 6) == "first-");
    CHECK(std::filesystem::exists(item.path() / "history.jsonl"));
    ++kept;
  }
  CHECK(kept == 1);
  // The last one: a new one takes its place.
  auto t = m.submit(second, ":session delete --yes");
  REQUIRE(t);
  CHECK(t->effect == turn_effect{turn_effect::kind_t::switch_session, "session-1"});
  m.sched.run();
  CHECK_FALSE(m.find("second"));
  CHECK(m.find("session-1"));
}

TEST_CASE("a session goes through an archive file") {
  managed_sessions m;
  auto first = *m.create("First");
  m.submit(first, "(def x 1)");
  auto file = (m.home.path() / "out.fermata").string();
  CHECK(output_of(m.submit(first, ":session export -o " + file)).find("wrote first") == 0);
  auto t = m.submit(first, ":session import " + file + " Brought back");
  CHECK(t->effect == turn_effect{turn_effect::kind_t::switch_session, "brought-back"});
  CHECK(output_of(m.submit(*m.find("brought-back"), "x")) == "1");
  CHECK(output_of(m.submit(first, ":session import " + file)) == "created first-2");
  CHECK(output_of(m.submit(first, ":session import /nowhere/x.fermata")).find("/nowhere") !=
        std::string::npos);
  auto other = output_of(m.submit(first, ":session export brought-back " + file));
  CHECK(other.find("already exists and is an archive of session first") != std::string::npos);
  CHECK(output_of(m.submit(first, ":session export brought-back " + file + " --yes"))
            .find("wrote brought-back") == 0);
}

TEST_CASE(
    "the session that was chosen last opens at the next start, whatever was written to since") {
  managed_sessions m;
  auto first = *m.create("First");
  auto second = *m.create("Second");
  REQUIRE(m.ask<session_ref>(m.manager, atom::activate_v, std::string{"first"}));
  m.submit(second, "(+ 1 1)");
  m.end();
  m.begin();
  CHECK(m.ask<session_ref>(m.manager, atom::active_v)->slug == "first");
  m.end();
  std::filesystem::rename(m.home.path() / "sessions" / "first", m.home.path() / "elsewhere");
  m.begin();
  auto found = m.ask<session_ref>(m.manager, atom::active_v);
  CHECK(found->slug == "second");
  auto told = m.snapshot(*found)->history.last();
  CHECK(std::get<system_entry>(told->kind).text.find("first") != std::string::npos);
}

TEST_CASE("a score that is edited outside is offered after the next line, and taken as one step") {
  managed_sessions m;
  auto s = *m.create("Sketch");
  m.submit(s, "(part :piano (measure (note c4 :w)))");
  REQUIRE(m.submit(s, ":session save"));
  CHECK(output_of(m.submit(s, ":reload")).find("has not been edited") != std::string::npos);
  auto write = [&](std::string_view text) {
    std::ofstream{m.home.path() / "sessions" / "sketch" / "score.ferm"} << text;
  };
  auto noted = [&] {
    std::size_t n = 0;
    for (auto& e : select(m.snapshot(s)->history, {.kinds = {"system"}}))
      n += std::get<system_entry>(e->kind).event == "score-edited";
    return n;
  };
  write("(score (part :flute (measure (note c6 :w)))\n");
  m.submit(s, "(+ 1 1)");
  m.submit(s, "(+ 1 1)");
  CHECK(noted() == 1);
  // A parenthesis is missing: nothing changes, and the place is named.
  auto before = m.snapshot(s)->score;
  CHECK(output_of(m.submit(s, ":reload")).find("score.ferm:1") != std::string::npos);
  CHECK(*m.snapshot(s)->score == *before);
  write("(score (part :flute (measure (note c6 :w))))\n");
  m.submit(s, "(+ 1 1)");
  CHECK(noted() == 2);
  REQUIRE(m.submit(s, ":reload"));
  CHECK(m.snapshot(s)->score->parts.front()->name == "Flute");
  REQUIRE(m.submit(s, ":undo"));
  CHECK(*m.snapshot(s)->score == *before);
  CHECK(output_of(m.submit(s, ":reload")).find("has not been edited") != std::string::npos);
}

TEST_CASE("an edit that is no score changes nothing, stays, and is refused with what to do") {
  managed_sessions m;
  auto s = *m.create("Sketch");
  m.submit(s, "(part :piano (measure (note c4 :w)))");
  REQUIRE(m.submit(s, ":session save"));
  auto folder = m.home.path() / "sessions" / "sketch";
  auto before = m.snapshot(s)->score;
  for (std::string text : {"42", "\n", "", "(def x 1)", "(score) (score)"}) {
    INFO(text);
    std::ofstream{folder / "score.ferm"} << text;
    auto said = output_of(m.submit(s, ":reload"));
    INFO(said);
    CHECK(said.find("cannot be loaded") != std::string::npos);
    CHECK(said.find("score.edited.ferm: fix it there") != std::string::npos);
    CHECK(m.snapshot(s)->score == before);
    CHECK(std::filesystem::exists(folder / "score.edited.ferm"));
  }
  // Mended where it is kept.
  std::ofstream{folder / "score.edited.ferm"} << "(score (part :flute (measure (note c6 :w))))";
  CHECK(output_of(m.submit(s, ":reload")).find("loaded score.ferm") != std::string::npos);
  CHECK(m.snapshot(s)->score->parts.front()->name == "Flute");
}

TEST_CASE("what a file defines is not taken with its score, and is named") {
  managed_sessions m;
  auto s = *m.create("Sketch");
  REQUIRE(m.submit(s, ":session save"));
  std::ofstream{m.home.path() / "sessions" / "sketch" / "score.ferm"}
      << "(def x c5)\n(score (part :flute (measure (note x :w))))\n(def y 3)\n";
  auto said = output_of(m.submit(s, ":reload"));
  INFO(said);
  CHECK(said.find("loaded score.ferm") != std::string::npos);
  CHECK(said.find("ignored: the definitions of x and y") != std::string::npos);
  CHECK(m.snapshot(s)->env->bindings.empty());
  CHECK(m.snapshot(s)->score->parts.size() == 1);
}

TEST_CASE("two edits that wait are taken one after the other, and each says so") {
  managed_sessions m;
  auto s = *m.create("Sketch");
  auto folder = m.home.path() / "sessions" / "sketch";
  REQUIRE(m.submit(s, ":session save"));
  std::vector<std::string> noted;
  for (auto note : {"c5", "d5"}) {
    std::ofstream{folder / "score.ferm"} << "(score (part :flute (measure (note " << note
                                         << " :w))))\n";
    m.submit(s, "(+ 1 1)");
    noted.push_back(
        std::get<system_entry>(select(m.snapshot(s)->history, {.kinds = {"system"}}).back()->kind)
            .text);
    REQUIRE(m.submit(s, ":session save"));
  }
  CHECK(noted.front().find("score.edited-1.ferm") == std::string::npos);
  CHECK(noted.back().find("score.edited-1.ferm") != std::string::npos);
  auto said = output_of(m.submit(s, ":reload"));
  INFO(said);
  CHECK(said.find("loaded score.ferm") != std::string::npos);
  CHECK(said.find("score.edited-1.ferm is waiting too") != std::string::npos);
  CHECK(output_of(m.submit(s, ":score")).find("d5") != std::string::npos);
  CHECK(output_of(m.submit(s, ":reload")).find("loaded score.edited-1.ferm") != std::string::npos);
  CHECK(output_of(m.submit(s, ":score")).find("c5") != std::string::npos);
  CHECK(output_of(m.submit(s, ":reload")).find("has not been edited") != std::string::npos);
}

TEST_CASE("whoever looks for a session that is just leaving finds it where it goes") {
  managed_sessions m;
  auto first = *m.create("First");
  m.submit(first, "(note c4 :q)");
  auto second = *m.create("Second");
  for (bool archive : {true, false}) {
    first = *m.find("first");
    // All of it is asked before anything has moved.
    auto leaving = m.self->request(m.manager, caf::infinite, atom::archive_session_v,
                                   archive_request{"first", "second", !archive});
    auto list = m.self->request(m.manager, caf::infinite, atom::list_v);
    auto archived = m.self->request(m.manager, caf::infinite, atom::archived_v);
    std::vector<session_summary> there, aside;
    auto is_first = [](auto& s) { return s.meta.slug == "first"; };
    auto fail = [](caf::error& e) { FAIL(caf::to_string(e)); };
    if (archive) {
      auto back = m.self->request(m.manager, caf::infinite, atom::restore_v, std::string{"first"});
      m.sched.run();
      leaving.receive([](const archive_answer&) {}, fail);
      list.receive([&](std::vector<session_summary>& all) { there = all; }, fail);
      archived.receive([&](std::vector<session_summary>& all) { aside = all; }, fail);
      back.receive([](const session_ref& ref) { CHECK(ref.slug == "first"); }, fail);
      CHECK(std::any_of(aside.begin(), aside.end(), is_first));
      CHECK(aside.front().entries == 1);
      CHECK(m.snapshot(*m.find("first"))->history.size() >= 1);
    } else {
      m.sched.run();
      leaving.receive([](const archive_answer&) {}, fail);
      list.receive([&](std::vector<session_summary>& all) { there = all; }, fail);
      archived.receive([&](std::vector<session_summary>& all) { aside = all; }, fail);
      CHECK(std::none_of(aside.begin(), aside.end(), is_first));
      CHECK_FALSE(m.find("first"));
    }
    CHECK(std::none_of(there.begin(), there.end(), is_first));
  }
}

TEST_CASE("a session that a client names in several lines is shown in one") {
  managed_sessions m;
  auto made = *m.create("a\x1b[2Jb\nIn[9]: (score)");
  auto name = m.snapshot(made)->meta.name;
  CHECK(name == "ab In[9]: (score)");
  // It is found by what was said, and by what is shown.
  CHECK(m.find("a\x1b[2Jb\nIn[9]: (score)")->slug == made.slug);
  CHECK(m.find(name)->slug == made.slug);
  CHECK(m.snapshot(*m.create("\xff\n"))->meta.name == "\ufffd");
}

TEST_CASE("what clients make the active session is not where the user is at the next start") {
  managed_sessions m;
  auto first = *m.create("First");
  SECTION("a new one") {
    REQUIRE(m.ask<session_ref>(m.manager, atom::create_v, atom::client_v, std::string{"claude"},
                               std::string{"Theirs"}));
  }
  SECTION("one that was there") {
    REQUIRE(m.create("Theirs"));
    REQUIRE(m.ask<session_ref>(m.manager, atom::activate_v, std::string{"first"}));
    REQUIRE(m.ask<session_ref>(m.manager, atom::activate_v, atom::client_v, std::string{"theirs"}));
  }
  // It is the one that clients mean, and the user goes on in the other.
  CHECK(m.ask<session_ref>(m.manager, atom::active_v)->slug == "theirs");
  m.submit(first, "(note d5 :w)");
  auto list = output_of(m.submit(first, ":session list"));
  CHECK(list.find("* first ") != std::string::npos);
  CHECK(list.find("* theirs") == std::string::npos);
  auto theirs = list.substr(list.find(" theirs "));
  CHECK(theirs.substr(0, theirs.find('\n')).find(", active for clients") != std::string::npos);
  auto line = session_under_test::line(":session list");
  line.accessible = true;
  list = output_of(m.ask<turn>(first.actor, atom::submit_v, line));
  CHECK(list.find("current: first ") == 0);
  CHECK(list.find("\ntheirs ") != std::string::npos);
  m.end();
  m.begin();
  CHECK(m.ask<session_ref>(m.manager, atom::active_v)->slug == "first");
}

TEST_CASE("two sessions may get the same long title, through any channel") {
  managed_sessions m;
  const std::string title = "This is a sensible but rather long working title for a piece of mine";
  auto first = m.create(title);
  REQUIRE(first);
  CHECK(first->slug == "this-is-a-sensible-but-rather-long-working-title-for-a-piece-of");
  REQUIRE(m.submit(*first, "(def x 1)"));
  auto second = m.create(title);
  REQUIRE(second);
  CHECK(second->slug == "this-is-a-sensible-but-rather-long-working-title-for-a-piece-o-2");
  auto copy = m.ask<session_ref>(m.manager, atom::clone_v, first->slug, title);
  REQUIRE(copy);
  CHECK(copy->slug == "this-is-a-sensible-but-rather-long-working-title-for-a-piece-o-3");
  export_request what;
  what.session = first->slug;
  what.file = (m.home.path() / "long.fermata").string();
  REQUIRE(m.ask<exported_session>(m.manager, atom::export_session_v, what));
  auto unpacked = m.ask<session_ref>(m.manager, atom::import_session_v, what.file, std::string{});
  REQUIRE(unpacked);
  CHECK(unpacked->slug == "this-is-a-sensible-but-rather-long-working-title-for-a-piece-o-4");
  for (auto& s : {*first, *second, *copy, *unpacked})
    CHECK(m.find(s.slug));
}

}  // namespace fermata::actors
