#include "tests/core/session/schedules.hpp"
#include "tests/core/session/simulated_catalog.hpp"

#include <algorithm>
#include <random>
#include <set>

// Sessions that are created, found, copied, archived and restored in every order of results,
// without actors and files.

namespace fermata::catalog::orders_test {

namespace {

/// A home with some sessions, and requests that are made one after another.
struct scenario {
  const char* name;
  std::function<void(simulated_catalog&)> before;
  std::vector<std::function<void(simulated_catalog&)>> requests;
  std::function<void(simulated_catalog&)> check = nullptr;
};

const std::vector<scenario>& scenarios() {
  static const std::vector<scenario> all{
      {"a session is copied and archived at the same time",
       two_sessions,
       {[](auto& c) { c.clone("a", "x"); }, [](auto& c) { c.archive("a", "b"); }},
       [](auto& c) {
         // Which of them is first decides whether there is anything to copy.
         CHECK(c.archive_folders.contains("a"));
         CHECK(c.folders.size() == (c.folders.contains("x") ? 2 : 1));
       }},
      {"a session archives itself while others look for it and for the next one",
       in_a,
       {[](auto& c) { c.archive("a", "a"); }, [](auto& c) { c.find("b"); },
        [](auto& c) { c.find("a"); }},
       [](auto& c) {
         CHECK(c.archive_folders.contains("a"));
         CHECK(c.state.active == "b");
         CHECK(c.notes.back().event == "put-away");
         CHECK(c.notes.back().slug == "b");
       }},
      {"a session is archived and restored by two",
       two_sessions,
       {[](auto& c) { c.archive("a", "b"); }, [](auto& c) { c.restore("a"); },
        [](auto& c) { c.restore("a"); }},
       [](auto& c) { CHECK(c.folders.contains("a") != c.archive_folders.contains("a")); }},
      {"three sessions with one name",
       two_sessions,
       {[](auto& c) { c.create("x"); }, [](auto& c) { c.import_from("x"); },
        [](auto& c) { c.clone("a", "x"); }},
       [](auto& c) {
         CHECK(c.folders.size() == 5);
         for (auto slug : {"x", "x-2", "x-3"})
           CHECK(c.folders.contains(slug));
       }},
      {"a session is deleted and another one made with its name",
       two_sessions,
       {[](auto& c) { c.archive("a", "b", true); }, [](auto& c) { c.create("a"); }},
       [](auto& c) {
         CHECK(c.trash.size() == 1);
         CHECK((c.folders.contains("a") || c.folders.contains("a-2")));
       }},
      {"two look for the active session, and one chooses another",
       [](auto& c) {
         c.put("a");
         c.put("b");
         c.active_on_disk = "a";
       },
       {[](auto& c) { c.ask(find_active{}); }, [](auto& c) { c.ask(find_active{}); },
        [](auto& c) { c.activate("b"); }},
       [](auto& c) {
         CHECK((c.state.active == "a" || c.state.active == "b"));
         CHECK(c.active_on_disk == c.state.active);
         CHECK(c.active_shown == c.state.active);
       }},
      {"two sessions take one name",
       in_a,
       {[](auto& c) { c.rename("a", "x"); }, [](auto& c) { c.rename("b", "x"); }},
       [](auto& c) {
         std::set<std::string> names{c.folders.at("a").name, c.folders.at("b").name};
         CHECK(names == std::set<std::string>{"x", "x 2"});
       }},
      {"a session is exported while it is deleted and its name is taken",
       two_sessions,
       {[](auto& c) { c.export_to("a"); }, [](auto& c) { c.archive("a", "b", true); },
        [](auto& c) { c.restore("a"); }},
       [](auto& c) { CHECK(c.trash.size() == 1); }},
      {"a session crashes while it is copied",
       two_sessions,
       {[](auto& c) { c.clone("a"); }, [](auto& c) { c.crash("a"); }, [](auto& c) { c.find("a"); }},
       [](auto& c) { CHECK(c.folders.contains("a")); }},
      {"a session crashes while it archives itself",
       in_a,
       {[](auto& c) { c.archive("a", "a"); }, [](auto& c) { c.crash("a"); },
        [](auto& c) { c.find("a"); }},
       [](auto& c) { CHECK(c.folders.contains("a") != c.archive_folders.contains("a")); }},
      {"unused sessions are unloaded and used again",
       [](auto& c) {
         in_a(c);
         c.most_loaded = 1;
       },
       {[](auto& c) { c.create("x"); }, [](auto& c) { c.find("a"); },
        [](auto& c) { c.archive("b", "x"); }},
       [](auto& c) { CHECK(c.archive_folders.contains("b")); }},
  };
  return all;
}

}  // namespace

TEST_CASE("in every order of results each request about sessions has one answer") {
  for (auto& s : scenarios()) {
    std::size_t schedules = 0;
    for_all_schedules(1'500, [&](auto choose) {
      CAPTURE(s.name, ++schedules);
      simulated_catalog c;
      s.before(c);
      std::size_t made = 0;
      while (true) {
        auto next = c.possible_results();
        if (made < s.requests.size()) next.emplace_back([&] { s.requests[made++](c); });
        if (next.empty()) break;
        next[choose(next.size())]();
      }
      c.check_settled();
      s.check(c);
    });
    CHECK(schedules > 20);
  }
}

