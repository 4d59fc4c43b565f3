#include "io/terminal/local_time.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

namespace fermata::io::local_time_test {

namespace {

/// The process is somewhere else while it lives.
class elsewhere {
public:
  explicit elsewhere(const char* zone) {
    if (auto tz = std::getenv("TZ")) before_ = tz;
    move(zone);
  }
  ~elsewhere() { move(before_ ? before_->c_str() : nullptr); }
  elsewhere(const elsewhere&) = delete;
  elsewhere& operator=(const elsewhere&) = delete;

private:
  static void move(const char* zone) {
    zone ? ::setenv("TZ", zone, 1) : ::unsetenv("TZ");
    ::tzset();
  }
  std::optional<std::string> before_;
};

}  // namespace

// Expected: Python 3.11, datetime.astimezone with zoneinfo of these places.
TEST_CASE("the clock on the wall follows the rules of the system's zone") {
  auto clock = io::local_clock();
  auto shown = [&](const char* utc) { return to_text(*parse_moment(utc, {}), clock); };
  shown("2026-01-01");  // whatever zone was known before
  {
    elsewhere here{"America/New_York"};
    CHECK(shown("2026-03-08T06:59:59Z") == "2026-03-08 01:59:59");
    CHECK(shown("2026-03-08T07:00:00Z") == "2026-03-08 03:00:00");
    CHECK(shown("2026-11-01T05:30:00Z") == "2026-11-01 01:30:00");
    CHECK(shown("2026-11-01T06:30:00Z") == "2026-11-01 01:30:00");
    CHECK(parse_moment("2026-03-08T02:30", clock) == parse_moment("2026-03-08T07:30Z", {}));
    CHECK(parse_moment("2026-11-01T02:00", clock) == parse_moment("2026-11-01T07:00Z", {}));
  }
  {
    elsewhere here{"Asia/Kolkata"};
    CHECK(shown("2026-07-14T18:45:00Z") == "2026-07-15 00:15:00");
    CHECK(parse_moment("2026-03-08", clock) == parse_moment("2026-03-07T18:30Z", {}));
  }
  {
    elsewhere here{"UTC"};
    CHECK(shown("2026-07-14T18:45:00Z") == "2026-07-14 18:45:00");
  }
}

}  // namespace fermata::io::local_time_test
