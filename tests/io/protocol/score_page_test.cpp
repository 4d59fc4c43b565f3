#include "core/score/model/walk.hpp"
#include "io/protocol/dispatch.hpp"
#include "io/protocol/excerpt.hpp"
#include "io/protocol/page_cursor.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::score_page_test {

using namespace fermata::io::protocol;
namespace json = boost::json;

namespace {

/// Two parts of `n` measures with a whole note each; the key changes at measure 5 to G major.
score_ptr long_score(int n) {
  score s;
  for (auto id : {"P1", "P2"}) {
    part p;
    p.id = id;
    p.name = id == std::string{"P1"} ? "Violin" : "Cello";
    for (int i = 1; i <= n; ++i) {
      measure m;
      m.number = std::to_string(i);
      if (i == 1 || i == 5) {
        attributes a;
        key_signature k;
        k.fifths = i == 1 ? 0 : 1;
        a.keys.push_back({std::nullopt, k, {}});
        m.items.push_back({{}, a});
      }
      chord_rest event;
      event.notes.emplace_back();
      m.items.push_back({{}, event});
      p.measures.push_back(std::make_shared<const measure>(m));
    }
    s.part_list.emplace_back(s.parts.size());
    s.parts.push_back(std::make_shared<const part>(p));
  }
  return std::make_shared<const score>(std::move(s));
}

query asked(score_ptr s, std::uint64_t revision = 3) {
  session_meta meta;
  meta.slug = "test";
  auto state = empty_session(meta);
  state.score = std::move(s);
  state.revision = revision;
  query q;
  q.session = std::make_shared<const session_state>(std::move(state));
  return q;
}

answer<json::object> get(const query& q, const char* method, json::object params) {
  const auto* row = find_method(method);
  if (auto f = check(row->params, params)) return refuse(*f);
  return run(*row, q, params);
}

}  // namespace

TEST_CASE("pages of a long score follow each other without a gap and end") {
  auto q = asked(long_score(240));
  std::int64_t expected = 1;
  json::object params{{"limit", 2000}};
  int pages = 0;
  for (;; ++pages) {
    REQUIRE(pages < 100);
    auto r = get(q, "get_score", params);
    REQUIRE(r);
    CHECK(r->at("from") == expected);
    CHECK(r->at("text").as_string().size() <= 2000);
    expected = r->at("to").to_number<std::int64_t>() + 1;
    if (!r->contains("next_cursor")) break;
    params["cursor"] = r->at("next_cursor");
  }
  CHECK(expected == 241);
  CHECK(pages > 2);
}

TEST_CASE("a page of another revision is refused instead of mixing two scores") {
  auto r = get(asked(long_score(60)), "get_score", {{"limit", 2000}});
  auto next = get(asked(long_score(60), 4), "get_score",
                  {{"limit", 2000}, {"cursor", r->at("next_cursor")}});
  REQUIRE_FALSE(next);
  CHECK(next.error().code == fault_code::conflict);
  CHECK(next.error().data.at("revision") == 4);
}

TEST_CASE("a cursor that nobody gave out is refused") {
  for (auto cursor : {"", "x", "p", "p1", "p1.", "p1.3x", "pffffffffffffffffff.1", "p3d.3"})
    CHECK_FALSE(get(asked(long_score(60)), "get_score", {{"cursor", cursor}}));
}

TEST_CASE("measures come by number, one row for each part") {
  auto r = get(asked(long_score(10)), "get_measures", {{"from", 4}, {"to", 5}});
  REQUIRE(r);
  const auto& rows = r->at("measures").as_array();
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].at("measure") == 4);
  CHECK(rows[3].at("measure") == 5);
  CHECK(rows[3].at("part") == "P2");
  auto one = get(asked(long_score(10)), "get_measures", {{"from", 4}, {"part", "Cello"}});
  CHECK(one->at("measures").as_array().size() == 1);
}

TEST_CASE("a part is found by id, name or number, and a wrong one brings the nearest") {
  auto s = long_score(1);
  for (auto name : {"P2", "Cello", "2"})
    CHECK(*find_parts(*s, name) == std::vector<std::size_t>{1});
  auto f = find_parts(*s, "Celo");
  REQUIRE_FALSE(f);
  CHECK(f.error().code == fault_code::not_found);
  CHECK(std::string{f.error().data.at("hint").as_string()}.find("Cello") != std::string::npos);
}

