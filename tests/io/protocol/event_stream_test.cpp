#include "io/protocol/event_stream.hpp"

#include "io/protocol/change_condition.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::event_stream_test {

using namespace fermata::io::protocol;

TEST_CASE("the kinds of an event are separated by blanks") {
  CHECK(kinds_of_event("").empty());
  CHECK(kinds_of_event("entries") == std::vector<std::string_view>{"entries"});
  CHECK(kinds_of_event(" entries  score ") == std::vector<std::string_view>{"entries", "score"});
}

TEST_CASE("events that wait become one, with the kinds of all and the last number") {
  event_stream s;
  CHECK(s.happened("entries", 4, 1));
  CHECK(s.happened("score entries", 5, 2));
  REQUIRE(s.due());
  CHECK(s.due()->what == "entries score");
  CHECK(s.due()->sequence == 5);
}

TEST_CASE("a stream of some kinds leaves out the others, but no entries between") {
  event_stream s{{"score"}, 3};
  CHECK_FALSE(s.happened("entries", 1, 4));
  CHECK_FALSE(s.owes_anything());
  CHECK(s.seen() == 4);
  // With something due, what is not wanted comes after it.
  CHECK(s.happened("score entries", 2, 5));
  CHECK_FALSE(s.happened("entries", 3, 6));
  CHECK(s.seen() == 4);
  CHECK(s.next(6, 0).up_to == 6);
}

TEST_CASE("a change of the list of sessions is told once, to those who want it") {
  event_stream all, some{{"score"}}, list{{"sessions"}};
  CHECK(all.list_changed());
  CHECK_FALSE(some.list_changed());
  CHECK(list.list_changed());
  CHECK(all.owes_anything());
  CHECK_FALSE(some.owes_anything());
  CHECK(all.take_list_change());
  CHECK_FALSE(all.take_list_change());
}

TEST_CASE("entries are sent in portions of fifty until all are") {
  event_stream s{{}, 10};
  s.owe("entries", 0);
  const auto first = s.next(75, 0);
  CHECK_FALSE(first.from_disk);
  CHECK(first.up_to == 60);
  // A line may have held fewer.
  CHECK_FALSE(s.sent(40, 75));
  CHECK(s.next(75, 0).up_to == 75);
  CHECK(s.sent(75, 75));
  CHECK_FALSE(s.due());
}

TEST_CASE("an event without entries is sent as well") {
  event_stream s{{}, 7};
  s.happened("settings", 1, 7);
  CHECK(s.next(7, 7).up_to == 7);
  CHECK_FALSE(s.next(7, 7).from_disk);
  CHECK(s.sent(7, 7));
}

TEST_CASE("entries on disk are read first, at most a thousand at once") {
  event_stream s;
  s.owe("entries", 0);
  auto next = s.next(2'500, 2'400);
  CHECK(next.from_disk);
  CHECK(next.up_to == 1'000);
  CHECK_FALSE(s.has_caught_up(2'400));
  s.read(1'000);
  next = s.next(2'500, 2'400);
  CHECK_FALSE(next.from_disk);
  CHECK(next.up_to == 50);
  CHECK(s.has_read_ahead());
  s.sent(990, 2'500);
  CHECK(s.next(2'500, 2'400).up_to == 1'000);
  s.sent(1'000, 2'500);
  CHECK_FALSE(s.has_read_ahead());
  next = s.next(2'500, 2'400);
  CHECK(next.from_disk);
  CHECK(next.up_to == 2'000);
  s.read(2'000);
  s.sent(2'000, 2'500);
  CHECK(s.next(2'500, 2'400).up_to == 2'400);
  s.read(2'400);
  CHECK(s.has_caught_up(2'400));
  s.sent(2'400, 2'500);
  // The rest is in memory.
  next = s.next(2'500, 2'400);
  CHECK_FALSE(next.from_disk);
  CHECK(next.up_to == 2'450);
}

TEST_CASE("notifications are numbered from one") {
  event_stream s;
  CHECK(s.next_number() == 1);
  CHECK(s.next_number() == 2);
}

TEST_CASE("who waits for a change names a revision or an entry, or takes anything") {
  auto s = empty_session({});
  s.revision = 3;
  CHECK(change_condition{.revision = 2}.is_met(s, false));
  CHECK_FALSE(change_condition{.revision = 3}.is_met(s, true));
  CHECK_FALSE(change_condition{.entry = 0}.is_met(s, true));
  CHECK(change_condition{.revision = 2, .entry = 9}.is_met(s, false));
  CHECK_FALSE(change_condition{}.is_met(s, false));
  CHECK(change_condition{}.is_met(s, true));
}

}  // namespace fermata::io::event_stream_test
