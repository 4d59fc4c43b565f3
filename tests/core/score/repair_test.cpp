#include "core/lang/evaluation/evaluate.hpp"
#include "core/score/analysis/validate.hpp"
#include "core/score/edit/edit.hpp"
#include "core/score/model/spanners.hpp"
#include "core/score/model/ties.hpp"
#include "tests/core/score/notation.hpp"
#include "tests/core/score/score_after.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <map>
#include <random>
#include <set>

namespace fermata::mend_test {

using namespace fermata::testing;

// What the music around an edit keeps and what it loses. All expectations follow from the rule that
// a line or tie is whole or gone: gone when the edit takes one of its ends, else as it was.

namespace {

std::string written(const score& s) {
  std::string text;
  for (auto& m : s.parts.at(0)->measures)
    text += (text.empty() ? "" : " | ") + spelled(*m);
  return text;
}

std::string loose_ends(const score& s) {
  std::string text;
  for (auto& f : validate(s))
    if (f.kind == finding_kind::dangling_tie || f.kind == finding_kind::unclosed_line)
      text += f.message + "\n";
  return text;
}

std::vector<measure_location> places(const std::set<std::size_t>& measures) {
  std::vector<measure_location> found;
  for (auto m : measures)
    found.push_back({0, m});
  return found;
}

chord_rest& chord_of(measure& m, std::size_t item) {
  return std::get<chord_rest>(m.items.own()[item].content);
}

direction hairpin(const char* type, std::uint8_t staff) {
  direction d;
  d.types.push_back(wedge{type, 1, {}});
  d.staff = staff;
  return d;
}
direction octave(const char* type, std::uint8_t staff) {
  direction d;
  octave_shift shift;
  shift.type = type;
  d.types.push_back(shift);
  d.staff = staff;
  return d;
}

/// How many starts and stops each line has, by kind, number, staff and voice.
template <class Key>
auto counted(const score& s, Key key) {
  std::map<decltype(key(spanner_end_place{})), int> found;
  for (auto& e : spanner_ends(*s.parts[0], 0, s.parts[0]->measures.size()))
    ++found[key(e)];
  return found;
}

}  // namespace

TEST_CASE("deleting measures far apart leaves each slur whole or takes all of it") {
  // The first and second slur lose an end each and go; the third has its start on the same note.
  auto s = after({"(score (part \"P\" (measure (note c4 :w)) (measure (note c4 :w :slur start)) "
                  "(measure (note d4 :w :slur stop :slur (start 2) :slur (start 3))) "
                  "(measure (note e4 :w :slur (stop 2))) (measure (note f4 :w :slur (stop 3)))))",
                  "(delete (select :measures ((2 2) (4 4))))"});
  auto numbers = counted(*s, [](const spanner_end_place& e) { return int{e.number}; });
  CHECK(numbers == std::map<int, int>{{3, 2}});
}

TEST_CASE("any measures may be deleted at once, and no other slur is touched") {
  std::mt19937 random{9};
  auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  constexpr auto bars = 10;
  for (int round = 0; round < 400; ++round) {
    std::vector<measure> measures;
    for (int m = 0; m < bars; ++m)
      measures.push_back(bar("c4:h d4:h", std::to_string(m + 1)));
    std::map<int, std::set<std::size_t>> slurs;  // number -> the measures of its ends
    for (int number = 1; number <= 6; ++number) {
      auto start = below(2 * bars - 1), stop = start + 1 + below(2 * bars - 1 - start);
      for (auto [at, end] : {std::pair{start, span_end::start}, {stop, span_end::stop}}) {
        auto m = static_cast<std::size_t>(at) / 2;
        spanner slur{spanner_kind::slur, end, static_cast<std::uint8_t>(number), {}, {}};
        chord_of(measures[m], static_cast<std::size_t>(at) % 2).notes[0].spanners.push_back(slur);
        slurs[number].insert(m);
      }
    }
    std::set<std::size_t> gone;
    for (int i = 0; i < 4; ++i)
      gone.insert(static_cast<std::size_t>(below(bars)));
    std::map<int, int> wanted;
    for (auto& [number, ends] : slurs)
      if (std::none_of(ends.begin(), ends.end(), [&](auto m) { return gone.contains(m); }))
        wanted[number] = 2;
    auto s = delete_measures(make_score({make_part(measures)}), places(gone));
    REQUIRE(s);
    INFO("round " << round);
    CHECK(counted(**s, [](const spanner_end_place& e) { return int{e.number}; }) == wanted);
  }
}

TEST_CASE("a tie into two endings is cut only where the edit takes a note of it") {
  const std::string repeat =
      "(score (part \"P\" (measure (note c4 :w)) (repeat (measure (note d4 :h) (note e4 :h :tie "
      "start)) (ending 1 (measure (note e4 :w :tie stop))) (ending 2 (measure (note e4 :h :tie "
      "stop) (note g4 :h)))) (measure (note a4 :w))))";
  REQUIRE(written(*after({repeat})) == "c4:4 | d4:2 e4:2~ | ~e4:4 | ~e4:2 g4:2 | a4:4");
  const std::string higher = " (fn [x] (transpose M2 x)))";
  const std::vector<std::pair<std::string, std::string>> edits{
      {"(delete 2)", "c4:4 | e4:4 | e4:2 g4:2 | a4:4"},
      {"(delete 3)", "c4:4 | d4:2 e4:2~ | ~e4:2 g4:2 | a4:4"},
      {"(delete 4)", "c4:4 | d4:2 e4:2~ | ~e4:4 | a4:4"},
      {"(delete (measures 2 3))", "c4:4 | e4:2 g4:2 | a4:4"},
      {"(delete (measures 3 4))", "c4:4 | d4:2 e4:2 | a4:4"},
      {"(delete (select :measures ((2 2) (4 4))))", "c4:4 | e4:4 | a4:4"},
      {"(delete (select :measures 2 :beats (3 5)))", "c4:4 | d4:2 r:2 | e4:4 | e4:2 g4:2 | a4:4"},
      {"(delete (select :measures 3 :beats (1 5)))", "c4:4 | d4:2 e4:2~ | r:4 | ~e4:2 g4:2 | a4:4"},
      {"(delete (select :measures 4 :beats (1 2)))", "c4:4 | d4:2 e4:2~ | ~e4:4 | r:2 g4:2 | a4:4"},
      {"(delete (select :measures (3 4)))", "c4:4 | d4:2 e4:2 | a4:4"},
      {"(edit (select :measures 2 :beats (3 5))" + higher,
       "c4:4 | d4:2 f#4:2 | e4:4 | e4:2 g4:2 | a4:4"},
      {"(edit (select :measures 3 :beats (1 5))" + higher,
       "c4:4 | d4:2 e4:2~ | f#4:4 | ~e4:2 g4:2 | a4:4"},
      {"(edit (select :measures 4 :beats (1 2))" + higher,
       "c4:4 | d4:2 e4:2~ | ~e4:4 | f#4:2 g4:2 | a4:4"},
      {"(edit (select :measures (2 3))" + higher, "c4:4 | e4:2 f#4:2~ | ~f#4:4 | e4:2 g4:2 | a4:4"},
      {"(edit (select :measures (2 4))" + higher,
       "c4:4 | e4:2 f#4:2~ | ~f#4:4 | ~f#4:2 a4:2 | a4:4"},
      {"(replace (select :measures 2 :beats (3 5)) (note f#4 :h))",
       "c4:4 | d4:2 f#4:2 | e4:4 | e4:2 g4:2 | a4:4"},
      {"(replace (select :measures 3 :beats (1 5)) (note f#4 :w))",
       "c4:4 | d4:2 e4:2~ | f#4:4 | ~e4:2 g4:2 | a4:4"},
      {"(replace (select :measures 4 :beats (1 2)) (note f#4 :h))",
       "c4:4 | d4:2 e4:2~ | ~e4:4 | f#4:2 g4:2 | a4:4"},
      {"(replace (measures 2) (measure (note f4 :w)))", "c4:4 | f4:4 | e4:4 | e4:2 g4:2 | a4:4"},
      {"(replace (measures 3) (ending 1 (measure (note f4 :w))))",
       "c4:4 | d4:2 e4:2~ | f4:4 | ~e4:2 g4:2 | a4:4"},
      {"(replace (measures 3) (measure (note f4 :w)))",
       "c4:4 | d4:2 e4:2~ | f4:4 | ~e4:2 g4:2 | a4:4"},
      {"(replace (measures 4) (ending 2 (measure (note f4 :w))))",
       "c4:4 | d4:2 e4:2~ | ~e4:4 | f4:4 | a4:4"},
  };
  for (auto& [edit, wanted] : edits) {
    INFO(edit);
    auto s = after({repeat, edit});
    CHECK(written(*s) == wanted);
    CHECK(loose_ends(*s) == "");
  }
}

TEST_CASE("a tie into three endings stays as long as one of them has the note, however long") {
  auto ending = [](int n, std::string first) {
    return "(ending " + std::to_string(n) + " (measure " + first +
           ") (measure (note g4 :w)) (measure (note a4 :w))) ";
  };
  const std::string tied = "(note e4 :w :tie stop)";
  auto repeat = "(score (part \"P\" (repeat (measure (note e4 :w :tie start)) " + ending(1, tied) +
                ending(2, tied) + ending(3, tied) + ") (measure (note c4 :w))))";
  // Each set of endings that lose their first note, as notes and as measures.
  for (auto* taken : {"", " :beats (1 5)"})
    for (unsigned set = 0; set < 8; ++set) {
      std::string which, wanted;
      for (int n = 0; n < 3; ++n) {
        auto m = std::to_string(2 + 3 * n);
        if (set >> n & 1U) which += "(" + m + " " + m + ") ";
      }
      if (which.empty()) continue;
      auto edit = "(delete (select :measures (" + which + ")" + taken + "))";
      INFO(edit);
      auto s = after({repeat, edit});
      auto text = written(*s);
      CHECK(text.starts_with(set == 7 ? "e4:4 |" : "e4:4~ |"));
      auto stops = 0;
      for (auto at = text.find("| ~e4:4"); at != std::string::npos;
           at = text.find("| ~e4:4", at + 1))
        ++stops;
      CHECK(stops == 3 - static_cast<int>((set & 1U) + (set >> 1 & 1U) + (set >> 2)));
      // A note that begins an ending no more comes from nowhere.
      CHECK(loose_ends(*s) == "");
    }
  auto s = after({repeat, "(delete 1)"});
  CHECK(written(*s).find('~') == std::string::npos);
}

TEST_CASE("a tie does not reach past its own repeat into the endings of the next") {
  auto repeat = [](const std::string& before, const std::string& second) {
    return "(repeat (measure " + before +
           ") (ending 1 (measure (note c4 :w))) (ending 2 (measure " + second + "))) ";
  };
  auto text = "(score (part \"P\" " + repeat("(note e4 :w :tie start)", "(note e4 :w :tie stop)") +
              repeat("(note d4 :w)", "(note e4 :w :tie stop)") + "))";
  auto s = after({text});
  auto& p = *s->parts[0];
  auto first = [&](std::size_t m) {
    auto& items = p.measures[m]->items;
    std::size_t i = 0;
    while (!std::holds_alternative<chord_rest>(items[i].content))
      ++i;
    return note_place{m, i, 0};
  };
  CHECK(all_tied_to(p, first(0)) == std::vector{first(2)});
  CHECK(tied_from(p, first(2)) == first(0));
  CHECK_FALSE(tied_from(p, first(5)));
}

TEST_CASE("measures are deleted from the lines of two hands, each line whole or gone") {
  std::mt19937 random{3};
  auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  constexpr std::size_t bars = 12;
  for (int round = 0; round < 900; ++round) {
    auto kind = round % 3;  // hairpins, octave lines, slurs
    std::vector<measure> measures;
    for (std::size_t m = 0; m < bars; ++m) {
      measures.push_back(bar("c5:q d5:q e5:q f5:q", std::to_string(m + 1), "1"));
      add_voice(measures.back(), "c3:q d3:q e3:q f3:q", "5", 2);
    }
    auto put = [&](std::size_t m, int beat, int staff, bool start) {
      if (kind == 2) {
        spanner slur{spanner_kind::slur, start ? span_end::start : span_end::stop, 1, {}, {}};
        auto item = static_cast<std::size_t>(staff - 1) * 4 + static_cast<std::size_t>(beat);
        chord_of(measures[m], item).notes[0].spanners.push_back(slur);
        return;
      }
      auto on = static_cast<std::uint8_t>(staff);
      auto d = kind == 0 ? hairpin(start ? "crescendo" : "stop", on)
                         : octave(start ? "down" : "stop", on);
      measures[m].items.push_back({measure_position{rational{beat}}, d});
    };
    // On each staff one line after another.
    std::array<std::vector<std::pair<std::size_t, std::size_t>>, 2> lines;
    for (int staff = 1; staff <= 2; ++staff)
      for (int at = below(12);;) {
        auto stop = at + 1 + below(14);
        if (stop >= static_cast<int>(bars) * 4) break;
        auto from = static_cast<std::size_t>(at / 4), to = static_cast<std::size_t>(stop / 4);
        put(from, at % 4, staff, true);
        put(to, stop % 4, staff, false);
        lines[static_cast<std::size_t>(staff - 1)].emplace_back(from, to);
        at = stop + 1 + below(8);
      }
    std::set<std::size_t> gone;
    for (int runs = 1 + below(2); runs > 0; --runs) {
      auto first = static_cast<std::size_t>(below(bars - 1));
      for (auto m = first; m < std::min(bars, first + 1 + static_cast<std::size_t>(below(2))); ++m)
        gone.insert(m);
    }
    std::map<int, int> wanted;
    for (int staff = 1; staff <= 2; ++staff)
      for (auto [from, to] : lines[static_cast<std::size_t>(staff - 1)])
        if (!gone.contains(from) && !gone.contains(to)) wanted[staff] += 2;
    auto s = delete_measures(make_score({make_part(measures)}), places(gone));
    REQUIRE(s);
    INFO("round " << round);
    CHECK(counted(**s, [](const spanner_end_place& e) {
            return e.staff != 0 ? e.staff : e.voice == "5" ? 2 : 1;
          }) == wanted);
    CHECK(loose_ends(**s) == "");
  }
}

TEST_CASE("a hairpin of each voice on one staff is cut by the voice that it stands in") {
  const std::string voices =
      "(score (part \"P\" (measure (voice 1 (cresc) (note c5 :w)) (voice 2 (note c4 :h) (dim) "
      "(note d4 :h))) (measure (voice 1 (note c5 :h) (hairpin-stop) (note d5 :h)) (voice 2 (note "
      "e4 :w))) (measure (voice 1 (note f5 :w)) (voice 2 (note f4 :h) (hairpin-stop) (note f4 "
      ":h)))))";
  auto types = [](const score& s) {
    std::string text;
    for (auto& m : s.parts[0]->measures)
      for (auto& item : m->items)
        if (auto* d = std::get_if<direction>(&item.content))
          for (auto& t : d->types)
            if (auto* w = std::get_if<wedge>(&t)) text += w->type + ";";
    return text;
  };
  CHECK(types(*after({voices, "(delete 3)"})) == "crescendo;stop;");
  CHECK(types(*after({voices, "(delete 2)"})) == "diminuendo;stop;");
  CHECK(types(*after({voices, "(delete 1)"})) == "");
  CHECK(types(*after({voices, "(replace (measures 3) (measure (note f5 :w)))"})) ==
        "crescendo;stop;");
}

TEST_CASE("the voice that a mark says counts more than the one it lies in") {
  auto said = [](const char* type, const char* voice) {
    auto d = hairpin(type, 1);
    d.voice = voice;
    return d;
  };
  auto m = bar("c5:w", "1", "1");
  add_voice(m, "c4:w", "2");
  // All marks lie behind the notes, as in a file that goes back for them.
  for (auto [type, voice, beat] : {std::tuple{"crescendo", "1", 0},
                                   {"diminuendo", "2", 1},
                                   {"stop", "1", 2},
                                   {"stop", "2", 3}})
    m.items.push_back({measure_position{rational{beat}}, said(type, voice)});
  auto p = make_part({m});
  auto lines = pair_spanners(spanner_ends(*p, 0, 1));
  REQUIRE(lines.pairs.size() == 2);
  CHECK(lines.unpaired.empty());
  // Each runs for two beats.
  for (auto& [start, stop] : lines.pairs)
    CHECK(stop.at - start.at == quarters{2});
}

TEST_CASE("measures with a line that are put under a line of the same number leave both whole") {
  const std::string slurred = "(measure (note c5 :h :slur start) (note d5 :h :slur stop))";
  const std::string under_slur =
      "(score (part \"P\" (measure (note c4 :w :slur start)) (measure (note d4 :w)) (measure (note "
      "e4 :w :slur stop))))";
  const std::string growing = "(measure (cresc) (note c5 :w) (hairpin-stop))";
  const std::string under_hairpin = "(score (part \"P\" (measure (dim) (note c4 :w)) (measure "
                                    "(note d4 :w)) (measure (note e4 :w) "
                                    "(hairpin-stop))))";
  struct row {
    std::string music, edit, lines;
  };
  for (auto& r : std::vector<row>{
           {under_slur, "(replace (measures 2) " + slurred + ")", "0-2 1-1"},
           {under_slur, "(replace (measures 2) " + slurred + slurred + ")", "0-3 1-1 2-2"},
           {under_slur, "(insert-measure 2 " + slurred + ")", "0-3 1-1"},
           {under_slur, "(insert-measure 1 " + slurred + ")", "0-0 1-3"},
           {under_hairpin, "(replace (measures 2) " + growing + ")", "0-2 1-1"},
           {under_hairpin, "(insert-measure 3 " + growing + ")", "0-3 2-2"}}) {
    INFO(r.edit);
    auto s = after({r.music, r.edit});
    auto found = pair_spanners(spanner_ends(*s->parts[0], 0, 10));
    CHECK(found.unpaired.empty());
    std::set<std::string> lines;
    for (auto& [start, stop] : found.pairs)
      lines.insert(std::to_string(start.measure) + "-" + std::to_string(stop.measure));
    std::string text;
    for (auto& line : lines)
      text += (text.empty() ? "" : " ") + line;
    CHECK(text == r.lines);
    CHECK(loose_ends(*s) == "");
  }
}

}  // namespace fermata::mend_test
