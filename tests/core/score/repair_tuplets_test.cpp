#include "core/lang/evaluation/evaluate.hpp"
#include "core/score/analysis/validate.hpp"
#include "core/score/edit/edit.hpp"
#include "tests/core/score/notation.hpp"
#include "tests/core/score/score_after.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace fermata::mend_tuplets_test {

using namespace fermata::testing;

// What edits leave of the brackets of tuplets. MusicXML tells brackets that are open at a time
// apart by their numbers (its documentation of the tuplet element: "the number attribute is used to
// distinguish nested tuplets"). Expectations are written by hand.

namespace {

std::string in_measure(const std::string& music) {
  return "(score (part \"P\" (measure " + music + ")))";
}

/// "1[n r 2[n n]2]1 | R": notes and rests of a voice with the brackets around them; R is a
/// whole-measure rest.
std::string bracketed(const score& s, const std::string& voice = "1") {
  std::string text;
  for (auto& m : s.parts.at(0)->measures) {
    if (!text.empty()) text += " |";
    for (auto& item : m->items) {
      auto* x = std::get_if<chord_rest>(&item.content);
      if (!x || x->grace || x->voice != voice) continue;
      std::string opening, closing;
      std::set<int> stops;
      for (auto& n : x->notes)
        for (auto& sp : n.spanners)
          if (sp.kind == spanner_kind::tuplet && sp.end == span_end::start)
            opening += std::to_string(sp.number) + "[";
          else if (sp.kind == spanner_kind::tuplet)
            stops.insert(sp.number);
      for (auto n = stops.rbegin(); n != stops.rend(); ++n)
        closing += "]" + std::to_string(*n);
      auto* silent = std::get_if<rest>(&x->notes[0].tone);
      text += (text.empty() ? "" : " ") + opening +
              (!silent                 ? "n"
               : silent->whole_measure ? "R"
                                       : "r") +
              closing;
    }
  }
  return text;
}

/// What is wrong with brackets as `bracketed` shows them: none begins with a number that is open,
/// and those that end on a note are those that were begun last.
std::string fault_in(const std::string& text) {
  std::vector<char> open;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i + 1] == '[') {
      if (std::find(open.begin(), open.end(), text[i]) != open.end()) return "opened twice";
      open.push_back(text[i]);
    } else if (text[i] == ']') {
      std::set<char> here;
      for (; i + 1 < text.size() && text[i] == ']'; i += 2)
        here.insert(text[i + 1]);
      --i;
      while (!open.empty() && here.erase(open.back()) > 0)
        open.pop_back();
      if (!here.empty()) return "closed without being open";
    }
  }
  return open.empty() ? "" : "left open";
}

std::vector<item_location> timed_items(const score& s) {
  std::vector<item_location> found;
  for (std::size_t m = 0; m < s.parts[0]->measures.size(); ++m)
    for (std::size_t i = 0; i < s.parts[0]->measures[m]->items.size(); ++i)
      if (auto* x = std::get_if<chord_rest>(&s.parts[0]->measures[m]->items[i].content);
          x && !x->grace)
        found.push_back({0, m, i});
  return found;
}

/// When each thing of a voice begins and how long it is.
std::string times(const score& s, const std::string& voice = "1") {
  std::string text;
  for (auto& m : s.parts.at(0)->measures)
    for (auto& item : m->items)
      if (auto* x = std::get_if<chord_rest>(&item.content); x && x->voice == voice)
        text += to_string(item.at.value) + "+" + to_string(x->length.value) + " ";
  return text;
}

/// 3:2 around 5:4 in its middle, 5:4 at both ends of 3:2, three deep, two beside each other.
const std::vector<std::string>& nested() {
  static const std::string five = "(tuplet 5:4 (note c4 :16) (note d4 :16) (note e4 :16) (note f4 "
                                  ":16) (note g4 :16)) ";
  static const std::vector<std::string> music{
      "(time 2/4) (tuplet 3:2 (note b4 :8) (note b4 :8) " + five + "(note b4 :8) (note b4 :8))",
      "(time 2/4) (tuplet 3:2 " + five +
          "(note b4 :8) (note b4 :8) (tuplet 3:2 (note c4 :8) (note "
          "d4 :8) (note e4 :8)))",
      "(time 2/4) (tuplet 3:2 (note c4 :q) (tuplet 3:2 (note d4 :8) (tuplet 3:2 (note e4 :16) "
      "(note "
      "f4 :16) (note g4 :16)) (note a4 :8)) (note b4 :q))",
      "(time 2/4) (tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8)) (tuplet 3:2 (note f4 :8) "
      "(tuplet 3:2 (note g4 :16) (note a4 :16) (note b4 :16)) (note c5 :8))"};
  return music;
}

}  // namespace