TEST_CASE("whatever happens to sessions in which order, nothing is lost, done twice or left over") {
  std::mt19937 random{20260201};
  auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>{0, n - 1}(random);
  };
  const std::vector<std::string> names{"a", "b", "c", "d", "x", "x 2", "session-1", "broken"};
  for (int round = 0; round < 1'500; ++round) {
    CAPTURE(round);
    simulated_catalog c;
    auto any = [&] { return names[below(names.size())]; };
    // Only a session that runs asks for anything.
    auto any_running = [&] {
      auto slug = any();
      auto it = c.live.find(slug);
      return it != c.live.end() && it->second.has_actor ? slug : std::string{};
    };
    c.put("a");
    c.put("b");
    c.put("c");
    c.put("d", true);
    c.most_loaded = 1 + below(4);
    if (below(4) == 0) c.elsewhere.insert(any());
    if (below(4) == 0) c.unreadable.insert(any());
    if (below(4) == 0) c.unmovable.insert(any());
    if (below(3) == 0) c.used.insert(any());
    c.cannot_record = below(5) == 0;
    c.feed(started{});
    const std::vector<std::function<void()>> requests{
        [&] { c.create(any()); },
        [&] { c.create({}); },
        [&] { c.find(any()); },
        [&] { c.ask(find_active{}); },
        [&] { c.activate(any()); },
        [&] { c.ask(list_sessions{}); },
        [&] {
          c.ask(list_sessions{disk_detail::sizes, true});
        },
        [&] { c.clone(any(), below(2) == 0 ? any() : ""); },
        [&] { c.archive(any(), any_running(), below(2) == 0); },
        [&] {
          if (auto self = any_running(); !self.empty()) c.archive(self, self, below(2) == 0);
        },
        [&] { c.restore(any()); },
        [&] { c.export_to(any()); },
        [&] { c.import_from(any()); },
        [&] {
          auto slug = any_running();
          auto is_renaming = std::any_of(c.renaming.begin(), c.renaming.end(),
                                         [&](auto& r) { return r.second.first == slug; });
          if (!slug.empty() && !is_renaming && c.results["session " + slug].empty())
            c.rename(slug, any());
        },
    };
    for (int i = 0; i < 60; ++i) {
      auto what = below(20);
      if (what < 7)
        requests[below(requests.size())]();
      else if (what == 7)
        c.crash(any());
      else if (what == 8)
        c.crash_store(any());
      else if (what == 9)
        c.elsewhere.clear();
      else if (what == 10)
        c.unload_time();
      else if (auto next = c.possible_results(); !next.empty())
        next[below(next.size())]();
    }
    if (below(2) == 0) {
      c.settle();
      c.check_settled();
    }
    c.stop();
    c.settle();
    c.check_stopped();
  }
}

TEST_CASE("an action on sessions that fails refuses its request, and the next one is answered") {
  for (auto& s : scenarios())
    for (std::size_t fail_at = 1, actions = 1; fail_at <= actions; ++fail_at) {
      CAPTURE(s.name, fail_at);
      simulated_catalog c;
      s.before(c);
      auto before = c.executed;
      c.fail_at = before + fail_at;
      for (auto& request : s.requests)
        request(c);
      c.settle();
      actions = c.executed - before;
      c.fail_at = 0;
      auto next = c.create("next");
      c.settle();
      CHECK_FALSE(c.is_refused(next));
      c.check_settled();
    }
}

TEST_CASE("at the end of the program every request is answered, whatever was under way") {
  for (auto& s : scenarios())
    for (bool backwards : {false, true}) {
      auto one = [&](simulated_catalog& c) {
        auto next = c.possible_results();
        if (next.empty()) return false;
        (backwards ? next.back() : next.front())();
        return true;
      };
      bool has_ended = false;
      for (int stop_at = 0; !has_ended; ++stop_at) {
        CAPTURE(s.name, stop_at, backwards);
        REQUIRE(stop_at < 1'000);
        simulated_catalog c;
        s.before(c);
        for (auto& request : s.requests)
          request(c);
        for (int done = 0; done < stop_at && !has_ended; ++done)
          has_ended = !one(c);
        c.stop();
        auto late = c.find("a");
        CHECK(c.answer_to(late).refused->message == "the program is shutting down");
        while (one(c)) {
        }
        c.check_stopped();
      }
    }
}

}  // namespace fermata::catalog::orders_test
