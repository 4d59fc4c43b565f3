#include "core/score/edit/edit.hpp"
#include "core/score/model/content_hash.hpp"
#include "core/score/model/ties.hpp"
#include "core/score/model/walk.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

namespace fermata::edit_measures_test {

using namespace fermata::testing;

namespace {

std::string music(const score& s, std::size_t part = 0, const std::string& voice = "1") {
  std::string text;
  for (auto& m : s.parts.at(part)->measures)
    text += (text.empty() ? "" : " | ") + m->number + ": " + spelled(*m, voice);
  return text;
}

score_ptr good(const result<score_ptr>& r) {
  INFO((r ? "" : r.error().first().message));
  REQUIRE(r);
  return *r;
}

std::vector<measure_location> at(std::initializer_list<measure_location> places) { return places; }

const chord_rest& chord(const score& s, std::size_t m, std::size_t n) {
  for (auto& item : s.parts[0]->measures.at(m)->items)
    if (auto* x = std::get_if<chord_rest>(&item.content))
      if (n-- == 0) return *x;
  throw std::out_of_range("no such chord in the test score");
}

}  // namespace

TEST_CASE("inserted measures are rests in every part and later ones are numbered on") {
  auto lower = bar("c3:w", "1");
  lead(lower, with_time(4, 4));
  auto upper = bar("c4:w", "1");
  lead(upper, with_time(4, 4));
  auto s = make_score(
      {make_part({upper, bar("d4:w", "2")}, "P1"), make_part({lower, bar("d3:w", "2")}, "P2")});
  auto t = good(insert_measures(s, 1, 2));
  CHECK(music(*t) == "1: c4:4 | 2: r:4 | 3: r:4 | 4: d4:4");
  CHECK(music(*t, 1) == "1: c3:4 | 2: r:4 | 3: r:4 | 4: d3:4");
  CHECK(std::get<rest>(chord(*t, 1, 0).notes[0].tone).whole_measure);
}

TEST_CASE("measures inserted in one part push the others along") {
  auto s = make_score({make_part({bar("c4:w", "1"), bar("d4:w", "2")}, "P1"),
                       make_part({bar("c3:w", "1"), bar("d3:w", "2")}, "P2")});
  auto t = good(insert_measures(s, 0, 1, {bar("e4:h f4:h", "")}));
  CHECK(music(*t) == "1: c4:4 | 2: e4:2 f4:2 | 3: d4:4");
  CHECK(music(*t, 1) == "1: c3:4 | 2: r:4 | 3: d3:4");
}

TEST_CASE("a measure before the first takes over key, time and clef") {
  auto first = bar("c4:h.", "1");
  auto a = with_time(3, 4);
  a.keys.push_back({std::nullopt, *key_on({step::a, 0}, mode::major), {}});
  a.clefs.push_back({std::nullopt, clef{"C", 3, 0}, {}});
  lead(first, a);
  auto s = make_score({make_part({first, bar("d4:h.", "2")})});
  auto t = good(insert_measures(s, 0, 1));
  CHECK(music(*t) == "1: r:3 | 2: c4:3 | 3: d4:3");
  auto state = state_at(*t->parts[0], 0, {});
  CHECK(state.time_or_default() == time(3, 4));
  CHECK(state.key_or_default().fifths == 3);
  CHECK(state.clef_or_default().sign == "C");
  // and the old first measure does not say it again
  CHECK(std::holds_alternative<chord_rest>(t->parts[0]->measures[1]->items[0].content));
}

TEST_CASE("an inserted measure with a metre of its own leaves the metre after it alone") {
  auto s = one_part({"c4:w", "d4:w"});
  auto m = bar("e4:h.", "");
  lead(m, with_time(3, 4));
  auto t = good(insert_measures(s, 0, 1, {m}));
  CHECK(state_at(*t->parts[0], 1, {}).time_or_default() == time(3, 4));
  CHECK(state_at(*t->parts[0], 2, {}).time_or_default() == time(4, 4));
}

TEST_CASE("an overfull inserted measure is refused") {
  auto r = insert_measures(one_part({"c4:w"}), 0, 1, {bar("c4:w d4:8", "")});
  REQUIRE_FALSE(r);
  CHECK(r.error().first().message == "measure 2: an eighth too long for 4/4 after c4");
}

TEST_CASE("deleting the first measure keeps key, time and clef for the next") {
  auto t = good(delete_measures(one_part({"c4:h.", "d4:h.", "e4:h."}, 3, 4), at({{0, 0}})));
  CHECK(music(*t) == "1: d4:3 | 2: e4:3");
  CHECK(state_at(*t->parts[0], 0, {}).time_or_default() == time(3, 4));
}

TEST_CASE("a key change in a deleted measure still holds for what follows") {
  auto second = bar("d4:w", "2");
  attributes a;
  a.keys.push_back({std::nullopt, *key_on({step::e, -100}, mode::major), {}});
  lead(second, a);
  auto s = make_score({make_part({bar("c4:w", "1"), second, bar("e4:w", "3")})});
  auto t = good(delete_measures(s, at({{0, 1}})));
  CHECK(music(*t) == "1: c4:4 | 2: e4:4");
  CHECK(state_at(*t->parts[0], 1, {}).key_or_default().fifths == -3);
  CHECK(state_before(*t->parts[0], 1).staff(1).key == std::nullopt);
}

TEST_CASE("ties and slurs that lose one end lose the other") {
  auto s = one_part({"c4:w~", "c4:h~ d4:h(", "c4:w", "f4:w)", "g4:w"});
  // make the ties and slurs whole: stops on the following notes
  score edited_score = *s;
  part p = *s->parts[0];
  auto fix = [&](std::size_t m, std::size_t item) {
    auto copy = *p.measures[m];
    std::get<chord_rest>(copy.items[item].content).notes[0].tie.stop = true;
    p.measures.set(m, std::make_shared<const measure>(copy));
  };
  fix(1, 0);
  edited_score.parts[0] = std::make_shared<const part>(p);
  auto whole = std::make_shared<const score>(edited_score);

  auto t = good(delete_measures(whole, at({{0, 1}})));
  CHECK(music(*t) == "1: c4:4 | 2: c4:4 | 3: f4:4 | 4: g4:4");
  CHECK(chord(*t, 0, 0).notes[0].tie == tie_ends{});
  CHECK(chord(*t, 2, 0).notes[0].spanners.empty());
}

TEST_CASE("a hairpin whose end is deleted goes") {
  auto s0 = one_part({"c4:w", "d4:w", "e4:w"});
  part p = *s0->parts[0];
  auto with = [&](std::size_t m, std::string type) {
    auto copy = *p.measures[m];
    direction d;
    d.types.push_back(wedge{std::move(type), 1, {}});
    copy.items.push_back({measure_position{}, d});
    p.measures.set(m, std::make_shared<const measure>(copy));
  };
  with(0, "crescendo");
  with(2, "stop");
  score s1 = *s0;
  s1.parts[0] = std::make_shared<const part>(p);
  auto t = good(delete_measures(std::make_shared<const score>(s1), at({{0, 2}})));
  for (auto& m : t->parts[0]->measures)
    for (auto& item : m->items)
      CHECK_FALSE(std::holds_alternative<direction>(item.content));
}

TEST_CASE("a measure deleted in one of two parts becomes a rest there") {
  auto s = make_score({make_part({bar("c4:w", "1"), bar("d4:w", "2")}, "P1"),
                       make_part({bar("c3:w", "1"), bar("d3:w", "2")}, "P2")});
  auto t = good(delete_measures(s, at({{0, 0}})));
  CHECK(music(*t) == "1: r:4 | 2: d4:4");
  CHECK(music(*t, 1) == "1: c3:4 | 2: d3:4");
  auto u = good(delete_measures(s, at({{0, 0}, {1, 0}})));
  CHECK(music(*u) == "1: d4:4");
  CHECK(music(*u, 1) == "1: d3:4");
}

TEST_CASE("implicit measures do not count when measures are numbered on") {
  auto pickup = bar("g4:q", "0");
  pickup.implicit = true;
  auto s = make_score({make_part({pickup, bar("c4:w", "1"), bar("d4:w", "2"), bar("e4:w", "3")})});
  CHECK(music(*good(delete_measures(s, at({{0, 0}})))) == "1: c4:4 | 2: d4:4 | 3: e4:4");
  CHECK(music(*good(delete_measures(s, at({{0, 1}, {0, 2}})))) == "0: g4:1 | 1: e4:4");
}

TEST_CASE("replaced measures keep number, key and what follows") {
  auto s = one_part({"c4:w", "d4:w", "e4:w"});
  auto m = bar("g4:h a4:h", "");
  CHECK(music(*good(replace_measures(s, 0, 1, 1, {m}))) == "1: c4:4 | 2: g4:2 a4:2 | 3: e4:4");
  auto t = good(replace_measures(s, 0, 0, 1, {m, m}));
  CHECK(music(*t) == "1: g4:2 a4:2 | 2: g4:2 a4:2 | 3: d4:4 | 4: e4:4");
  CHECK(state_at(*t->parts[0], 0, {}).staff(1).time == time(4, 4));
  CHECK(music(*good(replace_measures(s, 0, 1, 2, {}))) == "1: c4:4");
}

TEST_CASE("what does not exist cannot be deleted, and nothing is") {
  auto s = one_part({"c4:w"});
  auto hash = content_hash(*s);
  auto r = delete_measures(s, at({{0, 0}, {0, 1}}));
  REQUIRE_FALSE(r);
  CHECK(r.error().first().code == errc::no_such_target);
  CHECK(r.error().first().message.find("there is no measure 2; ") == 0);
  CHECK(r.error().first().message.find(" has only measure 1") != std::string::npos);
  CHECK(content_hash(*s) == hash);
  CHECK_FALSE(insert_measures(s, 2, 1));
  CHECK_FALSE(insert_measures(empty_score(), 0, 1));
}

TEST_CASE("a tie over a first ending of any length goes with the note that it came from") {
  for (std::size_t length : {1u, 15u, 16u, 17u, 40u}) {
    INFO(length << " measures in the first ending");
    std::vector<measure> measures{bar("c4:w~", "1")};
    lead(measures[0], with_time(4, 4));
    auto ending = [](const char* number, const char* type, const char* location) {
      barline b;
      b.location = location;
      b.ending_numbers = number;
      b.ending_type = type;
      return b;
    };
    for (std::size_t i = 0; i < length; ++i)
      measures.push_back(bar(i == 0 ? "c4:w" : "d4:w", std::to_string(i + 2)));
    measures.push_back(bar("c4:w", std::to_string(length + 2)));
    auto stop_tie = [](measure& m) {
      std::get<chord_rest>(m.items[0].content).notes[0].tie.stop = true;
    };
    stop_tie(measures[1]);
    stop_tie(measures.back());
    lead(measures[1], ending("1", "start", "left"));
    measures[length].items.push_back({measure_position{4}, ending("1", "stop", "right")});
    lead(measures.back(), ending("2", "start", "left"));
    auto s = make_score({make_part(measures)});
    REQUIRE(tied_from(*s->parts[0], {length + 1, 1, 0}) == note_place{0, 1, 0});
    auto replaced = good(replace_measures(s, 0, 0, 1, {bar("e4:w")}));
    CHECK_FALSE(chord(*replaced, 1, 0).notes[0].tie.stop);
    CHECK_FALSE(chord(*replaced, length + 1, 0).notes[0].tie.stop);
    // A note that still leads there keeps both.
    auto kept = good(replace_measures(s, 0, 0, 1, {bar("c4:w~")}));
    CHECK(chord(*kept, 1, 0).notes[0].tie.stop);
    CHECK(chord(*kept, length + 1, 0).notes[0].tie.stop);
  }
}

}  // namespace fermata::edit_measures_test
