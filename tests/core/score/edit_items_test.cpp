#include "core/score/edit/edit.hpp"
#include "core/score/model/selector.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

namespace fermata::edit_items_test {

using namespace fermata::testing;

namespace {

std::string music(const score& s, const std::string& voice = "1") {
  std::string text;
  for (auto& m : s.parts.at(0)->measures)
    text += (text.empty() ? "" : " | ") + spelled(*m, voice);
  return text;
}

/// The n-th notes and rests of a part's measures, from 1, all voices counted through.
std::vector<item_location> timed_items(const score& s, std::vector<int> wanted) {
  std::vector<item_location> found;
  int n = 0;
  for (std::size_t m = 0; m < s.parts[0]->measures.size(); ++m)
    for (std::size_t i = 0; i < s.parts[0]->measures[m]->items.size(); ++i)
      if (std::holds_alternative<chord_rest>(s.parts[0]->measures[m]->items[i].content))
        if (++n; std::find(wanted.begin(), wanted.end(), n) != wanted.end())
          found.push_back({0, m, i});
  return found;
}

std::vector<measure_content> contents(std::string_view text) {
  std::vector<measure_content> found;
  for (auto& x : line(text))
    found.push_back(x);
  return found;
}

score_ptr good(const result<score_ptr>& r) {
  INFO((r ? "" : r.error().first().message));
  REQUIRE(r);
  return *r;
}

std::string fault(const result<score_ptr>& r) {
  REQUIRE_FALSE(r);
  return r.error().first().message;
}

}  // namespace

TEST_CASE("a deleted note leaves a rest as long as it was") {
  auto s = one_part({"c4:q d4:q e4:h", "f4:w"});
  CHECK(music(*good(delete_items(s, timed_items(*s, {2})))) == "c4:1 r:1 e4:2 | f4:4");
  CHECK(music(*s) == "c4:1 d4:1 e4:2 | f4:4");
}

TEST_CASE("a measure of which everything is deleted is one whole-measure rest") {
  auto s = one_part({"c4:q d4:q e4:h", "f4:w"});
  auto t = good(delete_items(s, timed_items(*s, {1, 2, 3})));
  CHECK(music(*t) == "r:4 | f4:4");
  for (auto& item : t->parts[0]->measures[0]->items)
    if (auto* x = std::get_if<chord_rest>(&item.content))
      CHECK(std::get<rest>(x->notes[0].tone).whole_measure);
}

TEST_CASE("a slur whose first note is deleted goes, a tie too") {
  auto s = one_part({"c4:q( d4:q) e4:h"});
  auto t = good(delete_items(s, timed_items(*s, {1})));
  for (auto& item : t->parts[0]->measures[0]->items)
    if (auto* x = std::get_if<chord_rest>(&item.content)) CHECK(x->notes[0].spanners.empty());
}

TEST_CASE("a mark is deleted without a trace") {
  auto m = bar("c4:w");
  direction d;
  d.types.push_back(dynamics{{"f"}, {}});
  lead(m, d);
  auto s = make_score({make_part({m})});
  auto t = good(delete_items(s, {{0, 0, 0}}));
  CHECK(t->parts[0]->measures[0]->items.size() == 1);
}

TEST_CASE("notes are replaced where they stood, rests fill what is left") {
  auto s = one_part({"c4:q d4:q e4:h", "f4:w"});
  CHECK(music(*good(replace_items(s, timed_items(*s, {2, 3}), contents("g4:8 a4:8 b4:q")))) ==
        "c4:1 g4:1/2 a4:1/2 b4:1 r:1 | f4:4");
  CHECK(music(*good(replace_items(s, timed_items(*s, {3, 4}), contents("g4:h. a4:h.")))) ==
        "c4:1 d4:1 g4:2~ | ~g4:1 a4:3");
}

TEST_CASE("music that is longer than the music it replaces is refused") {
  auto s = one_part({"c4:q d4:q e4:h", "f4:w"});
  CHECK(fault(replace_items(s, timed_items(*s, {2}), contents("g4:q."))) ==
        "measure 1: the new music is an eighth longer than the music it replaces");
}

TEST_CASE("a selection that skips a note or spans voices is refused") {
  auto s = one_part({"c4:q d4:q e4:h"});
  CHECK(fault(replace_items(s, timed_items(*s, {1, 3}), contents("g4:w"))) ==
        "measure 1: d4 lies between the selected notes");
  auto m = bar("c4:w");
  add_voice(m, "c3:w", "2");
  auto two = make_score({make_part({m})});
  CHECK(fault(replace_items(two, timed_items(*two, {1, 2}), contents("g4:w"))) ==
        "measure 1: the selection spans voices 1 and 2");
}

TEST_CASE("each selected note is edited in place") {
  auto s = one_part({"c4:q d4:q e4:h"});
  auto up = [](const measure_content& c) -> result<measure_content> {
    auto x = std::get<chord_rest>(c);
    for (auto& n : x.notes)
      std::get<pitch>(n.tone).octave += 1;
    return measure_content{x};
  };
  CHECK(music(*good(edit_items(s, timed_items(*s, {1, 3}), up))) == "c5:1 d4:1 e5:2");
}

TEST_CASE("an edit that no longer fits changes nothing") {
  auto s = one_part({"c4:q d4:q e4:h"});
  auto longer = [](const measure_content& c) -> result<measure_content> {
    auto x = std::get<chord_rest>(c);
    x.length = x.length * rational{3, 2};
    return measure_content{x};
  };
  CHECK(fault(edit_items(s, timed_items(*s, {3}), longer)) ==
        "measure 1: a quarter too long for 4/4 after e4");
  CHECK(fault(edit_items(s, timed_items(*s, {1}), longer)) ==
        "measure 1: d4 begins an eighth before the previous note ends");
  auto refuses = [](const measure_content&) -> result<measure_content> {
    return fail({errc::user_error, "no"});
  };
  CHECK(fault(edit_items(s, timed_items(*s, {1}), refuses)) == "no");
}

TEST_CASE("a measure that was overfull before may be edited as long as it gets no worse") {
  // Kainhofer suite 46i: five quarters in 4/4.
  auto s = one_part({"d4:q e4:q f4:q g4:q a4:q"});
  auto to_c = [](const measure_content& c) -> result<measure_content> {
    auto x = std::get<chord_rest>(c);
    x.notes[0] = tone_note("c4");
    return measure_content{x};
  };
  CHECK(music(*good(edit_items(s, timed_items(*s, {1}), to_c))) == "c4:1 e4:1 f4:1 g4:1 a4:1");
}

TEST_CASE("a location of another score is refused") {
  CHECK(delete_items(one_part({"c4:w"}), {{0, 3, 0}}).error().first().code == errc::no_such_target);
}

}  // namespace fermata::edit_items_test
