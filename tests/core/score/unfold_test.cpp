#include "core/score/analysis/unfold.hpp"

#include "core/score/analysis/jumps.hpp"
#include "core/score/analysis/validate.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

#include <sstream>

namespace fermata::unfold_test {

using namespace fermata::testing;

namespace {

/// A score from its signs: one blank-separated word per measure, made of
///   |:  forward   :|  backward   :|5  backward five times   :|j  also after jumps
///   [1,2  ending starts   ]  ending stops
///   S segno   C coda   T to coda (behind)   F fine   D D.C.   G D.S.   (as <sound>)
/// A dot is a plain measure.
score_ptr signed_score(const std::string& text) {
  std::vector<measure> measures;
  std::istringstream in{text};
  for (std::string word; in >> word;) {
    auto m = bar("c4:w", std::to_string(measures.size() + 1));
    barline left, right;
    left.location = "left";
    auto sound_at = [&](const char* attribute, measure_position at) {
      direction d;
      sound s;
      s.extra = preserved_xml{{{attribute, "yes"}}, {}};
      d.sound = s;
      d.types.push_back(words{"", {}});
      m.items.push_back({at, d});
    };
    for (std::size_t i = 0; i < word.size(); ++i) {
      auto end = measure_position{4};
      switch (word[i]) {
        case '|':
          left.repeat = "forward";
          ++i;
          break;
        case ':':
          right.repeat = "backward";
          ++i;
          if (i + 1 < word.size() && std::isdigit(static_cast<unsigned char>(word[i + 1])))
            right.repeat_times = word[++i] - '0';
          if (i + 1 < word.size() && word[i + 1] == 'j') {
            right.after_jump = "yes";
            ++i;
          }
          break;
        case '[':
          left.ending_type = "start";
          while (i + 1 < word.size() &&
                 (std::isdigit(static_cast<unsigned char>(word[i + 1])) || word[i + 1] == ','))
            left.ending_numbers += word[++i];
          break;
        case ']': right.ending_type = "stop"; break;
        case 'S': sound_at("segno", {}); break;
        case 'C': sound_at("coda", {}); break;
        case 'T': sound_at("tocoda", end); break;
        case 'F': sound_at("fine", end); break;
        case 'D': sound_at("dacapo", end); break;
        case 'G': sound_at("dalsegno", end); break;
        case '.': break;
        default: throw std::invalid_argument(word);
      }
    }
    if (left != barline{.location = "left"}) lead(m, left);
    if (right != barline{}) m.items.push_back({measure_position{4}, right});
    measures.push_back(std::move(m));
  }
  return make_score({make_part(std::move(measures))});
}

std::string played(const score& s) {
  auto order = playing_order(s);
  if (!order) return order.error().first().message;
  std::string text;
  for (auto& m : *order)
    text += (text.empty() ? "" : " ") + std::to_string(m.measure + 1);
  return text;
}

score_ptr with_words(std::vector<std::pair<std::size_t, std::string>> texts, std::size_t count) {
  std::vector<measure> measures;
  for (std::size_t i = 0; i < count; ++i) {
    auto m = bar("c4:w", std::to_string(i + 1));
    for (auto& [where, text] : texts)
      if (where == i + 1) {
        direction d;
        if (text == "segno-sign")
          d.types.push_back(segno_mark{});
        else if (text == "coda-sign")
          d.types.push_back(coda_mark{});
        else
          d.types.push_back(words{text, {}});
        auto end = text == "To Coda" || text == "coda-sign end";
        m.items.push_back({measure_position{end ? 4 : 0}, d});
      }
    measures.push_back(m);
  }
  return make_score({make_part(std::move(measures))});
}

}  // namespace

TEST_CASE("repeats, endings and jumps are played in the order that musicians read") {
  struct row {
    const char* what;
    const char* signs;
    const char* order;
  };
  // Worked out by hand. "Kainhofer" rows follow the descriptions in that suite's files.
  const row rows[] = {
      {"no signs", ". . .", "1 2 3"},
      {"a repeat", ". |:. .:| .", "1 2 3 2 3 4"},
      {"a repeat from the beginning", ". .:| .", "1 2 1 2 3"},
      {"two repeats without forward signs", ". .:| . .:| .", "1 2 1 2 3 4 3 4 5"},
      {"one measure repeated", "|:.:| .", "1 1 2"},
      {"three times", "|:. .:|3 .", "1 2 1 2 1 2 3"},
      {"once is no repeat", "|:. .:|1 .", "1 2 3"},
      {"back to back", "|:.:| |:.:| .", "1 1 2 2 3"},
      {"a forward sign that nothing ends (Kainhofer 45g)", ". |:.", "1 2"},
      {"two endings (Kainhofer 45b)", ". [1]:| [2] .", "1 2 1 3 4"},
      {"inner repeat five times (Kainhofer 45c)", ". |:. .:|5 . . . .:|1 .",
       "1 2 3 2 3 2 3 2 3 2 3 4 5 6 7 8"},
      {"eight passes (Kainhofer 45d)", ". [1]:| [2 . ]:| [3,5,7 . . ]:| [4,6]:| [8] .",
       "1 2 1 3 4 5 1 6 7 8 9 1 10 1 6 7 8 9 1 10 1 6 7 8 9 1 11 12"},
      {"endings without numbers, repeats in a row (Kainhofer 45e)",
       ". []:| [] . |::| |:. [1]:| [2]|:. .:| .", "1 2 1 3 4 5 5 6 7 6 8 9 8 9 10"},
      {"repeats inside endings (Kainhofer 45i)", ". [1 |:.:| ]:| [2|:.:| ] .",
       "1 2 3 3 4 1 5 5 6 7"},
      {"a single ending", "|:. [1]:| .", "1 2 1 3"},
      {"endings of several measures", "|:. [1 ]:| [2 ] .", "1 2 3 1 4 5 6"},
      {"1st and 2nd time, then 3rd", "|:. [1,2]:| [3] .", "1 2 1 2 1 3 4"},
      {"a repeat inside a repeat", "|:. |:.:| .:| .", "1 2 2 3 1 2 2 3 4"},
      {"da capo", ". . D", "1 2 3 1 2 3"},
      {"da capo al fine", ". F . D", "1 2 3 4 1 2"},
      {"fine means nothing before the da capo", "F .", "1 2"},
      {"dal segno", ". S . G .", "1 2 3 4 2 3 4 5"},
      {"dal segno al coda", ". S T . G C", "1 2 3 4 5 2 3 6"},
      {"da capo without repeats", "|:. .:| . D", "1 2 1 2 3 4 1 2 3 4"},
      {"da capo with repeats where the barline says so", "|:. .:|j . D", "1 2 1 2 3 4 1 2 1 2 3 4"},
      {"da capo takes the last ending", ". [1]:| [2] D", "1 2 1 3 4 1 3 4"},
      {"minuet and trio", "|:. .:| |:. F:| |:. .:| |:. D:|",
       "1 2 1 2 3 4 3 4 5 6 5 6 7 8 7 8 1 2 3 4"},
      {"a repeat in the coda is taken", ". T . D C |:.:|", "1 2 3 4 1 2 5 6 6"},
      {"dal segno in the second ending", "S [1]:| [2G .", "1 2 1 3 1 3 4"},
  };
  for (auto& r : rows) {
    INFO(r.what);
    CHECK(played(*signed_score(r.signs)) == r.order);
  }
}

TEST_CASE("each measure knows which time it is played") {
  auto order = *playing_order(*signed_score("|:. [1]:| [2] ."));
  std::vector<played_measure> expected{{0, 1}, {1, 1}, {0, 2}, {2, 2}, {3, 1}};
  CHECK(order == expected);
}

TEST_CASE("words are read where no sound element says more") {
  CHECK(played(*with_words({{2, "Fine"}, {4, "D.C. al Fine"}}, 4)) == "1 2 3 4 1 2");
  CHECK(
      played(*with_words({{2, "segno-sign"}, {3, "To Coda"}, {4, "D.S. al Coda"}, {5, "coda-sign"}},
                         5)) == "1 2 3 4 2 3 5");
  CHECK(played(*with_words({{3, "Da Capo"}}, 3)) == "1 2 3 1 2 3");
  CHECK(played(*with_words({{2, "Fine"}, {4, "dolce"}}, 4)) == "1 2 3 4");
}

TEST_CASE("al fine ignores the way to the coda, al coda ignores fine") {
  CHECK(played(*with_words({{1, "To Coda"}, {2, "Fine"}, {3, "D.C. al Fine"}, {4, "coda-sign"}},
                           4)) == "1 2 3 1 2");
  CHECK(played(*with_words({{1, "Fine"}, {2, "To Coda"}, {3, "D.C. al Coda"}, {4, "coda-sign"}},
                           4)) == "1 2 3 1 2 4");
}

TEST_CASE("of two coda signs the first leads to the second") {
  auto s = with_words({{2, "coda-sign"}, {3, "D.C. al Coda"}, {4, "coda-sign"}}, 4);
  // the first sign stands at the beginning of measure 2: the way leaves before it
  CHECK(played(*s) == "1 2 3 1 4");
}

TEST_CASE("what directions mean is read in any spelling") {
  for (auto text : {"D.C.", "D. C.", "da capo", "Da  Capo", "DC"}) {
    INFO(text);
    REQUIRE(sign_in_words(text));
    CHECK(sign_in_words(text)->jumps == jump{jump::to::beginning, "", jump_goal::unspecified, {}});
  }
  CHECK(sign_in_words("D.S. al Fine")->jumps->goal == jump_goal::fine);
  CHECK(sign_in_words("Dal Segno e poi la Coda")->jumps->goal == jump_goal::coda);
  CHECK(sign_in_words("al Coda")->to_coda);
  CHECK_FALSE(sign_in_words("dolce"));
  CHECK_FALSE(sign_in_words("con finezza"));
  CHECK_FALSE(sign_in_words(""));
}

TEST_CASE("jumps that are for certain passes wait for them") {
  auto s = signed_score("|:. D:| .");
  score t = *s;
  part p = *s->parts[0];
  auto m = *p.measures[1];
  for (auto& item : m.items)
    if (auto* d = std::get_if<direction>(&item.content))
      d->sound->extra = preserved_xml{{{"dacapo", "yes"}, {"time-only", "2"}}, {}};
  p.measures.set(1, std::make_shared<const measure>(m));
  t.parts[0] = std::make_shared<const part>(p);
  CHECK(played(t) == "1 2 1 2 1 2 3");
}

TEST_CASE("signs in any part count for all") {
  auto upper = signed_score(". . ."), lower = signed_score("|:. .:| .");
  CHECK(played(*make_score({upper->parts[0], lower->parts[0]})) == "1 2 1 2 3");
}

TEST_CASE("contradictory signs come to an end") {
  // Kainhofer 45f says that it makes no sense; that the result is finite is all there is to ask.
  for (auto text :
       {". [1,2,3] [2] ]:| . |:. [1] :| [2] . . [1 ] .", "G", "D D D", "SG SG", "T G C D",
        ":|9 :|9 :|9", "|:|: |:. .:|:|", "[1 [1 [1", "]]]:|", "[2]:| [1]:|"}) {
    INFO(text);
    auto order = playing_order(*signed_score(text));
    REQUIRE(order);
    CHECK(order->size() < 200);
  }
}

namespace {

/// `bars` with "Fine" as a sound at a place of one of them, and D.C. behind the last.
score_ptr da_capo(const std::vector<std::string>& bars, int beats, std::size_t fine_in,
                  measure_position fine_at) {
  std::vector<measure> measures;
  for (auto& text : bars)
    measures.push_back(bar(text, std::to_string(measures.size() + 1)));
  lead(measures.front(), with_time(beats, 4));
  auto sign = [](const char* attribute) {
    sound s;
    s.extra = preserved_xml{{{attribute, "yes"}}, {}};
    return s;
  };
  measures[fine_in].items.push_back({fine_at, sign("fine")});
  measures.back().items.push_back({measure_position{beats}, sign("dacapo")});
  return make_score({make_part(std::move(measures))});
}

quarters last_played(const score& s) {
  auto order = playing_order(s);
  REQUIRE(order);
  return order->back().until;
}

}  // namespace

TEST_CASE("a Fine within a measure ends the piece there") {
  // MusicXML 4.0, <sound>: fine "follows the final note or rest in a movement with a da capo".
  // A minuet that begins with a pickup: the last measure lacks the pickup's quarter.
  CHECK(last_played(*da_capo({"g4:q", "c5:h.", "e5:h d5:q", "g4:h."}, 3, 2, measure_position{2})) ==
        quarters{2});
  // Notes begin behind it.
  CHECK(last_played(*da_capo({"c4:w", "c4:h d4:q e4:q", "c4:w"}, 4, 1, measure_position{2})) ==
        quarters{2});
  // Attached to a long last note, or in front of a rest, it stands for the end of the measure.
  CHECK(last_played(*da_capo({"c4:w", "d4:h c4:h", "c4:w"}, 4, 1, measure_position{2})) ==
        quarters{});
  CHECK(last_played(*da_capo({"c4:w", "d4:q c4:q r:h", "c4:w"}, 4, 1, measure_position{1})) ==
        quarters{});
  CHECK(last_played(*da_capo({"c4:w", "c4:w", "c4:w"}, 4, 1, measure_position{4})) == quarters{});
}

TEST_CASE("more repetitions than anyone plays are refused") {
  auto s = signed_score("|:. .:|");
  part p = *s->parts[0];
  auto m = *p.measures[1];
  std::get<barline>(m.items.back().content).repeat_times = 2'000'000'000;
  p.measures.set(1, std::make_shared<const measure>(m));
  auto order = playing_order(*make_score({std::make_shared<const part>(p)}));
  REQUIRE_FALSE(order);
  CHECK(order.error().first().code == errc::out_of_range);
}

TEST_CASE("a score without measures is played in no time") {
  CHECK(playing_order(*empty_score())->empty());
}

TEST_CASE("jumps that lead nowhere are found by validation") {
  auto found = validate(*with_words({{2, "D.S. al Fine"}}, 2));
  REQUIRE(found.size() == 2);
  CHECK(found[0].message == "measure 2: D.S., but there is no segno");
  CHECK(found[1].message == "measure 2: al Fine, but there is no Fine");
}

}  // namespace fermata::unfold_test
