#include "io/protocol/dispatch.hpp"
#include "io/protocol/time_text.hpp"

#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>

namespace fermata::io::history_page_test {

using namespace fermata::io::protocol;
using namespace std::chrono_literals;
namespace json = boost::json;

namespace {

const timestamp noon = std::chrono::sys_days{std::chrono::year{2026} / 3 / 1} + 12h;

/// `n` entries, one a minute from noon: values, then every third a message, every fifth a failure.
session_state timeline(int n, std::size_t length = 10) {
  session_meta meta;
  meta.slug = "test";
  auto state = empty_session(meta);
  for (int i = 1; i <= n; ++i) {
    auto e = std::make_shared<history_entry>();
    e->index = i;
    e->time = noon + std::chrono::minutes{i};
    if (i % 3 == 0) {
      e->kind = ai_message_entry{"a thought"};
      e->source = {"claude", "mcp"};
    } else {
      eval_entry v;
      v.text = std::string(length, 'x');
      if (i % 5 == 0)
        v.failure = error{errc::unknown_name, "`x` is not bound", source_span{0, 1}, "define it"};
      e->kind = v;
    }
    state.history.append(e);
  }
  return state;
}

answer<json::object> get(const session_state& s, json::object params) {
  query q;
  q.session = std::make_shared<const session_state>(s);
  q.now = noon + 100min;
  const auto* row = find_method("get_history");
  if (auto f = check(row->params, params)) return refuse(*f);
  return run(*row, q, params);
}

std::vector<std::int64_t> indices(const answer<json::object>& r) {
  std::vector<std::int64_t> out;
  REQUIRE(r);
  for (const auto& e : r->at("entries").as_array())
    out.push_back(e.at("index").as_int64());
  return out;
}

using list = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a stretch that cannot be is refused, as at the prompt") {
  auto s = timeline(10);
  for (auto& [from, to] : std::vector<std::pair<int, int>>{{0, 3}, {-3, 0}, {5, 2}, {-2, -5}}) {
    INFO(from << " to " << to);
    auto r = get(s, {{"from", from}, {"to", to}});
    REQUIRE_FALSE(r);
    CHECK(r.error().code == fault_code::out_of_range);
  }
  CHECK(indices(get(s, {{"from", -3}, {"to", 9}})) == list{8, 9});
  CHECK(indices(get(s, {{"from", 9}, {"to", -1}})) == list{9, 10});
}

TEST_CASE("without a question the last entries come, oldest first") {
  auto r = get(timeline(80), {});
  auto got = indices(r);
  CHECK(got.size() == 50);
  CHECK(got.front() == 31);
  CHECK(got.back() == 80);
  CHECK(r->at("total") == 80);
  CHECK(r->at("matching") == 80);
}

TEST_CASE("conditions hold together") {
  auto s = timeline(30);
  CHECK(indices(get(s, {{"from", 10}, {"to", 12}})) == list{10, 11, 12});
  CHECK(indices(get(s, {{"from", -2}})) == list{29, 30});
  CHECK(indices(get(s, {{"kinds", {"ai"}}, {"limit", 2}})) == list{27, 30});
  CHECK(indices(get(s, {{"errors_only", true}, {"to", 20}})) == list{5, 10, 20});
  CHECK(indices(get(s, {{"author", "claude"}, {"from", 28}})) == list{30});
  CHECK(indices(get(s, {{"since", "2026-03-01T12:29:00Z"}})) == list{29, 30});
  // Now is 100 minutes after noon.
  CHECK(indices(get(s, {{"since", "71m"}})) == list{29, 30});
  CHECK_FALSE(get(s, {{"since", "yesterday"}}));
}

TEST_CASE("pages of long entries follow each other also when new ones come meanwhile") {
  auto s = timeline(40, 3000);
  json::object params{{"limit", 40}};
  list all;
  for (int page = 0; page < 40; ++page) {
    auto r = get(s, params);
    auto got = indices(r);
    REQUIRE_FALSE(got.empty());
    all.insert(all.end(), got.begin(), got.end());
    if (!r->contains("next_cursor")) break;
    params["cursor"] = r->at("next_cursor");
    s = timeline(40 + page, 3000);
  }
  list expected;
  for (std::int64_t i = 1; i <= 40; ++i)
    expected.push_back(i);
  CHECK(all == expected);
}

TEST_CASE("a later page keeps to what is asked with it") {
  // Four entries of 3,000 characters fill a page or more: the first one ends before the tenth.
  const auto s = timeline(40, 3000);
  const json::object stretch{{"from", 2}, {"to", 30}};
  const auto first = get(s, stretch);
  const auto begun = indices(first);
  REQUIRE(begun.front() == 2);
  REQUIRE(begun.back() < 20);
  auto with = [&](json::object more) {
    more["cursor"] = first->at("next_cursor");
    return get(s, more);
  };
  CHECK(indices(with(stretch)).front() == begun.back() + 1);
  SECTION("as many entries as it says, and the rest afterwards") {
    auto page = with({{"from", 2}, {"to", 30}, {"limit", 2}});
    CHECK(indices(page) == list{begun.back() + 1, begun.back() + 2});
    CHECK(indices(get(s, {{"cursor", page->at("next_cursor")}})).front() == begun.back() + 3);
  }
  SECTION("another stretch is not that of the cursor") {
    for (const auto& other : {json::object{{"from", 20}}, json::object{{"to", 25}},
                              json::object{{"from", 20}, {"to", 40}}}) {
      INFO(json::serialize(other));
      auto page = with(other);
      REQUIRE_FALSE(page);
      CHECK(page.error().code == fault_code::invalid_params);
    }
  }
}

TEST_CASE("sessions that change places leave no session out of the pages") {
  auto rows = std::vector<session_row>(120);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].meta.slug = "s" + std::to_string(i);
    rows[i].meta.modified = noon - std::chrono::minutes{i};
  }
  auto page = [&](json::object params) {
    query q;
    q.sessions = std::make_shared<const std::vector<session_row>>(rows);
    return run(*find_method("list_sessions"), q, params);
  };
  auto first = page({});
  REQUIRE(first);
  const json::object next{{"cursor", first->at("next_cursor")}};
  auto second = page(next);
  REQUIRE(second);
  CHECK(second->at("sessions").at(0).at("session") != first->at("sessions").at(0).at("session"));
  rows[100].meta.modified = noon + 1h;  // somebody wrote there: it is the first one now
  auto moved = page(next);
  REQUIRE_FALSE(moved);
  CHECK(moved.error().code == fault_code::invalid_params);
}

