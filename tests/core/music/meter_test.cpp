#include "core/music/meter.hpp"

#include <catch2/catch.hpp>

namespace fermata::meter_test {

TEST_CASE("a measure is as long as its time signature says") {
  CHECK(measure_length({}) == quarters{4});
  CHECK(measure_length({{{{6}, 8}}, "", ""}) == quarters{3});
  CHECK(measure_length({{{{3, 2}, 8}}, "", ""}) == quarters{rational{5, 2}});
  CHECK(measure_length({{{{3}, 8}, {{2}, 4}}, "", ""}) == quarters{rational{7, 2}});
  CHECK(measure_length({{}, "", ""}) == quarters{0});
}

TEST_CASE("a time signature is printed as it is spoken") {
  CHECK(to_string(time_signature{}) == "4/4");
  CHECK(to_string(time_signature{{{{3, 2}, 8}}, "", ""}) == "3+2/8");
  CHECK(to_string(time_signature{{{{3}, 8}, {{2}, 4}}, "", ""}) == "3/8+2/4");
  CHECK(to_string(time_signature{{{{4}, 4}}, "common", ""}) == "common");
  CHECK(to_string(time_signature{{}, "", ""}) == "senza-misura");
}

}  // namespace fermata::meter_test
