#include "core/session/turn/turn_queue.hpp"

#include <catch2/catch.hpp>

namespace fermata::turn_queue_test {

TEST_CASE("a typed line comes before all that clients have waiting, and clients take turns") {
  turn_queue turns;
  turn_id next = 1;
  for (auto text : {"a1", "a2", "a3"})
    turns.push_of_client(next++, client_request{text, {}}, "a");
  turns.push_of_client(next++, client_request{"b1", {}}, "b");
  line_request line;
  line.line = read_line("typed");
  turns.push(next++, std::move(line));
  turns.push(next++, note_request{"note", "noted"});
  CHECK(turns.of_front_ends() == 2);
  CHECK(turns.of_clients() == 4);
  CHECK(turns.of_client("a") == 3);
  CHECK(turns.bytes_of_clients() == 8);
  std::vector<turn_id> order;
  while (!turns.empty())
    order.push_back(turns.take().id);
  CHECK(order == std::vector<turn_id>{5, 6, 1, 4, 2, 3});
}

TEST_CASE("cancelled lines come first, in their order, and notes stay where they are") {
  turn_queue turns;
  for (turn_id id : {1, 2, 3, 4})
    turns.push(id, line_request{});
  turns.push(5, note_request{});
  CHECK_FALSE(turns.cancelled_first([](turn_id) { return false; }));
  CHECK_FALSE(turns.cancelled_first([](turn_id id) { return id == 5; }));
  CHECK(turns.cancelled_first([](turn_id id) { return id == 2 || id == 4; }));
  std::vector<turn_id> order;
  for (auto& t : turns.take_all())
    order.push_back(t.id);
  CHECK(order == std::vector<turn_id>{2, 4, 1, 3, 5});
}

}  // namespace fermata::turn_queue_test