TEST_CASE("a range outside the score says what there is") {
  auto r = get(asked(long_score(10)), "get_score", {{"from", 11}});
  REQUIRE_FALSE(r);
  CHECK(r.error().code == fault_code::out_of_range);
  CHECK(r.error().data.at("max") == 10);
  CHECK_FALSE(get(asked(long_score(10)), "get_score", {{"from", 5}, {"to", 4}}));
}

TEST_CASE("a part that is shorter than the score ends where it ends, in every format") {
  score s = *long_score(3);
  part short_one = *s.parts[1];
  short_one.measures.clear();
  short_one.measures.push_back(s.parts[1]->measures[0]);
  part empty = short_one;
  empty.id = "P3";
  empty.name = "Oboe";
  empty.measures.clear();
  s.parts[1] = std::make_shared<const part>(short_one);
  s.part_list.emplace_back(s.parts.size());
  s.parts.push_back(std::make_shared<const part>(empty));
  auto q = asked(std::make_shared<const score>(std::move(s)));
  for (auto format : {"fermata", "musicxml", "summary"}) {
    CAPTURE(format);
    for (auto& [part, has] : {std::pair{"Cello", 1}, std::pair{"Oboe", 0}}) {
      auto r = get(q, "get_score", {{"part", part}, {"from", 2}, {"to", 3}, {"format", format}});
      REQUIRE_FALSE(r);
      CHECK(r.error().code == fault_code::out_of_range);
      CHECK(r.error().message.find(part) != std::string::npos);
      CHECK(r.error().data.at("max") == has);
    }
    // What there is of it is given, and no measure that there is not.
    auto r = get(q, "get_score", {{"part", "Cello"}, {"from", 1}, {"to", 3}, {"format", format}});
    REQUIRE(r);
    CHECK(r->at("to") == 1);
    CHECK_FALSE(r->contains("next_cursor"));
    auto text = std::string{r->at("text").as_string()};
    CHECK(text.find("<measure number=\"2\"") == std::string::npos);
    // Of all parts together, the longest says where the end is.
    auto all = get(q, "get_score", {{"from", 2}, {"to", 3}, {"format", format}});
    REQUIRE(all);
    CHECK(all->at("to") == 3);
  }
}

TEST_CASE("a measure that is longer than the limit is whole, and the answer says so") {
  auto q = asked(long_score(3));
  // One measure of two parts as MusicXML has about a thousand characters.
  auto r = get(q, "get_score", {{"format", "musicxml"}, {"limit", 500}});
  REQUIRE(r);
  CHECK(r->at("text").as_string().size() > 500);
  CHECK(r->at("to") == 1);
  CHECK(r->at("over_limit") == true);
  CHECK(r->contains("next_cursor"));
  auto fits = get(q, "get_score", {{"format", "musicxml"}});
  REQUIRE(fits);
  CHECK_FALSE(fits->contains("over_limit"));
  CHECK_FALSE(get(q, "get_measures", {{"from", 1}, {"limit", 500}})->contains("over_limit"));
}

TEST_CASE("an empty score is read without complaint") {
  auto r = get(asked(empty_score()), "get_score", {});
  REQUIRE(r);
  CHECK(r->at("measures") == 0);
  CHECK_FALSE(r->contains("next_cursor"));
}

TEST_CASE("an excerpt begins with the key that holds there, and only where it is not said anew") {
  auto s = long_score(10);
  auto later = make_excerpt(*s, {{0}, 6, 8});
  REQUIRE(later.parts.front()->measures.size() == 2);
  CHECK(state_at(*later.parts.front(), 0, {}).key_or_default().fifths == 1);
  // Measures after the first are shared with the whole score.
  CHECK(later.parts.front()->measures[1] == s->parts.front()->measures[7]);
  auto at_change = make_excerpt(*s, {{0}, 4, 5});
  int keys = 0;
  for (const auto& item : at_change.parts.front()->measures.front()->items)
    if (const auto* a = std::get_if<attributes>(&item.content))
      keys += static_cast<int>(a->keys.size());
  CHECK(keys == 1);
}

}  // namespace fermata::io::score_page_test
