#include "core/score/model/selector.hpp"

#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

namespace fermata::selector_test {

using namespace fermata::testing;

namespace {

score_ptr quartet() {
  auto p = [](const char* id, const char* name) {
    auto first = bar("c4:q d4:q e4:q f4:q", "1");
    lead(first, with_time(4, 4));
    auto second = bar("g4:h a4:h", "2");
    add_voice(second, "c3:w", "2", 2);
    return make_part({first, second, bar("b4:w", "3"), bar("r:w", "X1")}, id, name);
  };
  return make_score({p("P1", "Violin"), p("P2", "Violin"), p("P3", "Viola"), p("P4", "Cello")});
}

std::string places(const result<std::vector<item_location>>& r, const score& s) {
  if (!r) return r.error().first().message;
  std::string text;
  for (auto& at : *r)
    if (auto* x = std::get_if<chord_rest>(&item_at(s, at).content))
      text += (text.empty() ? "" : " ") + std::to_string(at.part + 1) + "." +
              s.parts[at.part]->measures[at.measure]->number + ":" +
              (is_rest(*x) ? "r" : to_string(std::get<pitch>(x->notes[0].tone)));
  return text;
}

std::string measures(const result<std::vector<measure_location>>& r) {
  if (!r) return r.error().first().message;
  std::string text;
  for (auto& at : *r)
    text += (text.empty() ? "" : " ") + std::to_string(at.part) + "." + std::to_string(at.measure);
  return text;
}

selector of(part_selector p, std::vector<measure_range> m = {}) {
  selector s;
  s.part = std::move(p);
  s.measures = std::move(m);
  return s;
}

bool timed(const measure_content& c) { return std::holds_alternative<chord_rest>(c); }

}  // namespace

TEST_CASE("a part is found by id, by name, by place, or by a bare word") {
  auto s = quartet();
  auto first = std::vector{measure_range::only(measure_index{1})};
  CHECK(measures(selected_measures(of(part_id{"P3"}, first), *s)) == "2.0");
  CHECK(measures(selected_measures(of(part_name{"violin"}, first), *s)) == "0.0 1.0");
  CHECK(measures(selected_measures(of(part_index{2}, first), *s)) == "1.0");
  CHECK(measures(selected_measures(of(part_index{-1}, first), *s)) == "3.0");
  CHECK(measures(selected_measures(of(part_word{"cello"}, first), *s)) == "3.0");
  CHECK(measures(selected_measures(of(part_word{"P2"}, first), *s)) == "1.0");
}

TEST_CASE("a part that is not there is named, with what was meant") {
  auto s = quartet();
  auto r = selected_measures(of(part_word{"viloa"}), *s);
  REQUIRE_FALSE(r);
  CHECK(r.error().first().code == errc::no_such_target);
  CHECK(r.error().first().message == "unknown part \"viloa\"");
  CHECK(r.error().first().hint == "did you mean \"Viola\"?");
  CHECK(measures(selected_measures(of(part_index{5}), *s)) ==
        "there is no part 5; the score has 4");
  CHECK(measures(selected_measures(of(part_index{0}), *s)) ==
        "there is no part 0; the score has 4");
}

TEST_CASE("measures are found by number, place, from the end, and with open ends") {
  auto s = quartet();
  auto in_cello = [&](measure_range r) {
    return measures(selected_measures(of(part_id{"P4"}, {r}), *s));
  };
  CHECK(in_cello(measure_range::only(measure_number{"X1"})) == "3.3");
  CHECK(in_cello(measure_range::only(measure_index{-1})) == "3.3");
  CHECK(in_cello({measure_number{"2"}, measure_number{"3"}}) == "3.1 3.2");
  CHECK(in_cello({measure_number{"3"}, std::nullopt}) == "3.2 3.3");
  CHECK(in_cello({std::nullopt, measure_index{-3}}) == "3.0 3.1");
  CHECK(in_cello(measure_range::only(measure_number{"99"})) ==
        "there is no measure 99; Cello has 1 to X1");
  CHECK(in_cello({measure_number{"3"}, measure_number{"2"}}) == "measure 2 comes before measure 3");
}

TEST_CASE("ranges join and each measure is selected once") {
  auto s = quartet();
  CHECK(measures(selected_measures(of(part_id{"P1"}, {{measure_index{2}, measure_index{3}},
                                                      {measure_index{1}, measure_index{2}}}),
                                   *s)) == "0.0 0.1 0.2");
}

TEST_CASE("with all parts meant, a measure that some parts lack is taken from those that have it") {
  auto s = make_score(
      {make_part({bar("c4:w")}, "P1"), make_part({bar("c4:w"), bar("d4:w", "2")}, "P2")});
  selector second;
  second.measures = {measure_range::only(measure_number{"2"})};
  CHECK(measures(selected_measures(second, *s)) == "1.1");
  second.measures = {measure_range::only(measure_number{"3"})};
  CHECK(measures(selected_measures(second, *s)) == "there is no measure 3; Music has 1 to 1");
}

TEST_CASE("staff and voice narrow the selection") {
  auto s = quartet();
  auto sel = of(part_id{"P1"}, {measure_range::only(measure_number{"2"})});
  sel.kind = timed;
  CHECK(places(selected_items(sel, *s), *s) == "1.2:g4 1.2:a4 1.2:c3");
  sel.staff = 2;
  CHECK(places(selected_items(sel, *s), *s) == "1.2:c3");
  sel.staff = std::nullopt;
  sel.voice = "1";
  CHECK(places(selected_items(sel, *s), *s) == "1.2:g4 1.2:a4");
  sel.voice = "7";
  CHECK(places(selected_items(sel, *s), *s) == "nothing matches in voice 7 in Violin, measure 2");
}

TEST_CASE("beats count in the lower number of the time signature") {
  auto s = quartet();
  auto sel = of(part_id{"P1"}, {measure_range::only(measure_number{"1"})});
  sel.kind = timed;
  sel.beats = beat_range{2, std::nullopt};
  CHECK(places(selected_items(sel, *s), *s) == "1.1:d4");
  sel.beats = beat_range{2, rational{4}};
  CHECK(places(selected_items(sel, *s), *s) == "1.1:d4 1.1:e4");
  auto jig = one_part({"c4:q. d4:8 e4:8 f4:8"}, 6, 8);
  sel.part = part_index{1};
  sel.beats = beat_range{4, std::nullopt};
  CHECK(places(selected_items(sel, *jig), *jig) == "1.1:d4");
  CHECK(position_of_beat(rational{5, 2}, time(4, 4)) == measure_position{rational{3, 2}});
}

TEST_CASE("a predicate decides by content") {
  auto s = quartet();
  selector rests;
  rests.part = part_id{"P1"};
  rests.kind = [](const measure_content& c) {
    auto* x = std::get_if<chord_rest>(&c);
    return x && is_rest(*x);
  };
  CHECK(places(selected_items(rests, *s), *s) == "1.X1:r");
  CHECK_FALSE(rests.whole_measures());
  CHECK(of(part_id{"P1"}).whole_measures());
}

TEST_CASE("an empty score has nothing to select") {
  CHECK(measures(selected_measures({}, *empty_score())) == "the score has no parts");
}

}  // namespace fermata::selector_test
