#include "core/score/merge/diff.hpp"

#include "core/align.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

namespace fermata::diff_test {

using namespace fermata::testing;

namespace {

std::string text(const score_ptr& a, const score_ptr& b) { return to_text(musical_diff(*a, *b)); }

score_ptr from(std::vector<measure> measures) {
  return make_score({make_part(std::move(measures))});
}

}  // namespace

TEST_CASE("equal scores do not differ, and renumbered ones neither") {
  auto a = from({bar("c4:w", "1"), bar("d4:w", "2")});
  CHECK(text(a, from({bar("c4:w", "1"), bar("d4:w", "2")})) == "no difference\n");
  CHECK(text(a, from({bar("c4:w", "7"), bar("d4:w", "8")})) == "no difference\n");
}

TEST_CASE("a changed pitch is told with its place") {
  CHECK(text(from({bar("c4:q d4:q e4:h")}), from({bar("c4:q f4:q e4:h")})) ==
        "Music\n"
        "  measure 1\n"
        "    beat 2: d4:q -> f4:q (pitch)\n");
}

TEST_CASE("length, ties, marks, lines and words are told apart") {
  auto m = bar("c4:h c4:h");
  auto& n = std::get<chord_rest>(m.items[1].content).notes[0];
  n.marks.push_back({mark_kind::staccato, "", {}});
  n.lyrics.push_back({"1", {{"", "begin", "A", {}}, {"", "", "ve", {}}}});
  auto tied = bar("c4:h~ c4:h");
  CHECK(text(from({bar("c4:h c4:h")}), from({m})) ==
        "Music\n  measure 1\n"
        "    beat 3: c4:h -> c4:h (staccato, \"A-ve\") (marks, lyrics)\n");
  CHECK(text(from({bar("c4:h c4:h")}), from({tied})) ==
        "Music\n  measure 1\n    beat 1: c4:h -> c4:h (tied) (tie)\n");
  CHECK(text(from({bar("c4:q. d4:8")}), from({bar("c4:q d4:q")})) ==
        "Music\n  measure 1\n"
        "    beat 1: c4:q. -> c4:q (length)\n"
        "    + beat 2: d4:q\n"
        "    - beat 2+1/2: d4:8\n");
}

TEST_CASE("places are counted in beats of the metre, as selectors count them") {
  // The fourth eighth of 6/8 is beat 4, the second half of 2/2 beat 2; selector.hpp says so.
  CHECK(text(one_part({"c4:8 d4:8 e4:8 f4:8 g4:8 a4:8"}, 6, 8),
             one_part({"c4:8 d4:8 e4:8 c5:8 g4:8 a4:8"}, 6, 8)) ==
        "Music\n  measure 1\n    beat 4: f4:8 -> c5:8 (pitch)\n");
  CHECK(text(one_part({"c4:h d4:q e4:q"}, 2, 2), one_part({"c4:h d4:q c5:q"}, 2, 2)) ==
        "Music\n  measure 1\n    beat 2+1/2: e4:q -> c5:q (pitch)\n");
  // The metre said in an earlier measure goes on.
  auto d = musical_diff(*one_part({"c4:q.", "c4:q d4:8"}, 3, 8),
                        *one_part({"c4:q.", "c4:q e4:8"}, 3, 8));
  REQUIRE(d.parts.size() == 1);
  CHECK(d.parts[0].measures[0].items[0].beat == rational{3});
}

TEST_CASE("a note that only moved is told as moved") {
  auto a = bar("c4:q r:q d4:q"), b = bar("c4:q r:8 d4:q");
  CHECK(text(from({a}), from({b})) == "Music\n  measure 1\n"
                                      "    beat 2: r:q -> r:8 (length)\n"
                                      "    beat 2+1/2: d4:q (position)\n");
}

TEST_CASE("an inserted measure is one line, however many follow it") {
  auto a = from({bar("c4:w", "1"), bar("d4:w", "2"), bar("e4:w", "3")});
  auto b = from({bar("c4:w", "1"), bar("g4:w", "2"), bar("d4:w", "3"), bar("e4:w", "4")});
  CHECK(text(a, b) == "Music\n  + measure 2\n");
  CHECK(text(b, a) == "Music\n  - measure 2\n");
}

TEST_CASE("neighbouring measures that go share a line") {
  auto a = from({bar("c4:w", "1"), bar("d4:w", "2"), bar("e4:w", "3"), bar("f4:w", "4")});
  CHECK(text(a, from({bar("c4:w", "1"), bar("f4:w", "2")})) == "Music\n  - measures 2 to 3\n");
}

TEST_CASE("a changed measure beside an inserted one is matched with what it is most like") {
  auto a = from({bar("c4:q d4:q e4:q f4:q", "1")});
  auto b = from({bar("a3:w", "1"), bar("c4:q d4:q e4:q g4:q", "2")});
  CHECK(text(a, b) == "Music\n"
                      "  + measure 1\n"
                      "  measure 2 (was 1)\n"
                      "    beat 4: f4:q -> g4:q (pitch)\n");
}

TEST_CASE("voices are named where there are several") {
  auto a = bar("c5:w"), b = bar("c5:w");
  add_voice(a, "e4:h f4:h", "2");
  add_voice(b, "e4:h g4:h", "2");
  CHECK(text(from({a}), from({b})) ==
        "Music\n  measure 1\n    beat 3, voice 2: f4:h -> g4:h (pitch)\n");
}

TEST_CASE("marks beside the notes are told in words") {
  auto a = bar("c4:w"), b = bar("c4:w");
  direction d;
  d.types.push_back(dynamics{{"mf"}, {}});
  lead(a, d);
  std::get<dynamics>(d.types[0]).values = {"p"};
  lead(b, d);
  barline end;
  end.style = "light-heavy";
  b.items.push_back({measure_position{4}, end});
  CHECK(text(from({a}), from({b})) == "Music\n  measure 1\n"
                                      "    beat 1: mf -> p\n"
                                      "    + beat 5: barline light-heavy\n");
}

TEST_CASE("parts that come, go and change place are told by name") {
  auto p = [](const char* id, const char* name) { return make_part({bar("c4:w")}, id, name); };
  CHECK(text(make_score({p("P1", "Flute"), p("P2", "Oboe"), p("P3", "Horn")}),
             make_score({p("P3", "Horn"), p("P1", "Flute in C"), p("P4", "Tuba")})) ==
        "parts reordered\n"
        "- Oboe (1 measure)\n"
        "Flute in C\n"
        "  name: \"Flute\" -> \"Flute in C\"\n"
        "+ Tuba (1 measure)\n");
}

TEST_CASE("titles and makers are compared") {
  auto a = one_part({"c4:w"});
  score b = *a;
  b.header.work_title = "Lied";
  b.header.creators.push_back({"composer", "Clara Schumann", {}});
  CHECK(to_text(musical_diff(*a, b)) ==
        "+ title: \"Lied\"\n+ creators: \"composer: Clara Schumann\"\n");
}

TEST_CASE("a common subsequence is longest and in order") {
  auto length = [](const std::string& a, const std::string& b) {
    std::vector<char> x(a.begin(), a.end()), y(b.begin(), b.end());
    auto pairs = common_subsequence(x, y);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      CHECK(x[pairs[i].first] == y[pairs[i].second]);
      if (i > 0) {
        CHECK(pairs[i - 1].first < pairs[i].first);
        CHECK(pairs[i - 1].second < pairs[i].second);
      }
    }
    return pairs.size();
  };
  // Textbook example (Cormen et al., Introduction to Algorithms, 15.4).
  CHECK(length("ABCBDAB", "BDCABA") == 4);
  CHECK(length("", "ABC") == 0);
  CHECK(length("ABC", "ABC") == 3);
  CHECK(length("XABC", "ABC") == 3);
}

TEST_CASE("long scores with distant changes are aligned at their unique measures") {
  std::vector<int> a, b;
  for (int i = 0; i < 6000; ++i) {
    a.push_back(i);
    b.push_back(i);
  }
  a[0] = -1;
  b[0] = -2;
  b.erase(b.begin() + 3000);
  a.back() = -3;
  CHECK(common_subsequence(a, b).size() == 5997);
}

}  // namespace fermata::diff_test
