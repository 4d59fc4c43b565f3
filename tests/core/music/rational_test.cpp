#include "core/music/rational.hpp"

#include <catch2/catch.hpp>

#include <numeric>
#include <random>

namespace fermata::rational_test {

TEST_CASE("fractions and decimals are read exactly") {
  // Arithmetic, by hand.
  struct row {
    std::string_view text;
    rational expected;
  };
  for (const auto& [text, expected] : {row{"3", 3},
                                       {"-3/2", {-3, 2}},
                                       {"+2", 2},
                                       {"6/4", {3, 2}},
                                       {"0.375", {3, 8}},
                                       {"-0.5", {-1, 2}},
                                       {"0", 0},
                                       {"-0", 0},
                                       {"007", 7},
                                       {"1.50000000000000000000000000000000000000000", {3, 2}},
                                       {"9223372036854775807", INT64_MAX},
                                       {"0.0000000009313225746154785156250", {1, 1 << 30}}}) {
    INFO(text);
    REQUIRE(parse_rational(text).has_value());
    CHECK(*parse_rational(text) == expected);
  }
}

TEST_CASE("what is no number, or leaves 64 bits, is refused without throwing") {
  for (auto text : {"",
                    "+",
                    "-",
                    "/",
                    "1/",
                    "/2",
                    "1/0",
                    "1.",
                    ".5",
                    "1.5/2",
                    "1/2/3",
                    "1e3",
                    "--1",
                    "1 ",
                    " 1",
                    "0x10",
                    "9223372036854775808",
                    "1/9223372036854775808",
                    "1/2.5",
                    "1.2.3",
                    "99999999999999999999999999999999999999999999999999",
                    "0.1234567890123456789012345678901234567890123456789"}) {
    INFO(text);
    CHECK_FALSE(parse_rational(text).has_value());
  }
}

TEST_CASE("a fraction prints in lowest terms and reads back") {
  CHECK(to_string(rational{3}) == "3");
  CHECK(to_string(rational{-6, 4}) == "-3/2");
  CHECK(to_string(rational{-INT64_MAX, INT64_MAX - 1}) ==
        "-9223372036854775807/9223372036854775806");
  for (int n = -20; n <= 20; ++n)
    for (int d = 1; d <= 20; ++d)
      CHECK(parse_rational(to_string(rational{n, d})) == rational{n, d});
}

TEST_CASE("floor rounds towards the past, also before the beginning") {
  CHECK(floor(rational{7, 2}) == 3);
  CHECK(floor(rational{-7, 2}) == -4);
  CHECK(floor(rational{-4}) == -4);
  CHECK(abs(rational{-3, 2}) == rational{3, 2});
}

TEST_CASE("an exact result beyond 64 bits throws instead of wrapping") {
  CHECK_THROWS_AS(rational{INT64_MAX} + rational{1}, rational_overflow);
  CHECK_THROWS_AS((rational{1, INT64_MAX} * rational{1, 2}), rational_overflow);
}

TEST_CASE("fractions of every size are in lowest terms") {
  __extension__ using wide = __int128;
  std::mt19937_64 dice{7};
  for (int i = 0; i < 20'000; ++i) {
    // Of all magnitudes, half of them with powers of two below.
    auto n = static_cast<std::int64_t>(dice() >> (1 + dice() % 63));
    auto d = static_cast<std::int64_t>(dice() >> (1 + dice() % 62)) + 1;
    if (dice() % 2 == 0) d = std::int64_t{1} << dice() % 62;
    if (dice() % 2 == 0) n = -n;
    CAPTURE(n, d);
    rational r{n, d};
    CHECK(wide{r.numerator()} * d == wide{n} * r.denominator());
    CHECK(std::gcd(r.numerator(), r.denominator()) == 1);
    CHECK(r.denominator() > 0);
  }
}

}  // namespace fermata::rational_test
