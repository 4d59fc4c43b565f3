#include "core/score/edit/edit.hpp"
#include "core/score/model/content_hash.hpp"
#include "io/json/score_fields.hpp"
#include "tests/core/score/edit_at_random.hpp"
#include "tests/io/store/stored_session_by_hand.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>

// Measures that only got other numbers, in the journal; and journals from before they were told so.

namespace fermata::io::renumbered_journal_test {

namespace {

score_delta written_and_read(const score_delta& d) {
  auto text = boost::json::serialize(write_json(d));
  score_delta again;
  json_fault fault;
  INFO(text);
  REQUIRE(read_json(boost::json::parse(text), again, fault));
  CHECK(again == d);
  return again;
}

std::string first_line_of(const std::filesystem::path& journal) {
  auto text = content_of(journal);
  return text.substr(0, text.find('\n'));
}

/// The journal as a program before this one wrote it: its first line says 1.
void make_old(const std::filesystem::path& journal) {
  auto text = content_of(journal);
  auto at = text.find("\"version\":2");
  REQUIRE(at < text.find('\n'));
  text[at + 10] = '1';
  write_content(journal, text);
}

/// Some music, with a measure that goes and comes again.
session_state edited_session(const std::filesystem::path& folder) {
  stored_session_by_hand s{folder};
  s.line("(part :piano (measure (note c4 :w)) (measure (note d4 :w)) (measure (note e4 :w)) "
         "(measure (note f4 :w)) (measure (note g4 :w)))");
  s.line("(delete (measures 2))");
  s.line("(insert-measure (measures 1) :count 2)");
  s.undo(1);
  s.undo(1);
  s.line("(delete (measures 4))");
  return s.state;
}

}  // namespace

TEST_CASE("whatever is edited, a change means the same after it was written and read") {
  testing::edit_at_random edits{1814};
  for (int round = 0; round < 60; ++round) {
    auto s = edits.any_score();
    for (int step = 0; step < 6; ++step) {
      INFO("round " << round << ", step " << step);
      auto next = edits.edited(s);
      auto d = written_and_read(diff_snapshots(s, next));
      auto back = written_and_read(inverted(d));
      auto there = applied(d, s);
      REQUIRE(there);
      CHECK(content_hash(**there) == content_hash(*next));
      auto again = applied(back, *there);
      REQUIRE(again);
      CHECK(content_hash(**again) == content_hash(*s));
      s = *there;  // as after a restart: nothing in it is shared with what was edited
    }
  }
}

TEST_CASE("a measure that goes or comes in a long piece takes a few hundred bytes in the journal") {
  // Each bar is unlike the next: in a row of like ones the last would be told to go.
  std::vector<std::string> bars;
  for (std::size_t i = 0; i < 10'000; ++i)
    bars.push_back(std::string{"cdefgab"[i % 7]} + "4:q d4:q e4:q f4:q");
  auto s = testing::one_part(bars);
  auto size = [&](const result<score_ptr>& next) {
    REQUIRE(next);
    return boost::json::serialize(write_json(diff_snapshots(s, *next))).size();
  };
  // One measure is about 460 bytes; numbers from first to last take some dozens.
  auto one = boost::json::serialize(write_json(*s->parts[0]->measures[1])).size();
  CHECK(size(delete_measures(s, {{0, 1}})) < one + 300);
  CHECK(size(delete_measures(s, {{0, 1}, {0, 5'000}, {0, 9'000}})) < 3 * one + 500);
  CHECK(size(insert_measures(s, 1, 1)) < one + 300);
}

TEST_CASE("a change from before measures could be renumbered in few words is read as it stands") {
  // By hand, as the format of version 1 had it: measure 1 goes, 2 and 3 become 1 and 2.
  auto text = R"({"changed":[{"id":"P1","name":"Music","measures_before":3,"measures":[{
      "before":[{"items":[{"content":{"xml":"<a/>"}}]},
                {"number":"2","items":[{"content":{"xml":"<b/>"}}]},
                {"number":"3","items":[{"content":{"xml":"<c/>"}}]}],
      "after":[{"items":[{"content":{"xml":"<b/>"}}]},
               {"number":"2","items":[{"content":{"xml":"<c/>"}}]}]}]}],
      "ids_before":["P1"]})";
  auto measure_with = [](std::string xml, std::string number) {
    measure m;
    m.number = std::move(number);
    m.items.push_back({{}, fragment{std::move(xml)}});
    return m;
  };
  auto a = testing::make_score({testing::make_part(
      {measure_with("<a/>", "1"), measure_with("<b/>", "2"), measure_with("<c/>", "3")})});
  auto b = testing::make_score(
      {testing::make_part({measure_with("<b/>", "1"), measure_with("<c/>", "2")})});
  score_delta d;
  json_fault fault;
  REQUIRE(read_json(boost::json::parse(text), d, fault));
  auto there = applied(d, a);
  REQUIRE(there);
  CHECK(**there == *b);
  auto back = applied(inverted(d), b);
  REQUIRE(back);
  CHECK(**back == *a);
}

TEST_CASE("a session with renumbered measures is the same when it is replayed") {
  temporary_folder home;
  auto before = edited_session(home.path() / "s");
  CHECK(content_of(home.path() / "s" / "history.jsonl").find("\"renumbered\"") !=
        std::string::npos);
  stored_session_by_hand again{home.path() / "s"};
  CHECK(again.remarks.empty());
  CHECK(content_hash(*again.state.score) == content_hash(*before.score));
  auto undone = undo_change(again.state, 1);
  REQUIRE(undone);
  auto score = applied(undone->delta, again.state.score);
  REQUIRE(score);
  auto measures = (*score)->parts[0]->measures;
  REQUIRE(measures.size() == 5);
  CHECK(measures.back()->number == "5");
}

TEST_CASE("a journal of version 1 is read, and says version 2 once it was opened for writing") {
  temporary_folder home;
  auto folder = home.path() / "s", journal = folder / "history.jsonl";
  auto before = edited_session(folder);
  auto written = content_of(journal);
  CHECK(first_line_of(journal).find("\"version\":2") != std::string::npos);
  make_old(journal);
  auto old = content_of(journal);

  auto looked_at = journal_file::open(journal, {}, {}, journal_file::access::read_only);
  REQUIRE(looked_at);
  CHECK(looked_at->lines().size() == 6);
  CHECK(content_of(journal) == old);

  {
    stored_session_by_hand again{folder};
    CHECK(again.remarks.empty());
    CHECK(again.state.meta.name == before.meta.name);
    CHECK(content_hash(*again.state.score) == content_hash(*before.score));
  }
  CHECK(content_of(journal) == written);

  // As somebody may have written it by hand: one byte is changed, wherever it stands.
  auto by_hand = R"({ "session" : "version", "format":"fermata-history", "version" : 1,)"
                 R"( "created":"2026-02-01T00:00:00.000Z"})"
                 "\n";
  write_content(journal, by_hand + written.substr(written.find('\n') + 1));
  REQUIRE(journal_file::open(journal, {}));
  auto expected = std::string{by_hand};
  expected[expected.find(": 1,") + 2] = '2';
  CHECK(first_line_of(journal) + '\n' == expected);
}

}  // namespace fermata::io::renumbered_journal_test
