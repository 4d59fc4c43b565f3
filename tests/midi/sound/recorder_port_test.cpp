#include "midi/sound/recorder_port.hpp"

#include <catch2/catch.hpp>

#include <array>

namespace fermata::midi::recorder_port_test {

using namespace std::chrono_literals;

TEST_CASE("a recorder keeps complete messages with the time when they are due") {
  recorder_port port{5ms, 2};
  CHECK(port.look_ahead() == 5ms);
  CHECK(port.groups() == 2);
  steady_time due{7s};
  CHECK(port.send(1, std::array<std::uint8_t, 3>{0x90, 60, 80}, due));
  CHECK_FALSE(port.send(0, std::array<std::uint8_t, 2>{0x90, 60}, due));
  CHECK_FALSE(port.send(2, std::array<std::uint8_t, 3>{0x90, 60, 80}, due));  // no such group
  REQUIRE(port.wait_for(1, 1s));
  auto all = port.messages();
  REQUIRE(all.size() == 1);
  CHECK(all[0].due == due);
  CHECK(all[0].group == 1);
  CHECK(all[0].bytes == std::vector<std::uint8_t>{0x90, 60, 80});
}

TEST_CASE("a recorder that is lost takes nothing more") {
  recorder_port port;
  CHECK(port.is_alive());
  port.lose();
  CHECK_FALSE(port.is_alive());
  CHECK_FALSE(port.send(0, std::array<std::uint8_t, 1>{0xF8}, {}));
  CHECK(port.messages().empty());
}

}  // namespace fermata::midi::recorder_port_test
