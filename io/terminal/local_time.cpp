#include "io/terminal/local_time.hpp"

#include <time.h>

namespace fermata::io {

namespace {

std::chrono::seconds ahead_of_utc(timestamp t) {
  // localtime_r need not look at TZ by itself. Once is enough: nobody moves during a session.
  static const bool zone_is_known = (tzset(), true);
  static_cast<void>(zone_is_known);
  auto seconds =
      static_cast<time_t>(std::chrono::floor<std::chrono::seconds>(t).time_since_epoch().count());
  tm shown{};
  if (localtime_r(&seconds, &shown) == nullptr) return {};
  return std::chrono::seconds{shown.tm_gmtoff};
}

}  // namespace

wall_clock local_clock() { return {ahead_of_utc}; }

}  // namespace fermata::io
