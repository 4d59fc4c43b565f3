#include "core/score/model/delta.hpp"

#include "core/score/edit/edit.hpp"
#include "core/score/model/content_hash.hpp"
#include "core/score/model/draft.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <random>

namespace fermata::delta_test {

using namespace fermata::testing;

namespace {

score_ptr with_measures(const score_ptr& s, std::size_t part_index, measure_list measures) {
  part p = *s->parts[part_index];
  p.measures = std::move(measures);
  score next = *s;
  next.parts[part_index] = std::make_shared<const part>(std::move(p));
  return std::make_shared<const score>(std::move(next));
}

measure_ptr shared(measure m) { return std::make_shared<const measure>(std::move(m)); }

}  // namespace

TEST_CASE("nothing changed is an empty delta") {
  auto a = one_part({"c4:w", "d4:w"});
  CHECK(diff_snapshots(a, a).empty());
  auto rebuilt = one_part({"c4:w", "d4:w"});
  CHECK(diff_snapshots(a, rebuilt).empty());
  CHECK(to_string(summarize(diff_snapshots(a, a))) == "no change");
}

TEST_CASE("a changed measure is the only one that the delta holds") {
  auto a = one_part({"c4:w", "d4:w", "e4:w", "f4:w"});
  auto measures = a->parts[0]->measures;
  measures.set(2, shared(bar("e4:h g4:h", "3")));
  auto b = with_measures(a, 0, measures);
  auto d = diff_snapshots(a, b);
  REQUIRE(d.changed.size() == 1);
  REQUIRE(d.changed[0].measures.size() == 1);
  CHECK(d.changed[0].id == "P1");
  CHECK(d.changed[0].measures[0].first == 2);
  CHECK(d.changed[0].measures[0].before.size() == 1);
  CHECK(d.changed[0].measures[0].after.size() == 1);
  // e4 became a half (changed), g4 is new.
  CHECK(to_string(summarize(d)) == "Music, measure 3: 1 measure changed; 1 note added, 1 changed");
}

TEST_CASE("an insertion at the front and a deletion at the back do not look like a new piece") {
  std::vector<std::string> texts;
  for (int i = 0; i < 40; ++i)
    texts.push_back(std::string{"cdefgab"[i % 7]} + std::to_string(2 + i / 7) + ":w");
  auto a = one_part(texts);
  auto measures = a->parts[0]->measures;
  measures.replace(3, 0, std::array{shared(bar("c8:w", "3a"))});
  measures.replace(measures.size() - 1, 1, {});
  auto d = diff_snapshots(a, with_measures(a, 0, measures));
  REQUIRE(d.changed.size() == 1);
  REQUIRE(d.changed[0].measures.size() == 2);
  CHECK(d.changed[0].measures[0].before.empty());
  CHECK(d.changed[0].measures[1].after.empty());
  CHECK(to_string(summarize(d)) ==
        "Music, measures 3a, 40: 1 measure added, 1 removed; 1 note added, 1 removed");
}

TEST_CASE("a measure inserted in every part counts once") {
  auto m = [](const char* text, const char* number) { return bar(text, number); };
  auto a = make_score({make_part({m("c4:w", "1"), m("d4:w", "2")}, "P1", "Flute"),
                       make_part({m("c3:w", "1"), m("d3:w", "2")}, "P2", "Cello")});
  auto b = a;
  for (std::size_t i = 0; i < 2; ++i) {
    auto measures = b->parts[i]->measures;
    measures.replace(1, 0, std::array{shared(bar("r:w", "X1"))});
    b = with_measures(b, i, measures);
  }
  CHECK(to_string(summarize(diff_snapshots(a, b))) == "Flute, Cello, measure X1: 1 measure added");
}

TEST_CASE(
    "a row of measures counts once, though among rests each part tells its place differently") {
  // Music that differs everywhere, nothing but rests, two bars in turn, and rests at the end: 8
  // measures each. 3 measures of rest come in front of measure 4; measures 3 and 4 go.
  auto make = [](const std::vector<std::string>& bars, const std::string& id) {
    std::vector<measure> measures;
    for (std::size_t i = 0; i < bars.size(); ++i)
      measures.push_back(bar(bars[i], std::to_string(i + 1)));
    return make_part(std::move(measures), id, id);
  };
  auto a = make_score({make({"c4:w", "d4:w", "e4:w", "f4:w", "g4:w", "a4:w", "b4:w", "c5:w"}, "P1"),
                       make({"r:w", "r:w", "r:w", "r:w", "r:w", "r:w", "r:w", "r:w"}, "P2"),
                       make({"c4:w", "r:w", "c4:w", "r:w", "c4:w", "r:w", "c4:w", "r:w"}, "P3"),
                       make({"c4:w", "d4:w", "r:w", "r:w", "r:w", "r:w", "r:w", "r:w"}, "P4")});
  auto inserted = insert_measures(a, 3, 3);
  REQUIRE(inserted);
  auto told = summarize(diff_snapshots(a, *inserted));
  CHECK(told.measures_added == 3);
  CHECK(told.measures_removed == 0);
  CHECK(told.measures_changed == 0);
  auto back = summarize(diff_snapshots(*inserted, a));
  CHECK(back.measures_added == 0);
  CHECK(back.measures_removed == 3);
  std::vector<measure_location> which;
  for (std::size_t p = 0; p < 4; ++p)
    for (std::size_t m : {2, 3})
      which.push_back({p, m});
  auto deleted = delete_measures(a, which);
  REQUIRE(deleted);
  // With the notes in them: e4 and f4 of the first part, c4 of the third.
  CHECK(to_string(summarize(diff_snapshots(a, *deleted))) ==
        "P1, P2, P3 and 1 more, measures 3 to 4: 2 measures removed; 3 notes removed");
}

TEST_CASE("measures that are only numbered on are not told as changed") {
  auto a = one_part({"c4:w", "d4:w", "e4:w", "f4:w", "g4:w"});
  auto deleted = delete_measures(a, {{0, 1}});
  REQUIRE(deleted);
  CHECK(to_string(summarize(diff_snapshots(a, *deleted))) ==
        "Music, measure 2: 1 measure removed; 1 note removed");
  auto inserted = insert_measures(a, 2, 1);
  REQUIRE(inserted);
  CHECK(to_string(summarize(diff_snapshots(a, *inserted))) == "Music, measure 3: 1 measure added");
  CHECK(**applied(inverted(diff_snapshots(a, *inserted)), *inserted) == *a);
}

TEST_CASE("added, removed and reordered parts are told apart") {
  auto p = [](const char* id, const char* name) { return make_part({bar("c4:w d4:w")}, id, name); };
  auto a = make_score({p("P1", "Flute"), p("P2", "Oboe"), p("P3", "Horn")});
  auto b = make_score({p("P3", "Horn"), p("P1", "Flute"), p("P4", "Tuba")});
  auto d = diff_snapshots(a, b);
  CHECK(d.changed.empty());
  REQUIRE(d.added.size() == 1);
  REQUIRE(d.removed.size() == 1);
  CHECK(d.added[0].index == 2);
  CHECK(d.removed[0].index == 1);
  CHECK(to_string(summarize(d)) ==
        "Tuba added; Oboe removed; parts reordered; 2 notes added, 2 removed");
  CHECK(**applied(d, a) == *b);
  CHECK(**applied(inverted(d), b) == *a);
}

TEST_CASE("a new title is a change that can be undone") {
  auto a = one_part({"c4:w"});
  score next = *a;
  next.header.work_title = "Sonata";
  auto b = std::make_shared<const score>(next);
  auto d = diff_snapshots(a, b);
  CHECK(to_string(summarize(d)) == "title or credits changed");
  CHECK((*applied(d, a))->header.work_title == "Sonata");
  CHECK((*applied(inverted(d), b))->header.work_title.empty());
}

TEST_CASE("a delta refuses a score it was not made from and changes nothing") {
  auto a = one_part({"c4:w", "d4:w"}), b = one_part({"c4:w", "e4:w"});
  auto d = diff_snapshots(a, b);
  auto hash = content_hash(*b);

  auto twice = applied(d, b);
  REQUIRE_FALSE(twice);
  CHECK(twice.error().first().code == errc::invalid_score);
  CHECK(twice.error().first().message.find("measure 2 of Music differs") != std::string::npos);
  CHECK(content_hash(*b) == hash);

  CHECK_FALSE(applied(d, one_part({"c4:w", "d4:w", "e4:w"})));
  CHECK_FALSE(applied(d, empty_score()));
  CHECK_FALSE(applied(inverted(d), a));
}

TEST_CASE("for any two scores the delta leads there and its inverse leads back") {
  // Random edits of every kind, from fixed seeds: what holds for all of them is the definition.
  std::mt19937 random{20240229};
  auto pick = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>{0, n - 1}(random);
  };
  auto any_measure = [&] {
    const char* texts[] = {"c4:w", "d4:h e4:h", "r:w", "c4:q d4:q e4:q f4:q", "<c4_e4_g4>:w"};
    return shared(bar(texts[pick(5)], std::to_string(pick(9))));
  };
  auto any_part = [&](std::string id) {
    part p;
    p.id = std::move(id);
    for (auto n = pick(6); n > 0; --n)
      p.measures.push_back(any_measure());
    return std::make_shared<const part>(std::move(p));
  };
  for (int round = 0; round < 400; ++round) {
    score s;
    for (auto n = pick(4); n > 0; --n)  // ids may coincide
      s.parts.push_back(any_part("P" + std::to_string(pick(5))));
    auto a = std::make_shared<const score>(s);
    for (auto edits = 1 + pick(5); edits > 0; --edits) {
      auto kind = pick(7);
      if (kind == 0)
        s.parts.insert(s.parts.begin() + static_cast<long>(pick(s.parts.size() + 1)),
                       any_part("P" + std::to_string(pick(5))));
      else if (kind == 1 && !s.parts.empty())
        s.parts.erase(s.parts.begin() + static_cast<long>(pick(s.parts.size())));
      else if (kind == 2)
        std::shuffle(s.parts.begin(), s.parts.end(), random);
      else if (kind == 3)
        s.header.work_title += "x";
      else if (!s.parts.empty()) {
        auto& slot = s.parts[pick(s.parts.size())];
        part p = *slot;
        auto at = pick(p.measures.size() + 1);
        if (kind == 4)
          p.measures.replace(at, 0, std::array{any_measure()});
        else if (kind == 5 && at < p.measures.size())
          p.measures.replace(at, 1, {});
        else if (at < p.measures.size())
          p.measures.set(at, any_measure());
        else
          p.name += "y";
        slot = std::make_shared<const part>(std::move(p));
      }
    }
    auto b = std::make_shared<const score>(s);
    auto d = diff_snapshots(a, b);
    INFO("round " << round << ": " << to_string(summarize(d)));
    auto forwards = applied(d, a);
    REQUIRE(forwards);
    CHECK(**forwards == *b);
    auto back = inverted(d);
    auto backwards = applied(back, b);
    REQUIRE(backwards);
    CHECK(**backwards == *a);
    CHECK(inverted(back) == d);
    CHECK(d.empty() == (*a == *b));
  }
}

