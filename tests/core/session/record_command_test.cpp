#include "core/session/commands/command.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

namespace fermata::record_command_test {

namespace {

musician with_two_parts() {
  musician s;
  s.type("(part :flute :name \"Flute\" (measure (time 3 4) (note c5 :h.)) (measure (note d5 :h.)) "
         "(measure (note e5 :h.)))");
  s.type("(part :cello :name \"Cello\" (measure (note c3 :h.)) (measure (note d3 :h.)) "
         "(measure (note e3 :h.)))");
  return s;
}

recording::start request(const session_by_hand& s, std::string_view text) {
  auto outcome = run_command(text, s.state, {}, s.clock);
  CAPTURE(text, outcome.output);
  REQUIRE(outcome.ok);
  auto effect = std::get_if<recording_effect>(&outcome.requested_effect);
  REQUIRE(effect);
  return std::get<recording::start>(effect->what);
}

std::string refusal(const session_by_hand& s, std::string_view text) {
  auto outcome = run_command(text, s.state, {}, s.clock);
  CAPTURE(text);
  REQUIRE_FALSE(outcome.ok);
  CHECK(std::holds_alternative<std::monostate>(outcome.requested_effect));
  return outcome.output;
}

const playback::passage& passage_of(const recording::start& what) {
  REQUIRE(what.with);
  REQUIRE(what.with->passages.size() == 1);
  return what.with->passages.front();
}

std::size_t measures_of(const playback::passage& p) {
  return p.score->parts.front()->measures.size();
}

const time_signature& time_of(const playback::passage& p) {
  auto& first = p.score->parts.front()->measures.music_at(0).items.front();
  return std::get<attributes>(first.content).times.front().value;
}

using range = std::pair<int, int>;

}  // namespace

TEST_CASE("without options nothing is played to a take") {
  auto s = with_two_parts();
  CHECK_FALSE(request(s, "record").with);
  auto for_part = request(s, "record cello");
  CHECK_FALSE(for_part.with);
  CHECK(for_part.part == s.state.score->parts[1]->id);
  CHECK_FALSE(for_part.replaces);
}

TEST_CASE("a metronome has the meter of the score, and the tempo that is given") {
  musician empty;
  auto what = request(empty, "record --metronome");
  CHECK(passage_of(what).may_be_silent);
  CHECK(time_of(passage_of(what)) == time_signature{});
  CHECK(what.with->options.loop);  // until :stop
  CHECK(what.with->options.metronome);
  CHECK_FALSE(what.with->options.count_in);
  CHECK(what.with->options.tempo == 1);  // 120

  auto s = with_two_parts();
  what = request(s, "record --measures 8 --tempo 90");
  CHECK(time_of(passage_of(what)) == time_signature{{{{3}, 4}}, {}, {}});
  CHECK(measures_of(passage_of(what)) == 8);
  CHECK_FALSE(what.with->options.loop);
  CHECK(what.with->options.tempo == 0.75);
  CHECK(what.with->options.metronome);

  what = request(s, "record --count-in --meter 6/8");
  CHECK(time_of(passage_of(what)) == time_signature{{{{6}, 8}}, {}, {}});
  CHECK(what.with->options.count_in);
  // One may want to play alone after the count-in.
  CHECK_FALSE(what.with->options.metronome);
  CHECK(request(s, "record --count-in --metronome").with->options.metronome);
}

TEST_CASE("a take is recorded while the score plays") {
  auto s = with_two_parts();
  auto what = request(s, "record --overdub");
  CHECK(passage_of(what).score == s.state.score);
  CHECK(passage_of(what).range == range{1, 3});
  CHECK(passage_of(what).muted.empty());
  CHECK(what.part.empty());
  CHECK(what.replaces == range{1, 3});
  CHECK_FALSE(what.with->options.metronome);

  what = request(s, "record Cello --punch 2-3 --metronome --count-in");
  auto cello = s.state.score->parts[1]->id;
  CHECK(passage_of(what).range == range{2, 3});
  CHECK(passage_of(what).muted == std::vector<std::string>{cello});
  CHECK(what.part == cello);
  CHECK(what.replaces == range{2, 3});
  CHECK(what.with->options.metronome);
  CHECK(what.with->options.count_in);

  CHECK(request(s, "record Cello --punch 2-").replaces == range{2, 3});
  CHECK(request(s, "record --overdub --measures 2").replaces == range{1, 2});
}

TEST_CASE("what cannot be recorded to is refused") {
  musician empty;
  CHECK(refusal(empty, "record --overdub") ==
        "the score is empty\n`:record --metronome` records to a metronome.");
  auto s = with_two_parts();
  CHECK(refusal(s, "record oboe").find("oboe") != std::string::npos);
  CHECK(refusal(s, "record --punch 2").find("--punch needs a part") == 0);
  CHECK(refusal(s, "record cello --punch 9").find("these measures do not exist") == 0);
  CHECK(refusal(s, "record cello --punch flute").find("--punch needs measures") == 0);
  CHECK(refusal(s, "record --overdub --tempo 90").find("--tempo is for a metronome") == 0);
  CHECK(refusal(s, "record --overdub --meter 3/4").find("--meter is for a metronome") == 0);
  CHECK(refusal(s, "record --tempo 5") ==
        "--tempo 5 is out of range\nGive quarter notes per minute, from 20 to 500.");
  CHECK(refusal(s, "record --meter 7/8") ==
        "--meter 7/8 is not supported\nGive 2/4, 3/4, 4/4, 5/4, 6/8, 9/8 or 12/8.");
  for (auto number : {"0", "1001", "-1", "x"})
    CHECK_FALSE(refusal(s, std::string{"record --measures "} + number).empty());
}

TEST_CASE("measures that cannot be recorded as they are played are refused") {
  musician repeated;
  repeated.type("(repeat (measure (note c4 :w)) (measure (note d4 :w))) (measure (note e4 :w))");
  CHECK(refusal(repeated, "record --overdub").find("these measures are repeated") == 0);
  CHECK(refusal(repeated, "record --punch 2-3").find("these measures are repeated") == 0);
  // The first time that it is played.
  CHECK(request(repeated, "record --punch 2").replaces == range{2, 2});
  CHECK(request(repeated, "record --punch 3").replaces == range{3, 3});

  musician changing;
  changing.type("(measure (time 3 4) (note c4 :h.)) (measure (time 4 4) (note d4 :w)) "
                "(measure (time 7 8) (note e4 :h..))");
  CHECK(refusal(changing, "record --overdub") ==
        "the time signature changes at measure 2\n"
        "`:play` them while `:record` records, or choose others with --punch.");
  CHECK(request(changing, "record --punch 2").replaces == range{2, 2});
  CHECK(refusal(changing, "record --punch 3").find("the time signature of measure 3") == 0);

  // Nothing is recorded into a pickup, which is played.
  musician pickup;
  pickup.type("(measure :implicit (note g4 :q)) (measure (note c5 :w)) (measure (note d5 :w))");
  auto what = request(pickup, "record --overdub");
  CHECK(passage_of(what).range == range{1, 3});
  CHECK(what.replaces == range{2, 3});
}

TEST_CASE("record --clock is in the metre of the score, or in the one given") {
  auto s = with_two_parts();
  auto what = request(s, "record --clock");
  CHECK_FALSE(what.with);
  CHECK(what.clock_metre == std::pair{3, 4});
  CHECK(request(s, "record cello --clock --meter 6/8").clock_metre == std::pair{6, 8});
  CHECK(request(s, "record").clock_metre == std::nullopt);
  for (auto option :
       {"--metronome", "--count-in", "--measures 3", "--tempo 90", "--overdub", "--punch 1-2"})
    CHECK(refusal(s, std::string{"record --clock "} + option).find("excludes") !=
          std::string::npos);
  CHECK(refusal(s, "record --clock --meter 7/8").find("--meter 7/8") != std::string::npos);
}

TEST_CASE("takes with two numbers compares takes") {
  auto s = with_two_parts();
  auto effect_of = [&](std::string_view text) {
    auto outcome = run_command(text, s.state, {}, s.clock);
    REQUIRE(outcome.ok);
    return std::get<recording::list_takes>(
        std::get<recording_effect>(outcome.requested_effect).what);
  };
  CHECK(effect_of("takes").compared == std::nullopt);
  CHECK(effect_of("takes 2 13").compared == std::pair{2, 13});
  for (auto text : {"takes 1", "takes 1 x", "takes 0 1", "takes 1 99999999999"})
    CHECK_FALSE(refusal(s, text).empty());
}

}  // namespace fermata::record_command_test
