#include "tests/core/session/simulated_catalog.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

// What is done with sessions and answered, without actors and files. Every order of results is in
// catalog_orders_test.cpp.

namespace fermata::catalog::step_test {

TEST_CASE("requests are answered by slug or name, with the nearest name, or where it is") {
  simulated_catalog c;
  two_sessions(c);
  c.put("old", true);
  c.rename("a", "Chorale");
  c.settle();
  auto by_name = c.find("chorale");
  auto wrong = c.find("Choral");
  auto archived = c.find("old");
  c.settle();
  CHECK(c.answer_to(by_name).slug == "a");
  CHECK(c.answer_to(wrong).refused->kind == failure::kind_t::not_found);
  CHECK(c.answer_to(wrong).refused->advice == "Did you mean `Chorale`?");
  CHECK(c.answer_to(archived).refused->message == "session old is archived");
  auto list = c.ask(list_sessions{});
  auto old = c.ask(list_sessions{disk_detail::sizes, true});
  c.settle();
  CHECK(c.answer_to(list).listed == std::vector<std::string>{"a", "b"});
  CHECK(c.answer_to(old).listed == std::vector<std::string>{"old"});
}

TEST_CASE("a folder that is moved while the disk is read is found where it is now") {
  simulated_catalog c;
  two_sessions(c);
  auto found = c.find("b");
  c.possible_results().front()();  // it is read, and the result is on its way
  std::string reader;
  for (auto& [who, waiting] : c.results)
    if (!waiting.empty()) reader = who;
  auto on_its_way = std::exchange(c.results.at(reader), {});
  auto archived = c.archive("b");
  c.settle();
  CHECK(c.answer_to(archived).slug == "b");
  c.results.at(reader) = std::move(on_its_way);
  c.settle();
  CHECK(c.answer_to(found).refused->message == "session b is archived");
}

TEST_CASE("a session that crashes is restarted ten times, then left until somebody asks for it") {
  simulated_catalog c;
  two_sessions(c);
  for (int i = 1; i <= 10; ++i) {
    c.crash("a");
    c.settle();
    CHECK(c.notes.size() == static_cast<std::size_t>(i));
    CHECK(c.notes.back().event == "session-restarted");
  }
  c.crash("a");
  CHECK(c.state.sessions.empty());
  CHECK(c.live.empty());
  auto again = c.find("a");
  c.settle();
  CHECK_FALSE(c.is_refused(again));
  // After a minute without a crash they are forgotten.
  for (int i = 0; i < 10; ++i)
    c.crash("a"), c.settle();
  c.now += std::chrono::minutes{2};
  c.crash("a");
  c.settle();
  CHECK(c.live.contains("a"));
  CHECK(c.state.sessions.at("a").crashes == 1);
}

TEST_CASE("restarts are delayed, twice as long each time, by a second at most") {
  catalog_state state;
  catalog_context context;
  context.kept_name = [](const std::string& name) { return name; };
  context.shown = [](const std::string&) { return session_snapshot{}; };
  std::vector<std::int64_t> delays;
  for (int i = 0; i < 9; ++i) {
    auto& r = state.sessions["a"];
    r.meta.slug = "a";
    r.phase = session_record::phase_t::running;
    auto done = step(std::move(state), session_down{"a", "crash"}, context);
    state = std::move(done.state);
    for (auto& a : done.actions)
      if (auto later = std::get_if<restart_later>(&a)) delays.push_back(later->delay.count());
  }
  CHECK(delays == std::vector<std::int64_t>{10, 20, 40, 80, 160, 320, 640, 1000, 1000});
}

TEST_CASE("a store that ends takes its session with it, and both are made anew") {
  simulated_catalog c;
  two_sessions(c);
  c.crash_store("a");
  CHECK(c.live.at("a").has_actor);
  c.settle();
  CHECK(c.live.at("a").has_actor);
  CHECK(c.live.at("a").has_store);
  CHECK(c.notes.back().event == "session-restarted");
  c.check_settled();
}

TEST_CASE("a session of another process is read-only until it is activated after that closed it") {
  simulated_catalog c;
  c.put("a");
  c.elsewhere.insert("a");
  auto first = c.activate("a");
  c.settle();
  CHECK(c.answer_to(first).remarks.empty());
  CHECK(c.notes.back().event == "read-only");
  CHECK(c.state.sessions.at("a").written_by == "process 12");
  c.elsewhere.clear();
  auto found = c.find("a");
  c.settle();
  CHECK(c.state.sessions.at("a").written_by == "process 12");
  CHECK(c.answer_to(found).remarks.empty());
  auto again = c.activate("a");
  auto meanwhile = c.activate("a");
  c.settle();
  for (auto id : {again, meanwhile})
    CHECK(c.answer_to(id).remarks ==
          std::vector<std::string>{"process 12 has closed it; it can now be written to here"});
  CHECK(c.state.sessions.at("a").written_by.empty());
  c.check_settled();
}

TEST_CASE("the last used session is followed when it is open elsewhere, and replaced when broken") {
  for (bool broken : {false, true}) {
    simulated_catalog c;
    c.put("a");
    c.active_on_disk = "a";
    (broken ? c.unreadable : c.elsewhere).insert("a");
    auto active = c.ask(find_active{});
    c.settle();
    CHECK(c.answer_to(active).slug == (broken ? "session-1" : "a"));
    CHECK(c.notes.back().event == (broken ? "restore-failed" : "read-only"));
    CHECK(c.active_on_disk == "a");  // the next start tries it again
    c.check_settled();
  }
}

TEST_CASE("a name that another process takes first is replaced by the next one") {
  simulated_catalog c;
  two_sessions(c);
  c.put("old", true);
  c.lost_races = {"x", "y", "z", "old"};
  auto made = c.create("x");
  auto copied = c.clone("a", "y");
  auto imported = c.import_from("z");
  auto restored = c.restore("old");
  c.settle();
  CHECK(c.answer_to(made).slug == "x-2");
  CHECK(c.answer_to(copied).slug == "y-2");
  CHECK(c.answer_to(imported).slug == "z-2");
  CHECK(c.answer_to(restored).slug == "old-2");
  CHECK(c.answer_to(restored).text == "old");
  c.check_settled();
}

TEST_CASE("a session that cannot be moved, or cannot record it, is in use again") {
  for (bool moves : {false, true}) {
    simulated_catalog c;
    in_a(c);
    if (!moves) c.unmovable.insert("a");
    c.cannot_record = moves;
    auto archived = c.archive("a", "a");
    auto meanwhile = c.restore("a");
    c.settle();
    CHECK(c.is_refused(archived) == !moves);
    // It is in the archive for everybody as long as it is on its way.
    CHECK(c.answer_to(meanwhile).slug == "a");
    CHECK(c.folders.contains("a"));
    CHECK(c.state.active == "a");
    CHECK(c.live.contains("a"));
    CHECK(c.state.operations.empty());
    c.check_settled();
  }
}

TEST_CASE("who archives the session that he is in goes to the last used one that can be opened") {
  simulated_catalog c;
  c.put("c");
  in_a(c);
  c.put("d");
  c.put("e");
  c.elsewhere.insert("e");
  c.unreadable.insert("d");
  auto archived = c.archive("a", "a");
  c.settle();
  CHECK(c.answer_to(archived).text == "b");
  auto next = c.archive("b", "b");
  c.settle();
  CHECK(c.answer_to(next).text == "c");
  auto last = c.archive("c", "c");
  c.settle();
  CHECK(c.answer_to(last).text == "session-1");
  c.check_settled();
}

TEST_CASE("sessions that nobody uses are unloaded, the one used longest ago first") {
  simulated_catalog c;
  c.most_loaded = 2;
  two_sessions(c);
  c.find("b");
  c.settle();
  c.activate("a");
  c.settle();
  c.used.insert("b");
  auto next = c.create("x");
  c.settle();
  CHECK(c.answer_to(next).slug == "x");
  CHECK(c.live.size() == 3);  // "b" is used after all
  c.used.clear();
  c.unload_time();
  auto found = c.find("b");  // waits until it is unloaded, or is not
  c.settle();
  CHECK_FALSE(c.is_refused(found));
  c.check_settled();
}

TEST_CASE("the end of the program names what could not be saved, after everything has ended") {
  simulated_catalog c;
  in_a(c);
  c.unsaved.insert("b");
  auto stopped = c.stop();
  auto again = c.stop();
  c.settle();
  for (auto id : {stopped, again})
    CHECK(c.answer_to(id).refused->message == "session b is not saved: no space left");
  c.check_stopped();
}

TEST_CASE("without a home sessions are in memory, and have no folders to work on") {
  simulated_catalog c;
  c.keeps_sessions = false;
  c.feed(started{});
  auto first = c.ask(find_active{});
  auto second = c.create("x");
  CHECK(c.answer_to(first).slug == "session-1");
  CHECK(c.answer_to(second).slug == "x");
  for (auto id :
       {c.clone("x"), c.archive("x"), c.restore("x"), c.export_to("x"), c.import_from("y")})
    CHECK(c.answer_to(id).refused->message == "sessions are not kept on disk here");
  c.crash("x");
  c.settle();
  c.check_settled();
  c.stop();
  c.settle();
  c.check_stopped();
}

TEST_CASE("clients that create many sessions are told to wait") {
  simulated_catalog c;
  c.state.may_create = creation_allowance{{.one_client = 2}};
  auto make = [&] { return c.ask(create_session{.name = {}, .client = "claude"}); };
  make();
  make();
  auto refused = make();
  auto user = c.create({});
  c.settle();
  CHECK(c.answer_to(refused).refused->kind == failure::kind_t::busy);
  CHECK(c.answer_to(refused).refused->retry_after);
  CHECK_FALSE(c.is_refused(user));
  CHECK(c.active_on_disk == c.answer_to(user).slug);
}

TEST_CASE("an allocation that fails while a session is loaded leaves nobody waiting for it") {
  for (std::size_t input = 1; input <= 2; ++input) {
    std::size_t failures = 0;
    for (std::size_t number = 1;; ++number) {
      CAPTURE(input, number);
      simulated_catalog c;
      c.put("a");
      auto first = c.find("a"), second = c.find("a");
      c.failing = {input, number};
      c.settle();
      REQUIRE(c.failing.input == 0);
      c.check_settled();
      for (auto asked : {first, second})
        if (!c.is_refused(asked)) CHECK(c.answer_to(asked).slug == "a");
      auto again = c.find("a");
      c.settle();
      CHECK(c.answer_to(again).slug == "a");
      if (!c.failing.has_failed) break;
      failures += c.is_refused(first) || c.is_refused(second) ? 1 : 0;
    }
    CHECK(failures > 0);
  }
}

TEST_CASE(
    "a restored session that ends while it gets its name is loaded again before it is given") {
  simulated_catalog c;
  c.put("a");
  c.put("b", true);
  c.archive_folders.at("b").name = "a";  // taken meanwhile: it comes back with another name
  auto restored = c.restore("b");
  while (std::none_of(c.results.begin(), c.results.end(),
                      [](auto& r) { return r.first == "session b" && !r.second.empty(); }))
    c.possible_results().front()();
  c.crash("b");
  while (!c.answers.contains(restored))
    c.possible_results().front()();
  CHECK_FALSE(c.is_refused(restored));
  CHECK(c.live.at("b").has_actor);
  c.settle();
  c.check_settled();
}

}  // namespace fermata::catalog::step_test