TEST_CASE("music that comes again and again is not told as changed where a measure of it goes") {
  // Two bars in turn, 400 times: whatever is compared, bar 3 looks like bar 1 and bar 5.
  std::vector<std::string> bars;
  for (int i = 0; i < 400; ++i) {
    bars.emplace_back("c4:h e4:h");
    bars.emplace_back("d4:h f4:h");
  }
  auto s = one_part(bars);
  for (std::size_t m : {1u, 2u, 399u, 798u}) {
    auto without = delete_measures(s, {{0, m}});
    REQUIRE(without);
    auto d = diff_snapshots(s, *without);
    auto told = to_string(summarize(d));
    INFO(told);
    CHECK(told.starts_with("Music, measure "));
    CHECK(told.ends_with(": 1 measure removed; 2 notes removed"));
    CHECK(**applied(d, s) == **without);
    CHECK(**applied(inverted(d), *without) == *s);
  }
}

TEST_CASE("numbers alone that change are a change, and can be undone") {
  auto s = one_part({"c4:w", "d4:w", "e4:w", "f4:w", "g4:w"});
  score_draft draft{s};
  for (std::size_t m = 1; m < 5; ++m)
    draft.renumber(0, m, std::to_string(m + 11));
  auto t = draft.finish();
  auto d = diff_snapshots(s, t);
  CHECK_FALSE(d.empty());
  CHECK(**applied(d, s) == *t);
  CHECK(**applied(inverted(d), t) == *s);
  auto told = summarize(d);
  CHECK(told.measures_changed + told.measures_added + told.measures_removed == 0);
}

