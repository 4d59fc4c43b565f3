#include "core/session/commands/entry_listing.hpp"

#include "core/session/commands/command.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "tests/core/session/session_values.hpp"

#include <catch2/catch.hpp>

#include <atomic>

namespace fermata::entry_listing_test {

namespace {

/// A timeline on a disk that counts how often it is asked.
class counting_disk final : public entry_source_on_disk {
public:
  result<entry_ptr> load(std::int64_t index) const override {
    ++asked;
    auto entry = std::make_shared<history_entry>();
    entry->index = index;
    entry->kind = user_message_entry{"words " + std::to_string(index)};
    return entry_ptr{std::move(entry)};
  }
  mutable std::atomic<int> asked = 0;
};

session_by_hand long_session(const std::shared_ptr<counting_disk>& disk) {
  session_by_hand s;
  s.state.history = history::on_disk(100'000, disk);
  return s;
}

command_outcome run(const session_by_hand& s, std::string_view text) {
  return run_command(text, s.state, {}, s.clock);
}

/// A command with what it printed, as a timeline has it.
void happened(session_by_hand& s, std::string text, std::string output, bool ok = true) {
  s.happen(committed(s.state, command_entry{std::move(text), std::move(output), ok}, {}, s.now()));
}

std::vector<std::int64_t> found(const session_by_hand& s, std::string_view line) {
  auto outcome = run(s, line);
  REQUIRE(outcome.listing);
  return outcome.listing->indices;
}

}  // namespace

TEST_CASE("a list reads an entry when it is shown and keeps only how many there are") {
  auto disk = std::make_shared<counting_disk>();
  auto s = long_session(disk);
  for (std::string_view line : {"history 1:", "history 1: --json", "history --limit 100000"}) {
    INFO(line);
    disk->asked = 0;
    auto outcome = run(s, line);
    CHECK(disk->asked == 0);
    CHECK(outcome.output == "(100000 entries of the timeline)");
    REQUIRE(outcome.listing);
    REQUIRE(outcome.listing->size() == 100'000);
    CHECK(to_text(*outcome.listing->at(9)) == "[10] [you]: words 10");
    CHECK(to_text(*outcome.listing->at(99'999)) == "[100000] [you]: words 100000");
    CHECK(disk->asked == 2);
  }
}

TEST_CASE("a search lets go of what it has looked at") {
  auto disk = std::make_shared<counting_disk>();
  auto s = long_session(disk);
  // By hand: going back from 100000, the first two numbers with a 7 are 99997 and 99987.
  auto outcome = run(s, "history --grep 7 --limit 2");
  CHECK(outcome.output == "(2 entries of the timeline)");
  CHECK(outcome.listing->indices == std::vector<std::int64_t>{99'987, 99'997});
  CHECK(disk->asked == 14);
  CHECK(run(s, "history 5 --grep words").output == "(1 entry of the timeline)");
  CHECK(run(s, "history --grep nowhere").output == "no matching entries");
}

TEST_CASE("what is looked for is found where it is and not in the lists that showed it") {
  session_by_hand s;
  s.type("(note c4 :q)");
  happened(s, ":history",
           "In[1]: (note c4 :q)\nOut[1]: (note c4 :q)");  // as they were written once
  happened(s, ":hist 1: --json", "{\"index\":1,\"kind\":\"eval\",\"text\":\"(note c4 :q)\"}");
  happened(s, ":history 1:", "(3 entries of the timeline)");
  happened(s, ":history c4", "`c4` is no range of entries", false);
  happened(s, ":score", "(note c4 :q)");
  CHECK(found(s, "history --grep c4") == std::vector<std::int64_t>{1, 5, 6});
  CHECK(found(s, "history --grep history") == std::vector<std::int64_t>{2, 4, 5});
}

TEST_CASE("lists that were written into old timelines are shown as their length") {
  struct row {
    std::string text, output, shown;
    bool ok = true;
  };
  for (auto& r : {row{":history", "In[1]: x\nOut[1]: 1", "(2 lines of the timeline)"},
                  row{":hist --json", "{\"index\":1}", "(1 line of the timeline)"},
                  row{":history --grep x", "no matching entries", "no matching entries"},
                  row{":history 1:", "(7 entries of the timeline)", "(7 entries of the timeline)"},
                  row{":history --json", "", ""},
                  row{":history x", "`x` is no range\nmore", "`x` is no range\nmore", false},
                  row{":score", "In[1]: x\nOut[1]: 1", "In[1]: x\nOut[1]: 1"}}) {
    INFO(r.text << " | " << r.output);
    session_by_hand s;
    happened(s, r.text, r.output, r.ok);
    auto outcome = run(s, "history 1");
    REQUIRE(outcome.listing);
    CHECK(std::get<command_entry>(outcome.listing->at(0)->kind).output == r.shown);
  }
}

}  // namespace fermata::entry_listing_test