TEST_CASE("an enormous entry is cut and marked") {
  auto r = get(timeline(1, 100'000), {});
  const auto& e = r->at("entries").at(0);
  CHECK(e.at("truncated") == true);
  CHECK(e.at("text").as_string().size() < 10'000);
}

TEST_CASE("a failed entry says what failed") {
  auto r = get(timeline(5), {{"from", 5}});
  const auto& e = r->at("entries").at(0);
  CHECK(e.at("ok") == false);
  CHECK(e.at("error").at("code") == "unknown-name");
}

TEST_CASE("times are read as ISO 8601 and written so") {
  // Expectations: ISO 8601, calculated by hand.
  auto t = [](std::string_view text) { return parse_time(text, noon); };
  CHECK(t("2026-03-01T12:00:00Z") == noon);
  CHECK(t("2026-03-01T12:00") == noon);
  CHECK(t("2026-03-01 12:00:00") == noon);
  CHECK(t("2026-03-01T13:00:00+01:00") == noon);
  CHECK(t("2026-03-01T06:30:00-0530") == noon);
  CHECK(t("2026-03-01T12:00:00.25Z") == noon + 250ms);
  CHECK(t("2026-03-01") == noon - 12h);
  CHECK(t("90s") == noon - 90s);
  CHECK(t("2h") == noon - 2h);
  CHECK(t("3d") == noon - 72h);
  for (auto bad : {"", "now", "2026", "2026-13-01", "2026-02-30", "2026-03-01T25:00", "10", "-5m",
                   "2026-03-01T12:00:00ZZ", "2026-03-01T12:00:00+1"})
    CHECK_FALSE(t(bad));
  CHECK(to_text(noon + 5ms) == "2026-03-01T12:00:00.005Z");
}

}  // namespace fermata::io::history_page_test