namespace {

/// A part of `count` measures with few different bars, numbered from 1.
score_ptr repetitive(std::mt19937& random, std::size_t count) {
  const std::array bars{"c4:w", "d4:h e4:h", "r:w"};
  std::vector<measure> measures;
  for (std::size_t m = 0; m < count; ++m)
    measures.push_back(bar(bars[random() % bars.size()], std::to_string(m + 1)));
  return make_score({make_part(std::move(measures))});
}

void check_mirrored(const score_delta& d) {
  auto done = summarize(d), undone = summarize(inverted(d));
  CHECK(undone.measures_added == done.measures_removed);
  CHECK(undone.measures_removed == done.measures_added);
  CHECK(undone.measures_changed == done.measures_changed);
  CHECK(undone.notes_added == done.notes_removed);
  CHECK(undone.notes_removed == done.notes_added);
  CHECK(undone.notes_changed == done.notes_changed);
}

}  // namespace

TEST_CASE("deletions here and there are told as deletions, however alike the bars are") {
  std::mt19937 random{5};
  for (int round = 0; round < 300; ++round) {
    INFO("round " << round);
    auto a = repetitive(random, 14);
    std::vector<measure_location> gone;
    for (std::size_t m = 0; m < 14; ++m)
      if (random() % 4 == 0) gone.push_back({0, m});
    if (gone.empty()) continue;
    auto b = delete_measures(a, gone);
    REQUIRE(b);
    auto d = diff_snapshots(a, *b);
    auto told = summarize(d);
    CHECK(told.measures_removed == gone.size());
    CHECK(told.measures_added == 0);
    CHECK(told.measures_changed == 0);
    check_mirrored(d);
    auto there = applied(d, a), back = applied(inverted(d), *b);
    REQUIRE(there);
    REQUIRE(back);
    CHECK(**there == **b);
    CHECK(**back == *a);
  }
}

