#include "core/score/model/score.hpp"

#include "core/score/model/content_hash.hpp"
#include "tests/core/score/notation.hpp"

#include <catch2/catch.hpp>

namespace fermata::score_test {

using namespace fermata::testing;

TEST_CASE("a measure is as long as the last sound or rest in any of its voices") {
  auto m = bar("c4:q d4:h");
  CHECK(extent(m) == quarters{3});
  add_voice(m, "e3:q", "2", 1, measure_position{3});
  CHECK(extent(m) == quarters{4});
  CHECK(extent(measure{}) == quarters{0});
}

TEST_CASE("a grace note makes no measure longer") {
  auto m = bar("c4:q");
  chord_rest grace;
  grace.grace = grace_info{};
  grace.notes.push_back(tone_note("d4"));
  m.items.push_back({measure_position{1}, grace});
  CHECK(extent(m) == quarters{1});
}

TEST_CASE("voices come in the order in which they first appear") {
  auto m = bar("c4:h", "1", "2");
  add_voice(m, "c3:h", "1");
  add_voice(m, "e3:h", "soprano");
  CHECK(voices(m) == std::vector<std::string>{"2", "1", "soprano"});
}

TEST_CASE("two scores with the same content are equal although they share nothing") {
  auto a = one_part({"c4:q d4:q e4:h", "f4:w"}), b = one_part({"c4:q d4:q e4:h", "f4:w"});
  CHECK(*a == *b);
  CHECK(content_hash(*a) == content_hash(*b));
}

TEST_CASE("every musical difference makes scores unequal and changes the hash") {
  auto base = one_part({"c4:q d4:q e4:h", "f4:w"});
  auto changed = [&](auto change) {
    auto m = *base->parts[0]->measures[0];
    change(m, std::get<chord_rest>(m.items[1].content));
    part p = *base->parts[0];
    p.measures.set(0, std::make_shared<const measure>(m));
    score s = *base;
    s.parts[0] = std::make_shared<const part>(p);
    return s;
  };
  struct row {
    const char* what;
    void (*change)(measure&, chord_rest&);
  };
  const row rows[] = {
      {"pitch", [](measure&, chord_rest& x) { x.notes[0] = tone_note("c5"); }},
      {"spelling", [](measure&, chord_rest& x) { x.notes[0] = tone_note("b#3"); }},
      {"length",
       [](measure&, chord_rest& x) {
         x.length = quarters{rational{1, 2}};
       }},
      {"voice", [](measure&, chord_rest& x) { x.voice = "2"; }},
      {"staff", [](measure&, chord_rest& x) { x.staff = 2; }},
      {"tie", [](measure&, chord_rest& x) { x.notes[0].tie.start = true; }},
      {"mark",
       [](measure&, chord_rest& x) {
         x.notes[0].marks.push_back({mark_kind::staccato, "", {}});
       }},
      {"mark text",
       [](measure&, chord_rest& x) {
         x.notes[0].marks.push_back({mark_kind::fingering, "3", {}});
       }},
      {"lyric", [](measure&, chord_rest& x) { x.notes[0].lyrics.push_back({}); }},
      {"preserved attribute",
       [](measure&, chord_rest& x) {
         x.notes[0].extra = preserved_xml{{{"color", "#FF0000"}}, {}};
       }},
      {"measure number", [](measure& m, chord_rest&) { m.number = "1a"; }},
      {"implicit", [](measure& m, chord_rest&) { m.implicit = true; }},
      {"position",
       [](measure& m, chord_rest&) {
         m.items[1].at = measure_position{rational{1, 3}};
       }},
      {"barline",
       [](measure& m, chord_rest&) {
         m.items.push_back({measure_position{4}, barline{}});
       }},
  };
  std::vector<std::uint64_t> hashes{content_hash(*base)};
  for (auto& r : rows) {
    INFO(r.what);
    auto s = changed(r.change);
    CHECK_FALSE(s == *base);
    auto h = content_hash(s);
    CHECK(std::find(hashes.begin(), hashes.end(), h) == hashes.end());
    hashes.push_back(h);
  }
}

TEST_CASE("text does not leak from one member into its neighbour in the hash") {
  score a, b;
  a.header.work_title = "Lied";
  b.header.work_number = "Lied";
  CHECK(content_hash(a) != content_hash(b));
  a.header.work_number = "op. 1";
  b.header.work_number = "op. 1Lied";
  CHECK(content_hash(a) != content_hash(b));
}

TEST_CASE("the summary names size, metre and key in musical words") {
  CHECK(summary(*empty_score()) == "empty score");
  CHECK(summary(*one_part({"c4:h."}, 3, 4)) == "1 part, 1 measure, 3/4");

  auto m = bar("c4:w");
  auto a = with_time(4, 4);
  a.keys.push_back({std::nullopt, *key_on({step::g, 0}, mode::major), {}});
  lead(m, a);
  auto p = make_part({m, bar("d4:w", "2")});
  CHECK(summary(*make_score({p, p})) == "2 parts, 2 measures, 4/4, G major");

  auto flats = bar("c4:w");
  attributes only_signature;
  only_signature.keys.push_back({std::nullopt, key_signature{}, {}});
  only_signature.keys.back().value.fifths = -2;
  lead(flats, only_signature);
  CHECK(summary(*make_score({make_part({flats})})) == "1 part, 1 measure, 2 flats");
}

TEST_CASE("the key in a summary is the sounding one where a part sounds as written") {
  auto clarinet = bar("d4:w"), violin = bar("c4:w");
  attributes a = with_time(4, 4), b = with_time(4, 4);
  a.keys.push_back({std::nullopt, *key_on({step::d, 0}, mode::major), {}});
  transposition t;
  t.chromatic = "-2";
  a.transpositions.push_back({std::nullopt, t, {}});
  b.keys.push_back({std::nullopt, *key_on({step::c, 0}, mode::major), {}});
  lead(clarinet, a);
  lead(violin, b);
  auto s = make_score({make_part({clarinet}), make_part({violin}, "P2")});
  CHECK(summary(*s) == "2 parts, 1 measure, 4/4, C major");
}

}  // namespace fermata::score_test
