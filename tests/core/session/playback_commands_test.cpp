#include "core/session/commands/command.hpp"
#include "core/session/commands/passage_selection.hpp"
#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

namespace fermata::playback_commands_test {

namespace {

constexpr int the_end = 2'147'483'647;  // of an open range

musician with_two_parts() {
  musician s;
  s.type("(part :flute :name \"Flute\" (measure (note c5 :w)) (measure (note d5 :w)) "
         "(measure (note e5 :w)))");
  s.type("(part :cello :name \"Cello\" (measure (note c3 :w)) (measure (note d3 :w)) "
         "(measure (note e3 :w)))");
  s.type("(def motif (phrase \"c5:q d e f\"))");
  return s;
}

command_outcome run(const session_by_hand& s, std::string_view text) {
  return run_command(text, s.state, {}, s.clock);
}

playback::play played(const session_by_hand& s, std::string_view text) {
  auto outcome = run(s, text);
  CAPTURE(text, outcome.output);
  REQUIRE(outcome.ok);
  auto effect = std::get_if<playback_effect>(&outcome.requested_effect);
  REQUIRE(effect);
  return std::get<playback::play>(effect->what);
}

playback::passage passage(const session_by_hand& s, std::string_view text) {
  auto what = played(s, text);
  REQUIRE(what.passages.size() == 1);
  return what.passages.front();
}

template <class Request>
Request requested(const session_by_hand& s, std::string_view text) {
  auto outcome = run(s, text);
  CAPTURE(text, outcome.output);
  REQUIRE(outcome.ok);
  return std::get<Request>(std::get<playback_effect>(outcome.requested_effect).what);
}

std::string refusal(const session_by_hand& s, std::string_view text) {
  auto outcome = run(s, text);
  CAPTURE(text);
  REQUIRE_FALSE(outcome.ok);
  CHECK(std::holds_alternative<std::monostate>(outcome.requested_effect));
  return outcome.output;
}

using range = std::pair<int, int>;
using names = std::vector<std::string>;

/// The id of a part.
std::string id(const session_by_hand& s, std::size_t part) {
  return s.state.score->parts[part]->id;
}

}  // namespace

TEST_CASE("the score, its parts and its measures can be played") {
  auto s = with_two_parts();
  auto all = passage(s, "play");
  CHECK(all.score == s.state.score);
  CHECK_FALSE(all.range);
  CHECK(all.only.empty());
  CHECK(all.muted.empty());
  CHECK(all.follows_edits);

  CHECK(passage(s, "play 2").range == range{2, 2});
  CHECK(passage(s, "play 2-3").range == range{2, 3});
  CHECK(passage(s, "play 2-").range == range{2, the_end});
  CHECK(passage(s, "play cello").only == names{id(s, 1)});
  auto both = passage(s, "play Cello 2-3");
  CHECK(both.only == names{id(s, 1)});
  CHECK(both.range == range{2, 3});
}

TEST_CASE("options of :play") {
  auto s = with_two_parts();
  auto what = played(s, "play 1-3 --from 2 --loop --tempo 80% --count-in --metronome --exact");
  CHECK(what.passages.front().range == range{2, 3});
  CHECK(what.options == playback::play_options{0.8, true, true, true, true});
  CHECK(played(s, "play --tempo 1.5").options.tempo == 1.5);
  CHECK(passage(s, "play --from 3").range == range{3, the_end});
  CHECK(passage(s, "play --from 2").name == "measures 2-3");
  CHECK(passage(s, "play --mute flute").muted == names{id(s, 0)});
  CHECK(passage(s, "play --solo flute").only == names{id(s, 0)});
  CHECK(passage(s, "play --solo flute --solo cello").only == names{id(s, 0), id(s, 1)});
}

TEST_CASE("expressions, entries and names of definitions can be played") {
  auto s = with_two_parts();
  CHECK(passage(s, "play (chord (c4 e4 g4) :w)").expression == "(chord (c4 e4 g4) :w)");
  CHECK(passage(s, "play (chord (c4 e4 g4) :w) --tempo 50%").expression == "(chord (c4 e4 g4) :w)");
  CHECK(passage(s, "play (text \"a -- b\")").expression == "(text \"a -- b\")");
  CHECK(passage(s, "play motif").expression == "motif");
  CHECK(passage(s, "play Out[3]").expression == "$Out[3]");
  CHECK(passage(s, "play $In[3]").expression == "(def motif (phrase \"c5:q d e f\"))");
  CHECK(passage(s, "play In[-1]").expression == "(def motif (phrase \"c5:q d e f\"))");
  CHECK(passage(s, "play $In[other:3]").expression == "$In[other:3]");
  CHECK(passage(s, "play #p\"c4:q d\"").expression == "#p\"c4:q d\"");
  // Options stand outside of brackets.
  auto inside = played(s, "play (f --loop \"--tempo 1%\") --tempo 50%");
  CHECK(inside.passages.front().expression == "(f --loop \"--tempo 1%\")");
  CHECK(inside.options == playback::play_options{0.5});
  CHECK_FALSE(passage(s, "play motif").score);
}

TEST_CASE("measures and parts of an expression are selected when its score is known") {
  auto s = with_two_parts();
  auto p = passage(s, "play (seq a b) 2-3 --from 3 --solo flute --mute cello --mute oboe");
  CHECK(p.expression == "(seq a b)");
  CHECK(p.name == "(seq a b), 2-3");
  CHECK(p.selection.words == names{"2-3"});
  CHECK(p.selection.from == "3");
  CHECK(p.selection.solo == names{"flute"});
  CHECK(p.selection.mute == names{"cello", "oboe"});
  auto words = [&](const char* text) { return passage(s, text).selection.words; };
  CHECK(words("play In[-1] 2") == names{"2"});
  CHECK(words("play Out[3] cello X1") == names{"cello", "X1"});
  CHECK(words("play Out[3] A") == names{"A"});
  CHECK(words("play motif -2:") == names{"-2:"});
  CHECK(passage(s, "play motif 2-").expression == "motif");
  CHECK(passage(s, "play --loop Out[3] 2").expression == "$Out[3]");
  CHECK(words("play --loop Out[3] 2") == names{"2"});
  // What stands in brackets, quotation marks or a comment is none of it.
  CHECK(words("play (seq a 2)").empty());
  CHECK(words("play (text \"a 2\")").empty());
  CHECK(words("play (seq \"( 1\") 2") == names{"2"});
  CHECK(words("play (seq a b) ; comment 2").empty());
  CHECK(passage(s, "play (seq a b) ; comment 2").expression == "(seq a b)");
  // Several forms are one expression.
  CHECK(passage(s, "play (seq a) (seq b)").expression == "(seq a) (seq b)");
}

TEST_CASE("of a proposal, other measures than those it changes can be played") {
  auto s = with_two_parts();
  propose(s, "(replace (measures 2) (measure (note g5 :w)))");
  CHECK(passage(s, "play \u03941").range == range{2, 2});
  CHECK(passage(s, "play \u03941 3").range == range{3, 3});
  CHECK(passage(s, "play proposal 1 1-2").range == range{1, 2});
  CHECK(passage(s, "play \u03941 --from 3").range == range{3, the_end});
  CHECK(passage(s, "play \u03941 cello").only == names{id(s, 1)});
  CHECK(refusal(s, "play \u03941 9").find("measure 9 does not exist") != std::string::npos);
}

TEST_CASE("a passage is selected in its score") {
  auto s = with_two_parts();
  auto& score = *s.state.score;
  auto selected = [&](playback::selection_by_name what) {
    playback::passage p;
    p.name = "it";
    p.selection = std::move(what);
    auto done = select_in_passage(p, score);
    REQUIRE(done);
    return p;
  };
  auto refused = [&](playback::selection_by_name what) {
    playback::passage p;
    p.name = "it";
    p.selection = std::move(what);
    auto done = select_in_passage(p, score);
    return done ? std::string{} : done.error().first().message;
  };
  CHECK_FALSE(selected({}).range);
  CHECK(selected({{"2-3"}, "3", {}, {}}).range == range{3, 3});
  CHECK(selected({{}, "2", {}, {}}).range == range{2, the_end});
  CHECK(selected({{"cello", "2"}, "", {}, {}}).only == names{id(s, 1)});
  CHECK(selected({{}, "", {"flute"}, {}}).only == names{id(s, 0)});
  CHECK(selected({{}, "", {}, {"flute"}}).muted == names{id(s, 0)});
  CHECK(refused({{"9"}, "", {}, {}}) == "measure 9 does not exist");
  CHECK(refused({{"1-2"}, "3", {}, {}}) == "measure 3 is not in it");
  CHECK(refused({{}, "", {}, {"flute", "cello"}}) == "no parts left to play");
  CHECK(refused({{}, "", {"tuba"}, {}}).find("tuba") != std::string::npos);
}

TEST_CASE("a proposal is played with its changes, and heard before and after") {
  auto s = with_two_parts();
  propose(s, "(replace (measures 2) (measure (note g5 :w)))");
  auto p = passage(s, "play \u03941");
  CHECK(p.range == range{2, 2});
  CHECK(content_hash(*p.score) != content_hash(*s.state.score));
  CHECK(passage(s, "play proposal 1").name == p.name);

  auto heard = played(s, "hear 1").passages;
  REQUIRE(heard.size() == 2);
  CHECK(heard[0].score == s.state.score);
  CHECK(heard[0].range == range{2, 2});
  CHECK(content_hash(*heard[1].score) == content_hash(*p.score));
  CHECK(heard[1].range == range{2, 2});
}

TEST_CASE("measures that do not exist before a proposal are heard after it only") {
  auto s = with_two_parts();
  propose(s, "(measure (note g3 :w))");
  auto heard = played(s, "hear").passages;
  REQUIRE(heard.size() == 1);
  CHECK(heard.front().range == range{4, 4});
  CHECK(heard.front().name == "after, measure 4");
}

TEST_CASE("what cannot be played is refused") {
  auto s = with_two_parts();
  CHECK(refusal(s, "play 9").find("9") != std::string::npos);
  CHECK(refusal(s, "play Celo").find("Cello") != std::string::npos);
  CHECK(refusal(s, "play 1 2").find("unexpected argument `2`") != std::string::npos);
  CHECK(refusal(s, "play --tempo 0").find("10% to 1000%") != std::string::npos);
  CHECK(refusal(s, "play --tempo fast").find("not a tempo") != std::string::npos);
  CHECK(refusal(s, "play --tempo nan").find("not a tempo") != std::string::npos);
  CHECK(refusal(s, "play 1-2 --from 3").find("measure 3 is not in measures 1-2") !=
        std::string::npos);
  CHECK(refusal(s, "play --mute flute --mute cello").find("no part") != std::string::npos);
  CHECK(refusal(s, "play --lop").find("did you mean --loop") != std::string::npos);
  CHECK(refusal(s, "play In[9]").find("no such entry: $In[9]") != std::string::npos);
  CHECK(refusal(s, "play --from 9").find("The last one is measure 3") != std::string::npos);
  CHECK(refusal(s, "play --from 1-2").find("more than one measure") != std::string::npos);
  CHECK(refusal(musician{}, "play --from 1").find("the score is empty") != std::string::npos);
  CHECK(refusal(s, "midi").find("`:midi` takes one of") != std::string::npos);
  CHECK(refusal(s, "play \u03945").find("no such proposal: 5") != std::string::npos);
  CHECK(refusal(s, "hear").find("no proposal is open") != std::string::npos);
}

TEST_CASE("playback is controlled by commands") {
  auto s = with_two_parts();
  requested<playback::pause>(s, "pause");
  requested<playback::resume>(s, "resume");
  requested<playback::stop>(s, "stop");
  CHECK(requested<playback::seek>(s, "seek 3").measure == "3");
  CHECK_FALSE(requested<playback::change_tempo>(s, "tempo").factor);
  CHECK(requested<playback::change_tempo>(s, "tempo 50%").factor == 0.5);
  CHECK(requested<playback::change_metronome>(s, "metronome on").on);
  CHECK_FALSE(requested<playback::change_metronome>(s, "metronome off").on);
  CHECK(refusal(s, "metronome loud").find("loud") != std::string::npos);
  CHECK(refusal(s, "seek").find("needs an argument") != std::string::npos);
}

TEST_CASE("devices are chosen by commands") {
  musician s;
  requested<playback::list_devices>(s, "midi devices");
  CHECK(requested<playback::connect>(s, "midi connect probe:in").device == "probe:in");
  CHECK(requested<playback::connect>(s, "midi connect \"My Piano\"").device == "My Piano");
  CHECK(requested<playback::connect>(s, "midi disconnect").device.empty());
  CHECK(requested<playback::change_default>(s, "midi default").device.empty());
  CHECK(requested<playback::change_default>(s, "midi default synth").device == "synth");
  requested<playback::panic>(s, "midi panic");
  requested<playback::panic>(s, "panic");
  CHECK(refusal(s, "midi connect").find("needs an argument") != std::string::npos);
  CHECK(refusal(s, "midi conect x").find(":midi connect") != std::string::npos);
}

}  // namespace fermata::playback_commands_test
