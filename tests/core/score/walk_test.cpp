#include "core/score/model/walk.hpp"

#include "core/score/model/draft.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

#include <random>

namespace fermata::walk_test {

using namespace fermata::testing;

namespace {

attributes with_clef(std::optional<std::uint8_t> staff, std::string sign) {
  attributes a;
  clef c;
  c.sign = std::move(sign);
  a.clefs.push_back({staff, c, {}});
  return a;
}

}  // namespace

TEST_CASE("a time signature holds until the next one") {
  auto first = bar("c4:w"), second = bar("c4:w", "2"), third = bar("c4:h.", "3");
  lead(first, with_time(4, 4));
  lead(third, with_time(3, 4));
  auto p = make_part({first, second, third, bar("c4:h.", "4")});
  CHECK(state_before(*p, 2).time_or_default() == time(4, 4));
  CHECK(state_at(*p, 2, measure_position{}).time_or_default() == time(3, 4));
  CHECK(time_in_force(*p, 1) == time(4, 4));
  CHECK(time_in_force(*p, 2) == time(3, 4));
  CHECK(time_in_force(*p, 99) == time(3, 4));
  CHECK_FALSE(time_in_force(*make_part({bar("c4:w")}), 0));
}

TEST_CASE("a clef in the middle of a measure holds from there") {
  auto m = bar("c4:h c3:h");
  lead(m, with_clef(std::nullopt, "G"));
  m.items.insert(m.items.begin() + 2, {measure_position{2}, with_clef(std::nullopt, "F")});
  auto p = make_part({m});
  CHECK(state_at(*p, 0, measure_position{1}).clef_or_default().sign == "G");
  CHECK(state_at(*p, 0, measure_position{2}).clef_or_default().sign == "F");
  CHECK(state_before(*p, 1).clef_or_default().sign == "F");
}

TEST_CASE("changes count by position although voices lie one after another") {
  // Voice 2 comes later in the list but its clef change stands earlier in time.
  measure m;
  m.items.push_back({measure_position{3}, with_clef(1, "C")});
  m.items.push_back({measure_position{1}, with_clef(1, "F")});
  part_state state;
  state.apply(m);
  CHECK(state.clef_or_default().sign == "C");
}

TEST_CASE("a clef without a number is the first staff's; a key without one is everyone's") {
  attributes a;
  a.staves = 2;
  a.keys.push_back({std::nullopt, *key_on({step::d, 0}, mode::major), {}});
  a.clefs.push_back({2, clef{"F", 4, 0}, {}});
  a.clefs.push_back({std::nullopt, clef{"C", 3, 0}, {}});
  part_state state;
  state.apply(a);
  CHECK(state.staves() == 2);
  CHECK(state.clef_or_default(1).sign == "C");
  CHECK(state.clef_or_default(2).sign == "F");
  CHECK(state.key_or_default(1).fifths == 2);
  CHECK(state.key_or_default(2).fifths == 2);
}

TEST_CASE("each staff can have a key of its own") {
  attributes a;
  a.staves = 2;
  a.keys.push_back({1, *key_on({step::d, 0}, mode::major), {}});
  a.keys.push_back({2, *key_on({step::f, 0}, mode::major), {}});
  part_state state;
  state.apply(a);
  CHECK(state.key_or_default(1).fifths == 2);
  CHECK(state.key_or_default(2).fifths == -1);
}

TEST_CASE("incomplete and overfull measures last as long as they do") {
  // Kainhofer suite 46f and 46i: measures of 2, 4 and 5 quarters under 4/4.
  auto s = one_part({"a4:q a4:q", "a4:q a4:q a4:q a4:q", "d4:q e4:q f4:q g4:q a4:q"});
  CHECK(measure_starts(*s) ==
        std::vector<quarters>{quarters{0}, quarters{2}, quarters{6}, quarters{11}});
}

TEST_CASE("the fullest part says how long a measure lasts, an empty one lasts its time signature") {
  auto a = bar("c4:h"), b = bar("c4:w"), c = bar("", "2");
  lead(a, with_time(3, 4));
  auto s = make_score({make_part({a, c}), make_part({b}, "P2")});
  CHECK(measure_starts(*s) == std::vector<quarters>{quarters{0}, quarters{4}, quarters{7}});
}

TEST_CASE("a clarinet in B flat sounds a tone lower, a horn in F a fifth, a bass an octave") {
  // MusicXML: sounding = written + chromatic + 12 * octave-change.
  auto written = *parse_pitch("c5");
  transposition clarinet, horn, bass, quarter_tone;
  clarinet.chromatic = "-2";
  horn.chromatic = "-7";
  bass.octaves = -1;
  quarter_tone.chromatic = "0.5";
  CHECK(sounding_cents(written, clarinet) == 7000);
  CHECK(sounding_cents(written, horn) == 6500);
  CHECK(sounding_cents(written, bass) == 6000);
  CHECK(sounding_cents(written, quarter_tone) == 7250);
  CHECK(sounding_cents(written, std::nullopt) == 7200);
}

TEST_CASE("what is in force is found the same way in a score that was edited and in a fresh one") {
  std::mt19937 random{11};
  std::vector<measure> measures;
  for (int i = 0; i < 300; ++i) {
    measures.push_back(bar("c4:w", std::to_string(i + 1)));
    if (i == 0) lead(measures.back(), with_time(4, 4));
  }
  auto s = make_score({make_part(measures)});
  for (int step = 0; step < 60; ++step) {
    score_draft draft{s};
    auto m = random() % s->parts[0]->measures.size();
    switch (random() % 4) {
      case 0:
        draft.insert_measure(0, m, bar("d4:w", "9"));
        if (random() % 2) lead(draft.open(0, m), with_time(3 + static_cast<int>(random() % 5), 4));
        break;
      case 1:
        if (m > 0) draft.erase_measure(0, m);
        break;
      case 2: lead(draft.open(0, m), with_time(3 + static_cast<int>(random() % 5), 8)); break;
      default: draft.renumber(0, m, "7");
    }
    // What is asked for while measures are still written to must be right, too.
    CHECK(time_in_force(draft.view(0), m) == [&] {
      std::optional<time_signature> t;
      for (std::size_t i = 0; i <= std::min(m, draft.view(0).measures.size() - 1); ++i)
        for (auto& item : draft.view(0, i).items)
          if (auto* a = std::get_if<attributes>(&item.content)) t = a->times.front().value;
      // Of several at one place the last one met counts in both.
      return t;
    }());
    s = draft.finish();
    auto& p = *s->parts[0];
    part fresh;
    for (auto& x : p.measures)
      fresh.measures.push_back(x);
    for (std::size_t i = 0; i < p.measures.size(); i += 23) {
      REQUIRE(state_before(p, i) == state_before(fresh, i));
      REQUIRE(time_in_force(p, i) == time_in_force(fresh, i));
    }
  }
}

}  // namespace fermata::walk_test
