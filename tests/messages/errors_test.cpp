#include "messages/errors.hpp"

#include <caf/sec.hpp>

#include <catch2/catch.hpp>

#include <set>

namespace fermata {

TEST_CASE("every refusal has one name, one code and a sentence") {
  std::set<std::string_view> names;
  std::set<int> codes;
  for (auto& row : problem_table()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK(codes.insert(row.json_rpc_code).second);
    CHECK(row.when.size() > 10);
    CHECK(find_problem(row.name) == &row);
    CHECK(&info(row.id) == &row);
    CHECK(to_string(row.id) == row.name);
  }
  // The codes that JSON-RPC 2.0 itself fixes (section 5.1 of its specification).
  CHECK(find_problem("parse_error")->json_rpc_code == -32700);
  CHECK(find_problem("invalid_request")->json_rpc_code == -32600);
  CHECK(find_problem("method_not_found")->json_rpc_code == -32601);
  CHECK(find_problem("invalid_params")->json_rpc_code == -32602);
  CHECK(find_problem("internal")->json_rpc_code == -32603);
  CHECK(find_problem("no such thing") == nullptr);
}

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

}  // namespace fermata
