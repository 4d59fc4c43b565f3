#include "actors/session/waiting_turns.hpp"

#include "actors/manager/creation_allowance.hpp"

#include <catch2/catch.hpp>

namespace fermata::actors {

namespace {

remote_turn by_client(std::string text) {
  remote_turn t;
  t.what.text = std::move(text);
  return t;
}

std::string text_of(const turn_kind& t) {
  if (auto line = std::get_if<line_turn>(&t)) return line->line.text;
  if (auto remote = std::get_if<remote_turn>(&t)) return remote->what.text;
  return std::get<note_turn>(t).text;
}

}  // namespace

TEST_CASE("a typed line comes before all that clients have waiting, and clients take turns") {
  waiting_turns turns;
  for (auto text : {"a1", "a2", "a3"})
    turns.push_of_client(by_client(text), "a");
  turns.push_of_client(by_client("b1"), "b");
  line_turn line;
  line.line.text = "typed";
  turns.push(std::move(line));
  turns.push(note_turn{"note", "noted"});
  CHECK(turns.of_clients() == 4);
  CHECK(turns.of_client("a") == 3);
  CHECK(turns.bytes_of_clients() == 8);
  std::string order;
  while (!turns.empty())
    order += text_of(turns.take()) + ' ';
  CHECK(order == "typed noted a1 b1 a2 a3 ");
}

TEST_CASE("a client makes so many sessions at once and then one after each interval") {
  using std::chrono::milliseconds;
  timestamp t{std::chrono::sys_days{std::chrono::year{2026} / 2 / 1}};
  creation_allowance allowance{{.one_client = 2,
                                .one_client_interval = milliseconds{1'000},
                                .all_clients = 5,
                                .all_clients_interval = milliseconds{500}}};
  CHECK_FALSE(allowance.take("a", t));
  CHECK_FALSE(allowance.take("a", t));
  CHECK(allowance.take("a", t) == milliseconds{1'000});
  CHECK(allowance.take("a", t + milliseconds{400}) == milliseconds{600});
  CHECK_FALSE(allowance.take("a", t + milliseconds{1'000}));
  CHECK(allowance.take("a", t + milliseconds{1'000}) == milliseconds{1'000});
  // Other names help only as far as there is something for all.
  t += milliseconds{1'000};
  int made = 0;
  for (int i = 0; i < 10; ++i)
    if (!allowance.take("client " + std::to_string(i), t)) ++made;
  CHECK(made == 4);  // all five were there again, and one has just been made
  CHECK(allowance.take("another", t) == milliseconds{500});
}

}  // namespace fermata::actors
