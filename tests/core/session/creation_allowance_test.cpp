#include "core/session/catalog/creation_allowance.hpp"

#include <catch2/catch.hpp>

namespace fermata {

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

}  // namespace fermata
