#include "io/protocol/time_text.hpp"

#include "core/session/timeline/wall_clock.hpp"

#include <fmt/format.h>

#include <charconv>

namespace fermata::io::protocol {

using std::chrono::milliseconds;

std::string to_text(timestamp t) {
  auto day = std::chrono::floor<std::chrono::days>(t);
  std::chrono::year_month_day date{day};
  std::chrono::hh_mm_ss<milliseconds> time{t - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

namespace {

std::optional<timestamp> parse_age(std::string_view text, timestamp now) {
  std::int64_t n = 0;
  auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (ec != std::errc{} || end + 1 != text.data() + text.size() || n < 0 || n > 1'000'000'000)
    return std::nullopt;
  switch (*end) {
    case 's': return now - std::chrono::seconds{n};
    case 'm': return now - std::chrono::minutes{n};
    case 'h': return now - std::chrono::hours{n};
    case 'd': return now - std::chrono::hours{24 * n};
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<timestamp> parse_time(std::string_view text, timestamp now) {
  if (auto age = parse_age(text, now)) return age;
  return parse_moment(text, {});
}

std::optional<timestamp> parse_end_time(std::string_view text, timestamp now) {
  if (auto age = parse_age(text, now)) return age;
  return parse_end_of_moment(text, {});
}

}  // namespace fermata::io::protocol