TEST_CASE("whatever notes of nested tuplets are deleted, every bracket stays whole") {
  for (auto& music : nested()) {
    auto s = after({in_measure(music)});
    auto brackets = bracketed(*s), all_times = times(*s);
    REQUIRE(fault_in(brackets) == "");
    auto items = timed_items(*s);
    REQUIRE(items.size() >= 7);
    for (unsigned subset = 1; subset < 1U << items.size(); ++subset) {
      std::vector<item_location> which;
      // Notes become rests within the brackets they stood in; a measure without notes is one rest.
      auto wanted = brackets;
      for (std::size_t i = 0, at = 0; i < items.size(); ++i, ++at) {
        at = wanted.find_first_of("nr", at);
        if ((subset >> i & 1U) == 0) continue;
        which.push_back(items[i]);
        wanted[at] = 'r';
      }
      auto all = which.size() == items.size();
      auto t = delete_items(s, which);
      REQUIRE(t);
      INFO(bracketed(**t));
      REQUIRE(bracketed(**t) == (all ? "R" : wanted));
      if (!all) REQUIRE(times(**t) == all_times);
    }
  }
}

TEST_CASE("a bracket over the barline goes when one measure of it becomes a whole rest") {
  // As other programs write it: quarters in 3:2 from the second beat of 2/4 on.
  auto triplet = [](const char* note, int end) {
    auto x = parse_token(note, "1", 1);
    x.tuplet = time_modification{3, 2, {}};
    if (end != 0)
      x.notes[0].spanners.push_back(
          {spanner_kind::tuplet, end < 0 ? span_end::start : span_end::stop, 1, {}, {}});
    return measure_content{x};
  };
  measure first, second;
  first.items.push_back({{}, with_time(2, 4)});
  first.items.push_back({measure_position{}, triplet("c4:2/1", -1)});
  second.number = "2";
  second.items.push_back({measure_position{}, triplet("d4:1/1", 0)});
  second.items.push_back({measure_position{rational{1}}, triplet("e4:1/1", 1)});
  auto s = make_score({make_part({first, second})});
  REQUIRE(bracketed(*s) == "1[n | n n]1");
  CHECK(bracketed(**delete_items(s, {{0, 0, 1}})) == "R | n n");
  CHECK(bracketed(**delete_items(s, {{0, 1, 0}})) == "1[n | r n]1");
  CHECK(bracketed(**delete_items(s, {{0, 1, 0}, {0, 1, 1}})) == "n | R");
}

TEST_CASE("what takes the place of notes of a tuplet comes under its bracket") {
  const std::string triplet =
      in_measure("(time 2/4) (tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8)) (note f4 :q)");
  const std::string two = in_measure(
      "(time 2/4) (tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8)) (tuplet 3:2 (note f4 :8) "
      "(note g4 :8) (note a4 :8))");
  const std::string deep = in_measure(nested()[0]);
  const std::vector<std::tuple<std::string, std::string, std::string>> edits{
      {triplet, "(replace (select :beats (1 4/3)) (tuplet 3:2 (note g5 :8)))", "1[n n n]1 n"},
      {triplet, "(replace (select :beats (4/3 5/3)) (tuplet 3:2 (note g5 :8)))", "1[n n n]1 n"},
      {triplet, "(replace (select :beats (5/3 2)) (tuplet 3:2 (note g5 :8)))", "1[n n n]1 n"},
      // A shorter thing, and rests behind it: they do not end the bracket.
      {triplet,
       "(replace (select :beats (1 5/3)) (tuplet 3:2 (note g5 :16) (note g5 :16) (note a5 "
       ":8)))",
       "1[n n n n]1 n"},
      {triplet, "(replace (select :beats (1 2)) (note g5 :q))", "n n"},
      {triplet,
       "(replace (select :beats (1 2)) (tuplet 5:4 (note c5 :16) (note c5 :16) (note c5 "
       ":16) (note c5 :16) (note c5 :16)))",
       "1[n n n n n]1 n"},
      // Another ratio in the middle: a bracket within the bracket.
      {triplet, "(replace (select :beats (4/3 5/3)) (tuplet 6:4 (note g5 :16) (note g5 :16)))",
       "1[n 2[n n]2 n]1 n"},
      {triplet, "(edit (select :beats (1 4/3)) (fn [x] (transpose P8 x)))", "1[n n n]1 n"},
      {two, "(replace (select :beats (5/3 7/3)) (tuplet 3:2 (note g5 :q)))", "n n 1[n]1 n n"},
      {two, "(replace (select :beats (4/3 2)) (tuplet 3:2 (note g5 :q)))", "1[n n]1 1[n n n]1"},
      {deep, "(replace (select :beats (5/3 7/3)) (tuplet 3:2 (note g5 :q)))", "1[n n n n n]1"},
  };
  for (auto& [music, edit, wanted] : edits) {
    INFO(edit);
    auto s = after({music, edit});
    CHECK(bracketed(*s) == wanted);
    CHECK(fault_in(bracketed(*s)) == "");
  }
}

