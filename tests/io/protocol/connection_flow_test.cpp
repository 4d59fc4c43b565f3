#include "io/protocol/connection_flow.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::connection_flow_test {

using namespace fermata::io::protocol;
using step = connection_flow::step_t;
using progress = connection_flow::progress_t;

namespace {

constexpr flow_limits limits{
    .pending = 2, .pending_bytes = 100, .unsent = 1'000, .held = 500, .discarded = 10};

}  // namespace

TEST_CASE("a connection is not read while it has too much to do, of whatever kind") {
  // At the number of requests, and beyond the other limits.
  for (connection_load full : {connection_load{.pending = 2}, connection_load{.pending_bytes = 101},
                               connection_load{.unsent = 1'001}, connection_load{.held = 501}}) {
    connection_flow flow{limits};
    CHECK(flow.next({.pending = 1, .pending_bytes = 100, .unsent = 1'000, .held = 500}) ==
          step::nothing);
    CHECK(flow.next(full) == step::hold);
    CHECK(flow.next(full) == step::nothing);
    CHECK(flow.next({}) == step::read);
    CHECK(flow.next({}) == step::nothing);
  }
}

TEST_CASE("events that wait do not stop the reading") {
  connection_flow flow{limits};
  CHECK(flow.next({.owes_events = true}) == step::nothing);
}

TEST_CASE("after the end of input everything is said, then the connection is closed") {
  connection_flow flow{limits};
  flow.input_ended();
  CHECK(flow.has_ended());
  for (connection_load rest : {connection_load{.pending = 1}, connection_load{.unsent = 1},
                               connection_load{.owes_events = true}})
    CHECK(flow.next(rest) == step::nothing);
  CHECK(flow.next({}) == step::close);
}

TEST_CASE("a peer that is refused has its answer, then the end of output, and closes itself") {
  connection_flow flow{limits};
  flow.refuse_input();
  CHECK(flow.next({.unsent = 5}) == step::nothing);
  CHECK(flow.next({}) == step::end_output);
  CHECK(flow.next({}) == step::nothing);
  flow.input_ended();
  CHECK(flow.next({}) == step::close);
}

TEST_CASE("a peer that keeps sending what is refused is disconnected") {
  connection_flow flow{limits};
  flow.refuse_input();
  flow.discarded(10);
  CHECK(flow.next({.unsent = 5}) == step::nothing);
  flow.discarded(1);
  CHECK(flow.next({.unsent = 5}) == step::disconnect);
}

TEST_CASE("a peer makes progress if it takes anything between two checks") {
  connection_flow flow{limits};
  CHECK(flow.watch(100));
  CHECK_FALSE(flow.watch(150));  // the first watch goes on
  CHECK(flow.progress(150, 10) == progress::some);
  CHECK(flow.watch(150));
  CHECK(flow.progress(150, 10) == progress::none);
  CHECK(flow.watch(150));
  CHECK(flow.progress(150, 0) == progress::not_needed);
  // One that is refused has to close, even when it has taken all.
  flow.refuse_input();
  CHECK(flow.watch(150));
  CHECK(flow.progress(150, 0) == progress::none);
}

}  // namespace fermata::io::connection_flow_test
