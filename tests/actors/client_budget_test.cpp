#include "actors/session/client_budget.hpp"

#include <catch2/catch.hpp>

namespace fermata::actors {

namespace {

timestamp at(std::int64_t seconds) { return timestamp{std::chrono::seconds{seconds}}; }

}  // namespace

TEST_CASE("clients may write what is left, and wait for more when nothing is") {
  client_budget budget{1'000, 3'600};  // one byte a second comes back
  CHECK_FALSE(budget.must_wait(at(0)));
  budget.spend(999, at(0));
  CHECK_FALSE(budget.must_wait(at(0)));
  budget.spend(11, at(0));  // ten more than there were
  CHECK(budget.must_wait(at(0)) == std::chrono::seconds{11});
  CHECK(budget.must_wait(at(5)) == std::chrono::seconds{6});
  CHECK_FALSE(budget.must_wait(at(11)));
}

TEST_CASE("no more comes back than there was at first") {
  client_budget budget{1'000, 3'600};
  budget.spend(500, at(0));
  CHECK_FALSE(budget.must_wait(at(100'000)));
  budget.spend(1'010, at(100'000));
  CHECK(budget.must_wait(at(100'000)) == std::chrono::seconds{11});
}

TEST_CASE("a clock that is set back gives nothing") {
  client_budget budget{1'000, 3'600};
  budget.spend(1'000, at(1'000));
  CHECK(budget.must_wait(at(10)));
  CHECK(budget.must_wait(at(1'000)));
}

TEST_CASE("what a client says counts with its length") {
  message_queued words;
  words.message.content = std::string(5'000, 'x');
  auto bytes = journal_bytes({{words}});
  CHECK(bytes >= 5'000);
  CHECK(bytes < 6'000);
}

}  // namespace fermata::actors