TEST_CASE("what an edit makes of notes of a tuplet divides time as the tuplet does") {
  const std::string triplet =
      in_measure("(time 2/4) (tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8)) (note f4 :q)");
  const std::string nested =
      in_measure("(time 2/4) (tuplet 3:2 (tuplet 3:2 (note c4 :16) (note d4 :16) (note e4 :16)) "
                 "(note f4 :8) (note g4 :8)) (note a4 :q)");
  struct row {
    std::string music, edit, brackets, notes;  ///< lengths in quarters
  };
  for (auto& r : std::vector<row>{
           {triplet, "(edit (select :beats (1 4/3)) (fn [x] (rest :8)))", "1[r n n]1 n",
            "r:1/3 d4:1/3 e4:1/3 f4:1"},
           {triplet, "(edit (select :beats (4/3 5/3)) (fn [x] (rest :8)))", "1[n r n]1 n",
            "c4:1/3 r:1/3 e4:1/3 f4:1"},
           {triplet, "(edit (select :beats (5/3 2)) (fn [x] (rest :8)))", "1[n n r]1 n",
            "c4:1/3 d4:1/3 r:1/3 f4:1"},
           {triplet, "(edit (select :beats (4/3 5/3)) (fn [x] (note g4 :8)))", "1[n n n]1 n",
            "c4:1/3 g4:1/3 e4:1/3 f4:1"},
           {triplet, "(edit (select :beats (1 2)) (fn [x] (augment 1/2 x)))", "1[n r n r n r]1 n",
            "c4:1/6 r:1/6 d4:1/6 r:1/6 e4:1/6 r:1/6 f4:1"},
           {triplet, "(edit (select :beats (5/3 2)) (fn [x] (note g4 :32)))", "1[n n n r]1 n",
            "c4:1/3 d4:1/3 g4:1/12 r:1/4 f4:1"},
           {nested, "(edit (select :beats (1 10/9)) (fn [x] (rest :16)))", "1[2[r n n]2 n n]1 n",
            "r:1/9 d4:1/9 e4:1/9 f4:1/3 g4:1/3 a4:1"},
           {nested, "(edit (select :beats (11/9 4/3)) (fn [x] (note b4 :32)))",
            "1[2[n n n r]2 n n]1 n", "c4:1/9 d4:1/9 b4:1/18 r:1/18 f4:1/3 g4:1/3 a4:1"}}) {
    INFO(r.edit);
    auto s = after({r.music, r.edit});
    CHECK(bracketed(*s) == r.brackets);
    CHECK(spelled(*s->parts[0]->measures[0]) == r.notes);
  }
}

TEST_CASE("an edit of every note of a long score of triplets keeps every bracket") {
  // Some run over the barline, so that measures cannot be looked at one by one.
  std::string music = "(score (part \"P\"";
  const std::string triplet = " (tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8))";
  for (int m = 0; m < 40; ++m)
    music += " (measure (time 2/4)" +
             (m % 10 == 4   ? triplet + " (note c4 :q :tuplet start)"
              : m % 10 == 5 ? " (note c4 :q :tuplet stop)" + triplet
                            : triplet + triplet) +
             ")";
  auto s = after({music + "))"});
  auto higher = after({music + "))", "(edit (select :where note?) (fn [n] (transpose M2 n)))"});
  CHECK(bracketed(*higher) == bracketed(*s));
  CHECK(spelled(*higher->parts[0]->measures[39]) == "d4:1/3 e4:1/3 f#4:1/3 d4:1/3 e4:1/3 f#4:1/3");
  // All the first notes become rests, under the brackets that were there.
  auto rests = after({music + "))", "(delete (select :beats 1))"});
  CHECK(fault_in(bracketed(*rests)) == "");
  auto count = [](const score& x, char sign) {
    auto text = bracketed(x);
    return std::count(text.begin(), text.end(), sign);
  };
  CHECK(count(*rests, '[') == count(*s, '['));
  CHECK(count(*rests, 'r') == 40);
}

