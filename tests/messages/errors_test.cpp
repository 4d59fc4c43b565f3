#include "messages/errors.hpp"

#include <caf/sec.hpp>

#include <catch2/catch.hpp>

namespace fermata::errors_test {

TEST_CASE("a refusal carries what is needed to act on it") {
  problem_detail detail;
  detail.message = "the queue is full";
  detail.retry_after_ms = 50;
  auto e = make_problem(problem::busy, detail);
  CHECK(e == problem::busy);
  CHECK(problem_of(e) == problem::busy);
  CHECK(detail_of(e).message == "the queue is full");
  CHECK(detail_of(e).retry_after_ms == 50);
  auto copy = e;
  CHECK(detail_of(copy).retry_after_ms == 50);
}

TEST_CASE("a fault in an expression keeps its place") {
  auto e = to_problem({errc::unknown_name, "motiff is not bound", source_span{5, 11}, "motif?"},
                      "(+ 1 motiff)");
  CHECK(problem_of(e) == problem::eval_error);
  CHECK(detail_of(e).cause.first().span->begin == 5);
  CHECK(detail_of(e).advice == "motif?");
  CHECK(problem_of(to_problem({errc::internal, "oh"})) == problem::internal);
}

TEST_CASE("a dead actor is unavailable") {
  CHECK(problem_of(caf::make_error(caf::sec::request_receiver_down)) == problem::unavailable);
  CHECK(problem_of(caf::error{}) == problem::none);
  CHECK_FALSE(detail_of(caf::make_error(caf::sec::request_timeout)).message.empty());
}

}  // namespace fermata::errors_test