TEST_CASE("a measure put in front and one taken from the end are one each, in a row of like bars") {
  // Told by hand: the second and third bar are alike, and so are the fifth and sixth.
  auto a = one_part({"c4:w", "d4:w", "d4:w", "e4:w", "f4:w", "f4:w", "g4:w", "a4:w"});
  auto b = insert_measures(a, 1, 1);
  REQUIRE(b);
  b = delete_measures(*b, {{0, 8}});
  REQUIRE(b);
  auto d = diff_snapshots(a, *b);
  CHECK(to_string(summarize(d)) ==
        "Music, measures 2, 8: 1 measure added, 1 removed; 1 note removed");
  CHECK(to_string(summarize(inverted(d))) ==
        "Music, measures 2, 8: 1 measure added, 1 removed; 1 note added");
  std::mt19937 random{6};
  for (int round = 0; round < 300; ++round) {
    INFO("round " << round);
    auto start = repetitive(random, 14);
    std::size_t count = 1 + random() % 3, at = random() % 5;
    auto moved = insert_measures(start, at, count);
    REQUIRE(moved);
    std::vector<measure_location> last;
    for (std::size_t m = 14; m < 14 + count; ++m)
      last.push_back({0, m});
    moved = delete_measures(*moved, last);
    REQUIRE(moved);
    auto change = diff_snapshots(start, *moved);
    auto told = summarize(change);
    // No more than what was done; less where a rest bar came to stand for a rest bar.
    CHECK(told.measures_added == told.measures_removed);
    CHECK(told.measures_added + told.measures_changed <= count);
    check_mirrored(change);
  }
}

}  // namespace fermata::delta_test
