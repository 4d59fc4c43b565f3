#include "core/score/analysis/sounding.hpp"
#include "core/score/analysis/validate.hpp"
#include "core/score/edit/edit.hpp"
#include "core/score/model/content_hash.hpp"
#include "core/score/model/walk.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

#include <random>

namespace fermata::append_test {

using namespace fermata::testing;

namespace {

std::vector<measure_content> contents(std::string_view text) {
  std::vector<measure_content> found;
  for (auto& x : line(text))
    found.push_back(x);
  return found;
}

score_defaults in_time(int beats, int beat_type) {
  score_defaults d;
  d.time = time(beats, beat_type);
  return d;
}

/// Appends or fails the test.
edited added(const score_ptr& s, const score_cursor& at, const std::vector<measure_content>& line,
             const score_defaults& d = in_time(4, 4)) {
  auto r = append_content(s, at, d, line);
  INFO((r ? "" : r.error().first().message));
  REQUIRE(r);
  return *r;
}

std::string music(const score_ptr& s, std::size_t part = 0, const std::string& voice = "1") {
  std::string text;
  for (auto& m : s->parts.at(part)->measures)
    text += (text.empty() ? "" : " | ") + spelled(*m, voice);
  return text;
}

std::string fault(const result<edited>& r) {
  REQUIRE_FALSE(r);
  return r.error().first().message;
}

template <class T>
std::vector<std::pair<measure_position, T>> all(const measure& m) {
  std::vector<std::pair<measure_position, T>> found;
  for (auto& item : m.items)
    if (auto* x = std::get_if<T>(&item.content)) found.emplace_back(item.at, *x);
  return found;
}

}  // namespace

TEST_CASE("the first note of all makes a part and a measure with the defaults") {
  auto d = in_time(3, 4);
  d.key = *key_on({step::d, 0}, mode::major);
  auto [s, at] = added(empty_score(), {}, contents("f#4:q"), d);
  CHECK(music(s) == "f#4:1");
  auto& p = *s->parts.at(0);
  CHECK(p.id == "P1");
  CHECK(p.name == "Piano");
  CHECK(p.measures[0]->number == "1");
  auto state = state_at(p, 0, {});
  CHECK(state.time_or_default() == time(3, 4));
  CHECK(state.key_or_default().fifths == 2);
  CHECK(state.clef_or_default() == *find_clef("treble"));
  CHECK(at.measure == 0);
  CHECK(at.position == measure_position{1});
  CHECK(s->part_list == std::vector<part_list_item>{std::size_t{0}});
}

TEST_CASE("a full measure closes by itself and the next one opens with the next note") {
  auto [s, at] = added(empty_score(), {}, contents("c4:q d4:q e4:q f4:q"));
  CHECK(s->parts[0]->measures.size() == 1);
  CHECK(at.position == measure_position{4});
  auto [t, at2] = added(s, at, contents("g4:q"));
  CHECK(music(t) == "c4:1 d4:1 e4:1 f4:1 | g4:1");
  CHECK(t->parts[0]->measures[1]->number == "2");
  CHECK(at2.measure == 1);
  CHECK(at2.position == measure_position{1});
}

TEST_CASE("a note over the barline is split and tied, and the pieces show the metre") {
  struct row {
    const char* text;
    time_signature t;
    const char* expected;
  };
  // Worked out by hand from the rules that metric_spelling.hpp names.
  const row rows[] = {
      {"c4:h. d4:h e4:q", time(4, 4), "c4:3 d4:1~ | ~d4:1 e4:1"},
      {"c4:q d4:w", time(4, 4), "c4:1 d4:3~ | ~d4:1"},
      {"c4:8 d4:w", time(4, 4), "c4:1/2 d4:3/2~ ~d4:2~ | ~d4:1/2"},
      {"c4:q d4:breve", time(4, 4), "c4:1 d4:3~ | ~d4:4~ | ~d4:1"},
      {"c4:8 d4:h.", time(6, 8), "c4:1/2 d4:1~ ~d4:3/2~ | ~d4:1/2"},
      {"c4:q d4:h.", time(3, 4), "c4:1 d4:2~ | ~d4:1"},
      {"c4:h <e4_g4>:h.", time(4, 4), "c4:2 <e4_g4>:2~ | ~<e4_g4>:1"},
      {"c4:h. d4:h~ d4:q", time(4, 4), "c4:3 d4:1~ | ~d4:1~ d4:1"},
  };
  for (auto& r : rows) {
    INFO(r.text);
    score_defaults d;
    d.time = r.t;
    CHECK(music(added(empty_score(), {}, contents(r.text), d).score) == r.expected);
  }
}

TEST_CASE("a rest over the barline is split without a tie, a bar of it is a whole-measure rest") {
  auto s = added(empty_score(), {}, contents("c4:h r:breve")).score;
  CHECK(music(s) == "c4:2 r:2 | r:4 | r:2");
  auto& x = std::get<chord_rest>(s->parts[0]->measures[1]->items[0].content);
  CHECK(std::get<rest>(x.notes[0].tone).whole_measure);
  CHECK_FALSE(x.written);
}

TEST_CASE("what hangs on a divided note stays where it is heard") {
  auto line = contents("c4:h. d4:h(");
  auto& n = std::get<chord_rest>(line[1]).notes[0];
  n.marks = {{mark_kind::accent, "", {}}, {mark_kind::fermata_mark, "", {}}};
  n.lyrics.push_back({"1", {{"", "single", "la", {}}}});
  n.spanners.push_back({spanner_kind::slur, span_end::stop, 2, "", {}});
  n.spanners.push_back({spanner_kind::glissando, span_end::start, 1, "", {}});
  n.accidental = displayed_accidental{"natural", {}};
  auto s = added(empty_score(), {}, line).score;
  auto& first = std::get<chord_rest>(s->parts[0]->measures[0]->items.back().content).notes[0];
  auto& last = std::get<chord_rest>(s->parts[0]->measures[1]->items.back().content).notes[0];
  REQUIRE(first.marks.size() == 1);
  CHECK(first.marks[0].kind == mark_kind::accent);
  REQUIRE(last.marks.size() == 1);
  CHECK(last.marks[0].kind == mark_kind::fermata_mark);
  CHECK(first.lyrics.size() == 1);
  CHECK(last.lyrics.empty());
  CHECK(first.accidental);
  CHECK_FALSE(last.accidental);
  REQUIRE(first.spanners.size() == 1);
  CHECK(first.spanners[0].kind == spanner_kind::slur);
  CHECK(first.spanners[0].end == span_end::start);
  REQUIRE(last.spanners.size() == 2);
  CHECK(last.spanners[0].end == span_end::stop);
  CHECK(last.spanners[1].kind == spanner_kind::glissando);
}

namespace {

/// Triplet eighths with a bracket.
std::vector<measure_content> triplet(std::string_view pitches, rational each) {
  std::vector<measure_content> found;
  for (auto& x : line(pitches)) {
    auto y = x;
    y.length = quarters{each};
    y.tuplet = time_modification{3, 2, std::nullopt};
    found.push_back(y);
  }
  std::get<chord_rest>(found.front())
      .notes[0]
      .spanners.push_back({spanner_kind::tuplet, span_end::start, 1, "", {}});
  std::get<chord_rest>(found.back())
      .notes[0]
      .spanners.push_back({spanner_kind::tuplet, span_end::stop, 1, "", {}});
  return found;
}

}  // namespace

TEST_CASE("a tuplet is refused where the barline would leave no note value of it") {
  // A sixteenth is left: three eighths of a quarter of the ratio, and five behind the barline.
  auto [s, at] = added(empty_score(), {}, contents("c4:h. c4:8."));
  auto hash = content_hash(*s);
  auto r = append_content(s, at, in_time(4, 4), triplet("d4:q e4:q f4:q", rational{2, 3}));
  CHECK(fault(r) == "measure 1: the tuplet 3:2 crosses the barline within d4");
  CHECK(r.error().first().code == errc::overfull_measure);
  CHECK(content_hash(*s) == hash);
}

TEST_CASE("a tuplet that the barline meets between two notes gets two brackets") {
  // A dotted half and two triplet eighths leave one triplet eighth before the barline.
  auto lead_in = contents("c4:h.");
  auto two = triplet("d4:8 e4:8", rational{1, 3});
  auto [s, at] = added(empty_score(), {}, lead_in);
  std::tie(s, at) = std::pair{added(s, at, two).score, added(s, at, two).cursor};
  auto t = added(s, at, triplet("f4:8 g4:8 a4:8", rational{1, 3})).score;
  CHECK(music(t) == "c4:3 d4:1/3 e4:1/3 f4:1/3 | g4:1/3 a4:1/3");
  auto brackets = [](const measure& m) {
    std::string text;
    for (auto& item : m.items)
      if (auto* x = std::get_if<chord_rest>(&item.content)) {
        for (auto& sp : x->notes[0].spanners)
          text += sp.end == span_end::start ? "[" : "]";
        text += ".";
      }
    return text;
  };
  CHECK(brackets(*t->parts[0]->measures[0]) == ".[.].[].");
  CHECK(brackets(*t->parts[0]->measures[1]) == "[.].");
}

TEST_CASE("a key typed before the first note stands in that note's measure") {
  attributes key;
  key.keys.push_back({std::nullopt, *key_on({step::g, 0}, mode::major), {}});
  auto [s, at] = added(empty_score(), {}, {key});
  auto t = added(s, at, contents("g4:w")).score;
  CHECK(t->parts[0]->measures.size() == 1);
  CHECK(state_at(*t->parts[0], 0, {}).key_or_default().fifths == 1);
  CHECK(all<attributes>(*t->parts[0]->measures[0]).size() == 1);
}

TEST_CASE("a time signature opens a measure and cannot stand inside one") {
  auto [s, at] = added(empty_score(), {}, contents("c4:w"));
  auto [t, at2] = added(s, at, {with_time(3, 4)});
  auto u = added(t, at2, contents("d4:h. e4:q")).score;
  CHECK(music(u) == "c4:4 | d4:3 | e4:1");
  CHECK(all<attributes>(*u->parts[0]->measures[1]).size() == 1);

  auto half = added(empty_score(), {}, contents("c4:h"));
  CHECK(fault(append_content(half.score, half.cursor, in_time(4, 4), {with_time(3, 4)})) ==
        "measure 1: a time signature must be at the start of a measure, a half is already there");
}

TEST_CASE("marks stand before the next note, ends of things stay in the full measure") {
  direction forte, stop;
  forte.types.push_back(dynamics{{"f"}, {}});
  stop.types.push_back(wedge{"stop", 1, {}});
  barline final_bar;
  final_bar.style = "light-heavy";
  auto [s, at] = added(empty_score(), {}, contents("c4:w"));
  auto [t, at2] = added(s, at, {stop, final_bar});
  CHECK(t->parts[0]->measures.size() == 1);
  CHECK(all<direction>(*t->parts[0]->measures[0]).size() == 1);
  CHECK(all<barline>(*t->parts[0]->measures[0]).size() == 1);
  auto [u, at3] = added(t, at2, {forte});
  CHECK(u->parts[0]->measures.size() == 2);
  auto v = added(u, at3, contents("d4:q")).score;
  REQUIRE(all<direction>(*v->parts[0]->measures[1]).size() == 1);
  CHECK(std::holds_alternative<direction>(v->parts[0]->measures[1]->items[0].content));
}

TEST_CASE("a barline typed between notes stands there, a final one after the last note") {
  barline b;
  b.style = GENERATE("light-light", "light-heavy");
  auto [s, at] = added(empty_score(), {}, contents("c4:h"));
  auto [t, at2] = added(s, at, {b});
  auto u = added(t, at2, contents("d4:h")).score;
  auto& items = u->parts[0]->measures[0]->items;
  auto bars = all<barline>(*u->parts[0]->measures[0]);
  REQUIRE(bars.size() == 1);
  auto is_final = b.style == "light-heavy";
  CHECK(std::holds_alternative<barline>(items.back().content) == is_final);
  CHECK(bars[0].second.location == (is_final ? "right" : "middle"));
}

TEST_CASE("a second voice goes beside the first, and a second staff is declared") {
  auto [s, at] = added(empty_score(), {}, contents("c5:h d5:h"));
  score_cursor left;
  left.voice = "2";
  left.staff = 2;
  auto t = added(s, left, contents("c3:w")).score;
  CHECK(music(t) == "c5:2 d5:2");
  CHECK(music(t, 0, "2") == "c3:4");
  auto state = state_at(*t->parts[0], 0, {});
  CHECK(state.staves() == 2);
  CHECK(state.clef_or_default(2).sign == "F");
  CHECK(std::get<chord_rest>(t->parts[0]->measures[0]->items.back().content).staff == 2);
}

TEST_CASE("rests give way to notes, notes do not") {
  auto s = one_part({"r:w", "c4:w"});
  score_cursor at;
  at.position = measure_position{1};
  auto [t, at2] = added(s, at, contents("e4:q"));
  CHECK(music(t) == "r:1 e4:1 r:2 | c4:4");
  at2.measure = 1;
  at2.position = {};
  auto r = append_content(t, at2, in_time(4, 4), contents("d4:q"));
  CHECK(fault(r) == "measure 2: c4 is already there");
  CHECK(r.error().first().code == errc::misplaced);
}

TEST_CASE("a whole-measure rest takes the length of its measure") {
  auto line = contents("r:w");
  std::get<rest>(std::get<chord_rest>(line[0]).notes[0].tone).whole_measure = true;
  auto s = added(empty_score(), {}, line, in_time(3, 4)).score;
  CHECK(music(s) == "r:3");
  auto [t, at] = added(empty_score(), {}, contents("c4:q"), in_time(3, 4));
  CHECK(fault(append_content(t, at, in_time(3, 4), line)) ==
        "measure 1: a whole-measure rest needs a measure of its own");
}

TEST_CASE("a grace note goes before the note it belongs to, into the next measure if need be") {
  chord_rest grace;
  grace.grace = grace_info{};
  grace.notes.push_back(tone_note("b4"));
  auto [s, at] = added(empty_score(), {}, contents("c5:w"));
  auto [t, at2] = added(s, at, {grace});
  auto u = added(t, at2, contents("c5:q")).score;
  CHECK(music(u) == "c5:4 | b4:0 c5:1");
}

TEST_CASE("without a metre a measure never fills") {
  score_defaults d;
  d.time.fractions.clear();
  CHECK(music(added(empty_score(), {}, contents("c4:w d4:w e4:w"), d).score) == "c4:4 d4:4 e4:4");
}

TEST_CASE("a cursor beyond the score is refused") {
  score_cursor at;
  at.part = 1;
  CHECK(append_content(empty_score(), at, {}, contents("c4:q")).error().first().code ==
        errc::no_such_target);
  at.part = 0;
  at.measure = 5;
  CHECK_FALSE(append_content(one_part({"c4:w"}), at, {}, contents("c4:q")));
  // Measures are told by their numbers: behind an upbeat the last of two is 1.
  auto upbeat = std::make_shared<score>(*one_part({"c4:q", "d4:w"}));
  auto p = std::make_shared<part>(*upbeat->parts[0]);
  for (std::size_t m = 0; m < 2; ++m) {
    auto numbered = std::make_shared<measure>(*p->measures[m]);
    numbered->number = std::to_string(m);
    numbered->implicit = m == 0;
    p->measures.set(m, numbered);
  }
  upbeat->parts[0] = p;
  at.measure = 3;
  auto said = append_content(upbeat, at, {}, contents("c4:q"));
  REQUIRE_FALSE(said);
  INFO(said.error().first().message);
  CHECK(said.error().first().message.find("in measure 3, and") != std::string::npos);
  CHECK(said.error().first().message.find("has the measures 0 to 1") != std::string::npos);
}

TEST_CASE("measures are appended and numbered on") {
  auto r = append_measures(one_part({"c4:w"}), {}, {}, {bar("d4:w", ""), bar("e4:h", "")});
  REQUIRE(r);
  CHECK(music(r->score) == "c4:4 | d4:4 | e4:2");
  CHECK(r->score->parts[0]->measures[2]->number == "3");
  CHECK(r->cursor.measure == 3);
}

TEST_CASE("a pickup is measure 0 and the next measure is 1") {
  auto pickup = bar("g4:q", "");
  pickup.implicit = true;
  auto r = append_measures(empty_score(), {}, {}, {pickup});
  REQUIRE(r);
  CHECK(r->score->parts[0]->measures[0]->number == "0");
  auto [s, at] = added(r->score, r->cursor, contents("c5:w"));
  CHECK(music(s) == "g4:1 | c5:4");
  CHECK(s->parts[0]->measures[1]->number == "1");
}

TEST_CASE("a barline after a pickup closes the pickup and the music goes on in measure 1") {
  auto pickup = bar("g4:q", "");
  pickup.implicit = true;
  auto r = append_measures(empty_score(), {}, {}, {pickup});
  barline doubled;
  doubled.style = "light-light";
  auto [s, at] = added(r->score, r->cursor, {doubled});
  auto t = added(s, at, contents("c5:w")).score;
  CHECK(music(t) == "g4:1 | c5:4");
  CHECK(all<barline>(*t->parts[0]->measures[0]).size() == 1);
}

TEST_CASE("an overfull measure names the excess, the metre and the note") {
  auto r = append_measures(empty_score(), {}, {}, {bar("c4:w d4:q", "")});
  CHECK(fault(r) == "measure 1: a quarter too long for 4/4 after c4");
  auto s = append_measures(one_part({"c4:h d4:h", "e4:w"}), {}, {}, {bar("e4:h f4:q g4:q.", "")});
  CHECK(fault(s) == "measure 3: an eighth too long for 4/4 after g4");
  CHECK(append_measures(empty_score(), {}, {}, {bar("c4:w d4:q", "")}, measure_check::free));
}

TEST_CASE("every overfull measure is named, not only the first") {
  auto r = append_measures(empty_score(), {}, {},
                           {bar("c4:w d4:q", ""), bar("c4:w", ""), bar("c4:breve", "")});
  REQUIRE_FALSE(r);
  REQUIRE(r.error().diagnostics.size() == 2);
  CHECK(r.error().diagnostics[1].message == "measure 3: a whole too long for 4/4 after c4");
}

TEST_CASE("a measure after a lone clef fills the measure that the clef made") {
  attributes a;
  a.clefs.push_back({std::nullopt, clef{"F", 4, 0}, {}});
  auto [s, at] = added(empty_score(), {}, {a});
  auto r = append_measures(s, at, {}, {bar("c3:w", "")});
  REQUIRE(r);
  CHECK(music(r->score) == "c3:4");
  CHECK(state_at(*r->score->parts[0], 0, {}).clef_or_default().sign == "F");
}

TEST_CASE("parts get the next free id; a taken one is refused") {
  part p;
  p.id = "";
  p.name = "Flute";
  auto r = append_part(one_part({"c4:w"}), p);
  REQUIRE(r);
  CHECK(r->score->parts[1]->id == "P2");
  CHECK(r->cursor.part == 1);
  part again;
  again.id = "P1";
  CHECK(fault(append_part(r->score, again)) == "there is already a part with the id P1: Music");
}

TEST_CASE("a new part takes metre and key of the others") {
  part p;
  p.id = "";
  auto two = append_part(one_part({"c4:h."}, 3, 4), p);
  auto s = added(two->score, two->cursor, contents("c3:h. d3:q")).score;
  CHECK(music(s, 1) == "c3:3 | d3:1");
}

TEST_CASE("music goes on after the last note of the voice") {
  CHECK(end_of(*one_part({"c4:w", "d4:h"}), 0).measure == 1);
  CHECK(end_of(*one_part({"c4:w", "d4:h"}), 0).position == measure_position{2});
  CHECK(end_of(*one_part({"c4:w", "d4:h"}), 0, "2").position == measure_position{0});
}

TEST_CASE("whatever is appended sounds as it was written, in measures that are neither too long "
          "nor short") {
  // Random melodies in several metres, appended in random portions. Ties, splits and measures are
  // ours to choose; what is heard must be the melody.
  std::mt19937 random{1791};
  auto pick = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>{0, n - 1}(random);
  };
  const time_signature metres[] = {time(4, 4), time(3, 4), time(6, 8), time(2, 2),
                                   time(5, 4), time(7, 8), time(12, 8)};
  const char* lengths[] = {"16", "8", "8.", "q", "q.", "h", "h.", "w", "w.", "breve"};
  for (int round = 0; round < 150; ++round) {
    score_defaults d;
    d.time = metres[pick(std::size(metres))];
    auto s = empty_score();
    score_cursor at;
    struct heard {
      quarters onset, length;
      int key;
    };
    std::vector<heard> melody;
    quarters now;
    for (auto portions = 1 + pick(6); portions > 0; --portions) {
      std::vector<measure_content> line;
      for (auto notes = 1 + pick(6); notes > 0; --notes) {
        bool silent = pick(5) == 0;
        auto text = std::string{silent ? "r" : std::string{"cdefgab"[pick(7)]} + "4"} + ":" +
                    lengths[pick(std::size(lengths))];
        auto x = testing::line(text).front();
        if (!silent) melody.push_back({now, x.length, midi_key(std::get<pitch>(x.notes[0].tone))});
        now += x.length;
        line.push_back(x);
      }
      auto r = append_content(s, at, d, line);
      REQUIRE(r);
      s = r->score;
      at = r->cursor;
    }
    INFO("round " << round << " in " << to_string(d.time) << ": " << music(s));
    auto notes = sounding_notes(*s);
    REQUIRE(notes);
    REQUIRE(notes->size() == melody.size());
    for (std::size_t i = 0; i < melody.size(); ++i) {
      CHECK((*notes)[i].onset == melody[i].onset);
      CHECK((*notes)[i].length == melody[i].length);
      CHECK((*notes)[i].key() == melody[i].key);
    }
    // Only the last measure may be short.
    for (auto& f : validate(*s))
      CHECK((f.kind == finding_kind::underfull_measure &&
             f.measure + 1 == s->parts[0]->measures.size()));
    for (auto& m : s->parts[0]->measures)
      for (auto& item : m->items)
        if (auto* x = std::get_if<chord_rest>(&item.content); x && x->written)
          CHECK(length(*x->written) == x->length);
  }
}

}  // namespace fermata::append_test
