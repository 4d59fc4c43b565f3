#include "midi/transport/plan_exchange.hpp"

#include "tests/midi/transport/player.hpp"

#include <catch2/catch.hpp>

namespace fermata::midi::plan_exchange_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

/// What is heard if the score becomes another one after so many milliseconds.
std::string heard_across(const score& original, std::chrono::milliseconds when,
                         const score& edited) {
  auto first = plan_of(original);
  player p;
  p.play(first);
  p.run_to(when);
  p.exchange(plan_of(edited, first));
  p.run_to(30s);
  CHECK(p.engine.take_ended());
  CHECK(p.out.heard() == 0);
  CHECK(p.out.in_order);
  return p.out.notes();
}

}  // namespace

// Measures of 4/4 last 2000 ms.

TEST_CASE("an edited score goes on at the next bar") {
  auto original = plan_of(*one_part({"c4:w", "d4:w", "e4:w"}));
  auto edited = plan_of(*one_part({"c4:w", "g4:h a4:h", "b4:w"}), original);
  player p;
  p.play(original);
  p.run_to(1s);
  p.exchange(edited);
  CHECK(p.engine.position(p.at()).exchanges == 0);
  p.run_to(20s);
  CHECK(p.out.notes(true) == "0:60 2000:-60 2000:67 3000:-67 3000:69 4000:-69 4000:71 6000:-71");
  CHECK(p.engine.position(p.at()).exchanges == 1);
  CHECK(p.out.in_order);
  REQUIRE(p.engine.retired().size() == 1);
  CHECK(p.engine.retired().front() == original);
}

TEST_CASE("where measures came or went, playback goes on behind what was just played") {
  auto original = one_part({"c4:w", "d4:w", "e4:w"});
  struct edit {
    const char* what;
    std::vector<std::string> bars;
    std::string heard;
  };
  // Each is made in the first measure.
  for (auto& e : std::vector<edit>{
           {"inserted at the beginning", {"g4:w", "c4:w", "d4:w", "e4:w"}, "2000:62 4000:64"},
           {"inserted behind it", {"c4:w", "g4:w", "d4:w", "e4:w"}, "2000:67 4000:62 6000:64"},
           {"added at the end", {"c4:w", "d4:w", "e4:w", "g4:w"}, "2000:62 4000:64 6000:67"},
           {"the next one deleted", {"c4:w", "e4:w"}, "2000:64"},
           {"the first one deleted", {"d4:w", "e4:w"}, "2000:62 4000:64"},
           {"the last one deleted", {"c4:w", "d4:w"}, "2000:62"},
           {"all others deleted", {"c4:w"}, ""},
           {"all others replaced by more",
            {"c4:w", "g4:w", "a4:w", "b4:w"},
            "2000:67 4000:69 6000:71"},
           {"transposed", {"g4:w", "a4:w", "b4:w"}, "2000:69 4000:71"}}) {
    INFO(e.what);
    CHECK(heard_across(*original, 1s, *one_part(e.bars)) ==
          (e.heard.empty() ? "0:60" : "0:60 ") + e.heard);
  }
}

TEST_CASE("what is added while the last measure is played is heard") {
  CHECK(heard_across(*one_part({"c4:w"}), 1'500ms, *one_part({"c4:w", "d4:w"})) == "0:60 2000:62");
}

TEST_CASE("an edit within a repeat is heard in its next pass") {
  auto tail = bar("e4:w", "2");
  auto original = make_score({make_part({repeated(bar("c4:h d4:h")), tail})});
  auto edited = make_score({make_part({repeated(bar("g4:h a4:h")), tail})});
  CHECK(heard_across(*original, 1s, *edited) == "0:60 1000:62 2000:67 3000:69 4000:64");
  // In the second pass the next bar is the one behind the repeat.
  CHECK(heard_across(*original, 2'500ms, *edited) == "0:60 1000:62 2000:60 3000:62 4000:64");
}

TEST_CASE("a repeat that is added is taken, and one that is deleted is not") {
  auto once = make_score({make_part({bar("c4:w"), bar("d4:w", "2")})});
  auto twice = make_score({make_part({repeated(bar("c4:w")), bar("d4:w", "2")})});
  CHECK(heard_across(*once, 1s, *twice) == "0:60 2000:60 4000:62");
  CHECK(heard_across(*twice, 1s, *once) == "0:60 2000:62");
}

TEST_CASE("several edits in one measure count together") {
  auto first = plan_of(*one_part({"c4:w", "d4:w", "e4:w"}));
  auto second = plan_of(*one_part({"g4:w", "c4:w", "d4:w", "e4:w"}), first);
  auto third = plan_of(*one_part({"a4:w", "g4:w", "c4:w", "d4:w", "e4:w"}), second);
  player p;
  p.play(first);
  p.run_to(1s);
  p.exchange(second);
  p.exchange(third);
  p.run_to(20s);
  CHECK(p.out.notes() == "0:60 2000:62 4000:64");
  CHECK(p.engine.position(p.at()).exchanges == 1);
}

TEST_CASE("a loop of the edited score begins at its beginning") {
  auto original = plan_of(*one_part({"c4:w"}));
  auto edited = plan_of(*one_part({"g4:w", "a4:w"}), original);
  player p;
  playback_options o;
  o.loop = true;
  p.play(original, o);
  p.run_to(1s);
  p.exchange(edited);
  p.run_to(7s);
  CHECK(p.out.notes() == "0:60 2000:67 4000:69 6000:67");
}

TEST_CASE("an edit during a pause is heard when playback goes on") {
  auto original = plan_of(*one_part({"c4:h d4:h", "e4:w"}));
  auto edited = plan_of(*one_part({"c4:h d4:h", "g4:w"}), original);
  player p;
  p.play(original);
  p.run_to(500ms);
  p.engine.pause(p.at());
  p.exchange(edited);
  p.engine.resume(p.at());
  p.run_to(20s);
  CHECK(p.out.notes() == "0:60 500:60 1000:62 2000:67");
}

TEST_CASE("an edit of something else than what is played is ignored") {
  player p;
  p.play(plan_of(*four_notes()));
  transport_command::exchange other{2, plan_of(*one_part({"g4:w"}))};
  p.engine.exchange(other);
  CHECK(other.plan);
  p.run_to(20s);
  CHECK(p.out.notes() == "0:60 500:62 1000:64 1500:65");
}

}  // namespace fermata::midi::plan_exchange_test