TEST_CASE("a note written again over a rest in a tuplet stands under the tuplet's bracket") {
  const std::string triplet =
      "(tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8)) (note f4 :q) (note g4 :h)";
  for (auto& [beat, from, to] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"1", "1", "4/3"}, {"4/3", "4/3", "5/3"}, {"5/3", "5/3", "2"}}) {
    INFO(beat);
    auto s = after({in_measure(triplet), "(delete (select :beats (" + from + " " + to + ")))"});
    std::vector<measure_content> line;
    chord_rest x = parse_token("a4:1/3", "1", 1);
    x.tuplet = time_modification{3, 2, {}};
    x.written = note_value{note_base::eighth, 0};
    for (auto end : {span_end::start, span_end::stop})
      x.notes[0].spanners.push_back({spanner_kind::tuplet, end, 1, {}, {}});
    line.emplace_back(x);
    score_cursor at;
    at.position = measure_position{*parse_rational(beat) - rational{1}};
    auto t = append_content(s, at, {}, line);
    REQUIRE(t);
    CHECK(bracketed(*t->score) == "1[n n n]1 n n");
    // Without a tuplet of its own nothing says that it belongs to the old one.
    x.tuplet.reset();
    x.notes[0].spanners.clear();
    auto plain = append_content(s, at, {}, {x});
    REQUIRE(plain);
    CHECK(bracketed(*plain->score) == (beat == "4/3" ? "1[n n n]1 n n" : "n n n n n"));
  }
}

TEST_CASE("an edit that leaves one end of a line takes the other one") {
  const std::string plain = " (fn [x] (note c5 :q)))";
  for (auto [first, last, kept] : {std::tuple{"1", "2", 0}, {"4", "5", 0}, {"2", "4", 2}}) {
    auto s = after({in_measure("(note c4 :q :slur start) (note d4 :q) (note e4 :q) (note f4 :q "
                               ":slur stop)"),
                    "(edit (select :beats (" + std::string{first} + " " + last + "))" + plain});
    auto ends = 0;
    for (auto& item : s->parts[0]->measures[0]->items)
      if (auto* x = std::get_if<chord_rest>(&item.content))
        ends += static_cast<int>(x->notes[0].spanners.size());
    INFO(first);
    CHECK(ends == kept);
  }
}

TEST_CASE("a bracket that somebody began and has not ended yet stays while notes are added") {
  auto s = after({in_measure("(note c4 :8 :tuplet start)"), "(note d4 :8)"});
  CHECK(bracketed(*s).substr(0, 5) == "1[n n");
}

TEST_CASE("any music may take the place of any notes, and brackets nest") {
  std::mt19937 random{4};
  auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  const std::vector<std::string> lines{
      "(note c5 :q)",
      "(note c5 :16)",
      "(tuplet 3:2 (note c5 :8))",
      "(tuplet 3:2 (note c5 :8) (note c5 :8))",
      "(tuplet 3:2 (note c5 :8) (rest :8) (note c5 :8))",
      "(tuplet 5:4 (note c5 :16) (note c5 :16))",
      "(tuplet 15:8 (note c5 :16))",
      "(tuplet 3:2 (tuplet 5:4 (note c5 :16) (note c5 :16)))",
      "(tuplet 9:4 (note c5 :8))",
      "(tuplet 3:2 (tuplet 3:2 (note c5 :8) (note c5 :8) (note c5 :8)))"};
  auto put = 0;
  for (auto round = 0; round < 600; ++round) {
    auto s = after({in_measure(nested()[below(nested().size())])});
    for (auto edit = 0; edit < 3; ++edit) {
      auto items = timed_items(*s);
      auto first = below(items.size()), end = first + 1 + below(items.size() - first);
      auto made = after({"(score)"});
      auto& text = lines[below(lines.size())];
      auto written = after({in_measure(text)});
      std::vector<measure_content> line;
      for (auto& item : written->parts[0]->measures[0]->items)
        if (auto* x = std::get_if<chord_rest>(&item.content);
            x && bracketed(*written) != "R" && (!is_rest(*x) || x->tuplet))
          line.emplace_back(*x);
      auto before = bracketed(*s);
      std::vector<item_location> which(items.begin() + static_cast<std::ptrdiff_t>(first),
                                       items.begin() + static_cast<std::ptrdiff_t>(end));
      auto t = replace_items(s, which, line);
      if (!t) continue;  // too long
      ++put;
      s = *t;
      INFO(text << "\nin the place of " << first << " to " << end << " of\n"
                << before << "\nmakes\n"
                << bracketed(*s));
      REQUIRE(fault_in(bracketed(*s)) == "");
      auto whole = quarters{};
      for (auto& item : s->parts[0]->measures[0]->items)
        if (auto* x = std::get_if<chord_rest>(&item.content)) whole += x->length;
      REQUIRE(whole == quarters{rational{2}});
    }
  }
  CHECK(put > 300);
}

}  // namespace fermata::mend_tuplets_test
