#include "core/lang/evaluation/evaluate.hpp"
#include "core/score/analysis/passages.hpp"
#include "core/score/analysis/validate.hpp"
#include "core/score/model/spanners.hpp"
#include "core/score/model/ties.hpp"
#include "core/score/model/walk.hpp"
#include "core/session/proposals/proposals.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

#include <random>

namespace fermata::copy_measures_test {

using namespace fermata::testing;

// What is taken of a change by measures fits between what was there. Expectations are written by
// hand from the rules in copy_measures.hpp.

namespace {

score_ptr read_score(const std::string& music) {
  evaluation_request request;
  request.text = "(score (part \"P\" " + music + "))";
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  auto r = evaluate(request);
  if (!r) FAIL(render(r.error(), request.text));
  return r->score;
}

copied_measures taken(const score_ptr& before, const score_ptr& other, int first, int last) {
  auto d = diff_snapshots(before, other);
  auto partial = within_measures(d, {first, last}, *before);
  REQUIRE(partial);
  REQUIRE(applied(partial->delta, before));
  return taken_within(d, *partial, {first, last}, before);
}

std::string written(const score& s) {
  std::string text;
  for (auto& m : s.parts.at(0)->measures)
    text += (text.empty() ? "" : " | ") + spelled(*m);
  return text;
}

/// "slur 2-4, hairpin 1-1": lines by the measures of their ends, from 1.
std::string lines_of(const score& s) {
  std::string text;
  auto& p = *s.parts.at(0);
  auto found = pair_spanners(spanner_ends(p, 0, p.measures.size()));
  for (auto& [start, stop] : found.pairs)
    text += (text.empty() ? "" : ", ") + std::string{name_of(start.kind)} + " " +
            std::to_string(start.measure + 1) + "-" + std::to_string(stop.measure + 1);
  for (auto& e : found.unpaired)
    text += (text.empty() ? "" : ", ") + std::string{"half a "} + std::string{name_of(e.kind)};
  return text;
}

/// "2-4", "2-2 [3][4]": repeats with their endings.
std::string repeats_of(const score& s) {
  std::string text;
  for (auto& x : passages(*s.parts.at(0))) {
    text +=
        (text.empty() ? "" : ", ") + std::to_string(x.first + 1) + "-" + std::to_string(x.last + 1);
    for (auto& e : x.endings)
      text += " [" + std::to_string(e.first + 1) + "]";
  }
  return text;
}

std::string in_force(const part& p, std::size_t m) {
  auto state = state_at(p, m, {});
  return std::to_string(state.key_or_default().fifths) + " " +
         to_string(measure_length(state.time_or_default()).value) + " " +
         state.clef_or_default().sign;
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (auto& x : sentences)
    text += (text.empty() ? "" : "; ") + x;
  return text;
}

std::string faults(const score& s) {
  std::string text;
  for (auto& f : validate(s))
    if (f.kind != finding_kind::underfull_measure) text += f.message + "\n";
  return text;
}

std::string plain(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "(measure (note c4 :w)) ";
  return text;
}

}  // namespace

TEST_CASE("slurs and ties at the edges of what is taken are whole or gone") {
  const std::string slurred =
      "(measure (note c4 :w)) (measure (note d4 :w :slur start)) (measure (note e4 :w)) (measure "
      "(note f4 :w :slur stop)) (measure (note c4 :w))";
  const std::string slurred_higher =
      "(measure (note c4 :w)) (measure (note d4 :w :slur start)) (measure (note e5 :w)) (measure "
      "(note f5 :w :slur stop)) (measure (note c4 :w))";
  const std::string tied =
      "(measure (note c4 :w)) (measure (note c4 :w :tie start)) (measure (note c4 :w :tie stop)) "
      "(measure (note c4 :w)) (measure (note c4 :w))";
  const std::string tied_higher =
      "(measure (note c4 :w)) (measure (note d4 :w :tie start)) (measure (note d4 :w :tie stop)) "
      "(measure (note c4 :w)) (measure (note c4 :w))";
  const std::string growing =
      "(measure (note c4 :w)) (measure (cresc) (note d4 :w)) (measure (note e4 :w)) "
      "(measure (note f4 :w) (hairpin-stop)) (measure (note c4 :w))";
  const std::string two_slurs =
      "(measure (note c4 :w)) (measure (note d4 :h :slur start) (note e4 :h)) (measure (note f4 :w "
      ":slur stop)) (measure (note g4 :w)) (measure (note c4 :w))";
  const std::string two_slurs_later =
      "(measure (note c4 :w)) (measure (note d4 :h) (note e5 :h :slur start)) (measure (note f4 :w "
      ":slur stop)) (measure (note g5 :w)) (measure (note c4 :w))";
  struct row {
    std::string before, other;
    int first, last;
    std::string notes, lines, repaired;
  };
  const std::vector<row> rows{
      {plain(5), slurred, 2, 4, "c4:4 | d4:4 | e4:4 | f4:4 | c4:4", "slur 2-4", ""},
      {plain(5), slurred, 2, 3, "c4:4 | d4:4 | e4:4 | c4:4 | c4:4", "",
       "dropped at the edges: a slur out of measure 2"},
      {plain(5), slurred, 3, 4, "c4:4 | c4:4 | e4:4 | f4:4 | c4:4", "",
       "dropped at the edges: a slur into measure 4"},
      {plain(5), slurred, 3, 3, "c4:4 | c4:4 | e4:4 | c4:4 | c4:4", "", ""},
      // The slur is on both sides: it stays over the edge.
      {slurred, slurred_higher, 4, 4, "c4:4 | d4:4 | e4:4 | f5:4 | c4:4", "slur 2-4", ""},
      {slurred, slurred_higher, 3, 3, "c4:4 | d4:4 | e5:4 | f4:4 | c4:4", "slur 2-4", ""},
      {slurred, plain(5), 4, 4, "c4:4 | d4:4 | e4:4 | c4:4 | c4:4", "",
       "dropped at the edges: a slur out of measure 2"},
      {slurred, plain(5), 2, 3, "c4:4 | c4:4 | c4:4 | f4:4 | c4:4", "",
       "dropped at the edges: a slur into measure 4"},
      {plain(5), growing, 2, 3, "c4:4 | d4:4 | e4:4 | c4:4 | c4:4", "",
       "dropped at the edges: a hairpin out of measure 2"},
      {plain(5), growing, 2, 4, "c4:4 | d4:4 | e4:4 | f4:4 | c4:4", "hairpin 2-4", ""},
      {tied, tied_higher, 3, 3, "c4:4 | c4:4 | d4:4 | c4:4 | c4:4", "",
       "dropped at the edges: a tie out of measure 2, a tie into measure 3"},
      {tied, tied_higher, 2, 3, "c4:4 | d4:4~ | ~d4:4 | c4:4 | c4:4", "", ""},
      {tied, plain(5), 2, 2, "c4:4 | c4:4 | c4:4 | c4:4 | c4:4", "",
       "dropped at the edges: a tie into measure 3"},
      {plain(5), tied, 3, 3, "c4:4 | c4:4 | c4:4 | c4:4 | c4:4", "",
       "dropped at the edges: a tie into measure 3"},
      // What is the same on both sides keeps its lines, though it lies in what is taken.
      {two_slurs, two_slurs_later, 3, 4, "c4:4 | d4:2 e4:2 | f4:4 | g5:4 | c4:4", "slur 2-3", ""},
      // Two slurs that begin at a time on different notes are not one.
      {"(measure (note c4 :w :slur start)) (measure (note d4 :w :slur stop)) " + plain(2),
       "(measure (note g4 :w :slur start)) (measure (note e4 :w)) (measure (note f4 :w)) (measure "
       "(note g4 :w :slur stop))",
       2, 4, "c4:4 | e4:4 | f4:4 | g4:4", "",
       "dropped at the edges: a slur out of measure 1, a slur into measure 4"},
      {plain(4),
       "(measure (note c4 :w)) (measure (ottava :8va) (note d5 :w)) (measure (note e5 :w) (ottava "
       ":stop)) (measure (note c4 :w))",
       2, 2, "c4:4 | d5:4 | c4:4 | c4:4", "",
       "dropped at the edges: an octave line out of measure 2"},
  };
  for (auto& r : rows) {
    INFO(r.other << " " << r.first << "-" << r.last);
    auto t = taken(read_score(r.before), read_score(r.other), r.first, r.last);
    CHECK(written(*t.score) == r.notes);
    CHECK(lines_of(*t.score) == r.lines);
    CHECK(joined(t.repaired) == r.repaired);
  }
}

TEST_CASE("what is taken keeps its key, metre and clef, and behind it all is as it was") {
  struct row {
    std::string change;  ///< in measure 2
    std::string back;    ///< in measure 5
    std::string length, there, repaired;
  };
  // Fifths, length of a measure in quarters, clef.
  const std::vector<row> rows{
      {"(key d major)", "(key c major)", ":w", "2 4 G",
       "measure 3 begins with the new key; measure 4 restores the former key"},
      {"(time 3/4)", "(time 4/4)", ":h.", "0 3 G",
       "measure 3 begins with the new metre; measure 4 restores the former metre"},
      {"(clef bass)", "(clef treble)", ":w", "0 4 F",
       "measure 3 begins with the new clef; measure 4 restores the former clef"},
      {"(key d major) (time 3/4)", "(key c major) (time 4/4)", ":h.", "2 3 G",
       "measure 3 begins with the new key, metre; measure 4 restores the former key, metre"}};
  for (auto& r : rows) {
    INFO(r.change);
    auto bar = [&](const std::string& note) { return "(measure (note " + note + r.length + ")) "; };
    auto before =
        read_score("(measure (key c major) (time 4/4) (clef treble) (note c4 :w)) " + plain(4));
    auto other = read_score("(measure (key c major) (time 4/4) (clef treble) (note c4 :w)) "
                            "(measure " +
                            r.change + " (note d4 " + r.length + ")) " + bar("e4 ") + bar("f4 ") +
                            "(measure " + r.back + " (note c4 :w))");
    auto t = taken(before, other, 3, 3);
    auto& p = *t.score->parts[0];
    for (auto m : {0, 1, 3, 4})
      CHECK(in_force(p, static_cast<std::size_t>(m)) == "0 4 G");
    CHECK(in_force(p, 2) == r.there);
    CHECK(joined(t.repaired) == r.repaired);
    CHECK(faults(*t.score) == "");
    // All of it needs no repairing.
    auto all = taken(before, other, 2, 5);
    CHECK(joined(all.repaired) == "");
    CHECK(*all.score == *other);
  }
}

TEST_CASE("a repeat comes with all its signs or with none") {
  const std::string repeated =
      "(measure (note c4 :w)) (repeat (measure (note d4 :w)) (measure (note e4 :w)) (measure (note "
      "f4 :w))) (measure (note c4 :w))";
  const std::string volta =
      "(measure (note c4 :w)) (repeat (measure (note d4 :w)) (ending 1 (measure (note e4 :w))) "
      "(ending 2 (measure (note f4 :w)))) (measure (note c4 :w))";
  struct row {
    std::string before, other;
    int first, last;
    std::string repeats, repaired;
  };
  const std::string stays = " has the repeat signs and endings that were here";
  for (auto& r : std::vector<row>{
           {plain(5), repeated, 2, 4, "2-4", ""},
           {plain(5), repeated, 2, 3, "", "measure 2" + stays},
           {plain(5), repeated, 4, 5, "", "measure 4" + stays},
           {plain(5), repeated, 3, 3, "", ""},
           {repeated, plain(5), 2, 3, "2-4", "measure 2" + stays},
           {repeated, plain(5), 4, 4, "2-4", "measure 4" + stays},
           {repeated, plain(5), 2, 4, "", ""},
           {plain(5), volta, 2, 4, "2-2 [3] [4]", ""},
           {plain(5), volta, 3, 4, "", "measure 3" + stays + "; measure 4" + stays},
           {plain(5), volta, 2, 3, "", "measure 2" + stays + "; measure 3" + stays},
           {volta, plain(5), 3, 3, "2-2 [3] [4]", "measure 3" + stays},
           {volta, repeated, 4, 4, "2-2 [3] [4]", "measure 4" + stays},
       }) {
    INFO(r.other << " " << r.first << "-" << r.last);
    auto t = taken(read_score(r.before), read_score(r.other), r.first, r.last);
    CHECK(repeats_of(*t.score) == r.repeats);
    CHECK(joined(t.repaired) == r.repaired);
    auto forwards = 0, backwards = 0, begun = 0, ended = 0;
    for (auto& m : t.score->parts[0]->measures)
      for (auto& item : m->items)
        if (auto* b = std::get_if<barline>(&item.content)) {
          forwards += b->repeat == "forward";
          backwards += b->repeat == "backward";
          begun += b->ending_type == "start";
          ended += !b->ending_type.empty() && b->ending_type != "start";
        }
    CHECK(forwards == backwards);
    CHECK(begun == ended);
  }
}

TEST_CASE("beams over a barline at the edge are drawn anew") {
  auto beamed = [](const char* value) {
    auto x = parse_token("c4:8", "1", 1);
    x.notes[0].beams.push_back({1, value, {}});
    return x;
  };
  auto make = [&](const char* top, bool over) {
    std::vector<measure> measures{bar("r:h r:q r:8", "1"), bar("r:8 r:q r:h", "2"),
                                  bar("c4:w", "3")};
    auto x = beamed(over ? "begin" : "x"), y = beamed(over ? "end" : "x");
    if (!over) x.notes[0].beams.clear(), y.notes[0].beams.clear();
    y.notes[0].tone = *parse_pitch(top);
    measures[0].items.push_back({measure_position{rational{7, 2}}, x});
    measures[1].items.own()[0].content = y;
    return make_score({make_part(measures)});
  };
  auto count = [](const score& s) {
    std::size_t n = 0;
    for (auto& m : s.parts[0]->measures)
      for (auto& item : m->items)
        if (auto* x = std::get_if<chord_rest>(&item.content)) n += x->notes[0].beams.size();
    return n;
  };
  auto cut = taken(make("c4", true), make("d4", false), 2, 2);
  CHECK(count(*cut.score) == 0);
  CHECK(joined(cut.repaired) == "dropped at the edges: a beam into measure 2");
  auto kept = taken(make("c4", true), make("d4", true), 2, 2);
  CHECK(count(*kept.score) == 2);
  CHECK(joined(kept.repaired) == "");
}

TEST_CASE("a slur that comes under a slur of the same number gets another one") {
  auto before = read_score("(measure (note c4 :w :slur start)) (measure (note c4 :w)) (measure "
                           "(note c4 :w :slur stop))");
  auto other = read_score(
      "(measure (note c4 :w)) (measure (note d4 :h :slur start) (note e4 :h :slur stop)) (measure "
      "(note c4 :w))");
  auto t = taken(before, other, 2, 2);
  CHECK(lines_of(*t.score) == "slur 1-3, slur 2-2");
  CHECK(faults(*t.score) == "");
}

TEST_CASE("hairpins and octave lines that come under others are told apart by numbers") {
  // MusicXML 4.0, wedge: "the number attribute is used to distinguish overlapping wedges"; so for
  // octave-shift. A pedal has no number there.
  struct row {
    std::string start, inner, stop, lines, repaired;
  };
  for (auto& r : std::vector<row>{
           {"(cresc)", "(dim)", "(hairpin-stop)", "hairpin 1-4, hairpin 2-3", ""},
           {"(ottava :8va)", "(ottava :15ma)", "(ottava :stop)", "octave line 1-4, octave line 2-3",
            ""},
           {"(pedal :start)", "(pedal :start)", "(pedal :stop)", "pedal 1-4",
            "dropped at the edges: a pedal out of measure 2, a pedal into measure 3"}}) {
    INFO(r.start);
    auto plain_bar = [](const std::string& note) { return "(measure (note " + note + " :w)) "; };
    auto before = read_score("(measure " + r.start + " (note c4 :w)) " + plain_bar("d4") +
                             plain_bar("e4") + "(measure (note f4 :w) " + r.stop + ")");
    auto other = read_score(plain_bar("c4") + "(measure " + r.inner + " (note c5 :w)) " +
                            "(measure (note b4 :w) " + r.stop + ") " + plain_bar("f4"));
    auto t = taken(before, other, 2, 3);
    CHECK(lines_of(*t.score) == r.lines);
    CHECK(joined(t.repaired) == r.repaired);
    CHECK(faults(*t.score) == "");
  }
}

TEST_CASE("repairs name the part if there are several") {
  auto two_parts = [](const std::string& music) {
    evaluation_request request;
    request.text = "(score (part \"Oboe\" " + plain(3) + ") (part \"Horn\" " + music + "))";
    request.env = std::make_shared<const environment>();
    request.score = empty_score();
    auto r = evaluate(request);
    REQUIRE(r);
    return r->score;
  };
  auto t = taken(two_parts(plain(3)),
                 two_parts("(measure (note c4 :w)) (measure (note d4 :w :slur start)) (measure "
                           "(note e4 :w :slur stop))"),
                 2, 2);
  CHECK(joined(t.repaired) == "dropped at the edges: a slur out of Horn, measure 2");
}

TEST_CASE("whatever is taken of whatever change, the score stays well-formed") {
  std::mt19937 random{11};
  auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  constexpr auto bars = 8;
  auto any_score = [&] {
    static const std::vector<std::string> keys{"", "", "", "(key d major) ", "(key bb major) "};
    static const std::vector<std::string> clefs{"", "", "", "(clef bass) ", "(clef treble) "};
    std::vector<std::vector<std::string>> marks(bars);
    for (int from = 0; from < bars;) {
      auto to = from + 1 + below(4);
      if (below(2) == 0 && to < bars) {
        marks[static_cast<std::size_t>(from)].emplace_back(":slur start");
        marks[static_cast<std::size_t>(to)].emplace_back(":slur stop");
        from = to + 1;
      } else {
        ++from;
      }
    }
    std::string text;
    auto repeat_from = below(bars), repeat_to = repeat_from + below(bars - repeat_from);
    for (int m = 0; m < bars; ++m) {
      if (m == repeat_from) text += "(repeat ";
      text += "(measure " + keys[static_cast<std::size_t>(below(5))] +
              clefs[static_cast<std::size_t>(below(5))];
      text += std::string{"(note "} + "cdefg"[below(5)] + "4 :h";
      for (auto& mark : marks[static_cast<std::size_t>(m)])
        text += " " + mark;
      text += ") (note b4 :h)) ";
      if (m == repeat_to) text += ") ";
    }
    return read_score(text);
  };
  auto signs = [](const score& s) {
    auto open = 0;
    for (auto& m : s.parts[0]->measures)
      for (auto& item : m->items)
        if (auto* b = std::get_if<barline>(&item.content))
          open += (b->repeat == "forward") - (b->repeat == "backward");
    return open;
  };
  auto tried = 0;
  for (int round = 0; round < 150; ++round) {
    auto before = any_score(), other = any_score();
    auto first = 1 + below(bars), last = first + below(bars - first + 1);
    auto d = diff_snapshots(before, other);
    auto partial = within_measures(d, {first, last}, *before);
    if (!partial) continue;
    ++tried;
    auto t = taken_within(d, *partial, {first, last}, before);
    INFO("round " << round << ", measures " << first << " to " << last << "\n"
                  << written(*before) << "\n"
                  << written(*other) << "\n"
                  << joined(t.repaired));
    REQUIRE(faults(*t.score) == "");
    REQUIRE(signs(*t.score) == 0);
    REQUIRE(t.score->parts[0]->measures.size() == bars);
    for (std::size_t m = 0; m < bars; ++m) {
      auto in = static_cast<int>(m) + 1 >= first && static_cast<int>(m) + 1 <= last;
      auto& source = in ? *other->parts[0] : *before->parts[0];
      REQUIRE(in_force(*t.score->parts[0], m) == in_force(source, m));
      REQUIRE(spelled(*t.score->parts[0]->measures[m]) == spelled(*source.measures[m]));
    }
  }
  CHECK(tried > 100);
}

}  // namespace fermata::copy_measures_test
